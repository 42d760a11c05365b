/**
 * The answers of Google, Microsoft, Apple, GitHub and GitLab, with the shapes that they have as of 2026, for a client
 * `us`. Codes are nonces of the requests, as at the forged provider; `stale` is one that has expired.
 */
import {
  decodeProtectedHeader,
  exportJWK,
  generateKeyPair,
  importSPKI,
  type JWTPayload,
  jwtVerify,
  SignJWT,
} from "jose";

export const TENANT = "7f0d53a4-6d1c-4ef4-9c1c-3f6b8bd0a111";
const CONSUMERS = "9188040d-6c67-4c5b-b112-36a304b66dad";
const STALE = "stale";

/** The id_tokens, beside `iss`, `aud`, `iat`, `exp` and `nonce`. */
export const brandedClaims = {
  google: {
    azp: "us",
    sub: "104729103857392017465",
    hd: "elsewhere.test",
    email: "gwen@elsewhere.test",
    email_verified: true,
    at_hash: "7vZs3zWvXFqXnbtKEkMwmg",
    name: "Gwen Gold",
    picture: "https://lh3.googleusercontent.com/a/x=s96-c",
    given_name: "Gwen",
    family_name: "Gold",
  },
  azure: {
    tid: TENANT,
    oid: "00000000-0000-0000-66f3-3332eca7ea81",
    sub: "AAAAAAAAAAAAAAAAAAAAAIkzqFVrSaSaFHy782bbtaQ",
    name: "Mia Major",
    preferred_username: "mia@acme.test",
    email: "mia@acme.test",
    rh: "0.AX0A",
    uti: "f2wQbM",
    ver: "2.0",
  },
  apple: {
    sub: "001473.fe6f83bf4b8e4590aacbabdcb8598bd0.2039",
    at_hash: "3u3pLOYhlCGGIwtlcYrjKg",
    email: "x7k2@privaterelay.appleid.com",
    email_verified: "true",
    is_private_email: "true",
    auth_time: 1_764_000_000,
    nonce_supported: true,
  },
  gitlab: {
    sub: "4711",
    sub_legacy: "c0ffee",
    auth_time: 1_764_000_000,
    name: "Lee Lab",
    nickname: "lee",
    preferred_username: "lee",
    email: "lee@elsewhere.test",
    email_verified: true,
    profile: "https://gitlab.com/lee",
    groups_direct: ["acme/devs"],
  },
} as const;

const github = {
  user: { login: "octo", id: 583_231, node_id: "MDQ6VXNlcjU4MzIzMQ==", type: "User", name: null, email: null },
  emails: [
    { email: "old@elsewhere.test", verified: true, primary: false, visibility: null },
    { email: "octo@elsewhere.test", verified: true, primary: true, visibility: "private" },
  ],
};

const documents: Readonly<Record<string, object>> = {
  "https://accounts.google.com": {
    issuer: "https://accounts.google.com",
    authorization_endpoint: "https://accounts.google.com/o/oauth2/v2/auth",
    token_endpoint: "https://oauth2.googleapis.com/token",
    userinfo_endpoint: "https://openidconnect.googleapis.com/v1/userinfo",
    jwks_uri: "https://www.googleapis.com/oauth2/v3/certs",
    token_endpoint_auth_methods_supported: ["client_secret_post", "client_secret_basic"],
  },
  "https://appleid.apple.com": {
    issuer: "https://appleid.apple.com",
    authorization_endpoint: "https://appleid.apple.com/auth/authorize",
    token_endpoint: "https://appleid.apple.com/auth/token",
    jwks_uri: "https://appleid.apple.com/auth/keys",
    token_endpoint_auth_methods_supported: ["client_secret_post"],
  },
  "https://gitlab.com": {
    issuer: "https://gitlab.com",
    authorization_endpoint: "https://gitlab.com/oauth/authorize",
    token_endpoint: "https://gitlab.com/oauth/token",
    userinfo_endpoint: "https://gitlab.com/oauth/userinfo",
    jwks_uri: "https://gitlab.com/oauth/discovery/keys",
    token_endpoint_auth_methods_supported: ["client_secret_basic", "client_secret_post"],
  },
  ...Object.fromEntries(
    [
      ["common", "{tenantid}"],
      ["organizations", "{tenantid}"],
      ["consumers", CONSUMERS],
      ["acme.onmicrosoft.com", TENANT],
      [TENANT, TENANT],
    ].map(([tenant, named]) => [
      `https://login.microsoftonline.com/${tenant}/v2.0`,
      {
        issuer: `https://login.microsoftonline.com/${named}/v2.0`,
        authorization_endpoint: `https://login.microsoftonline.com/${tenant}/oauth2/v2.0/authorize`,
        token_endpoint: `https://login.microsoftonline.com/${tenant}/oauth2/v2.0/token`,
        userinfo_endpoint: "https://graph.microsoft.com/oidc/userinfo",
        jwks_uri: `https://login.microsoftonline.com/${tenant}/discovery/v2.0/keys`,
        token_endpoint_auth_methods_supported: ["client_secret_post", "private_key_jwt", "client_secret_basic"],
      },
    ]),
  ),
};

export interface BrandedProviders {
  /** What `reachProvidersBy` takes. */
  fetch(url: string, init: { method: string; headers: Record<string, string>; body?: unknown }): Promise<Response>;
  /** Claims of the next id_tokens that differ. */
  claims: JWTPayload;
  /** What GitHub says of the addresses. */
  githubEmails: unknown;
  /** The forms that token endpoints got. */
  redeemed: { url: string; form: URLSearchParams; headers: Headers }[];
}

/** @param applePem the public key of the team at Apple */
export async function brandedProviders(applePem: string): Promise<BrandedProviders> {
  const { privateKey, publicKey } = await generateKeyPair("RS256");
  const keys = [{ ...(await exportJWK(publicKey)), kid: "b1", use: "sig" }]; // Microsoft's keys have no `alg`
  const json = (body: unknown, status = 200) => Response.json(body, { status });

  async function idToken(url: string, nonce: string): Promise<string> {
    const brand = url.includes("google") ? "google" : url.includes("apple") ? "apple" : "gitlab";
    const known = url.includes("microsoft") ? "azure" : brand;
    const claims: JWTPayload = { ...brandedClaims[known], ...providers.claims };
    const iss =
      known === "azure"
        ? `https://login.microsoftonline.com/${claims.tid}/v2.0`
        : { google: "https://accounts.google.com", apple: "https://appleid.apple.com", gitlab: "https://gitlab.com" }[
            known
          ];
    const now = Math.floor(Date.now() / 1000);
    const all = { iss, aud: "us", iat: now, exp: now + 600, nonce, ...claims };
    return new SignJWT(all).setProtectedHeader({ typ: "JWT", alg: "RS256", kid: "b1" }).sign(privateKey);
  }

  /** Apple's client secret: a JWT of the team, for half a year at most. */
  async function isOfTeam(secret: string): Promise<boolean> {
    try {
      const key = await importSPKI(applePem, "ES256");
      const expected = { issuer: "TEAM123456", subject: "us", audience: "https://appleid.apple.com" };
      await jwtVerify(secret, key, { ...expected, algorithms: ["ES256"], maxTokenAge: "180d" });
      return decodeProtectedHeader(secret).kid === "KEY1234567";
    } catch {
      return false;
    }
  }

  const providers: BrandedProviders = {
    claims: {},
    githubEmails: github.emails,
    redeemed: [],
    async fetch(url, init) {
      const headers = new Headers(init.headers);
      const document = documents[url.replace("/.well-known/openid-configuration", "")];
      if (document) return json(document);
      if (/certs|keys$/.test(url)) return json({ keys });
      if (url.startsWith("https://api.github.com/")) {
        if (!headers.has("user-agent"))
          return new Response("Request forbidden by administrative rules.", { status: 403 });
        if (headers.get("authorization") !== "Bearer gho_16C7e42F292c6912E7710c838347Ae178B4a") return json({}, 401);
        return json(url.endsWith("/emails") ? providers.githubEmails : github.user);
      }
      if (url === "https://gitlab.com/oauth/userinfo")
        return json({ ...brandedClaims.gitlab, groups: ["acme/devs"], ...providers.claims });
      if (url === "https://openidconnect.googleapis.com/v1/userinfo")
        return json({ ...brandedClaims.google, ...providers.claims });
      if (url === "https://graph.microsoft.com/oidc/userinfo") {
        return json({ sub: brandedClaims.azure.sub, given_name: "Mia", family_name: "Major", email: "mia@acme.test" });
      }
      const form = new URLSearchParams(String(init.body));
      providers.redeemed.push({ url, form, headers });
      const isStale = form.get("code") === STALE;
      if (url === "https://github.com/login/oauth/access_token") {
        const refused = { error: "bad_verification_code", error_uri: "https://docs.github.com/" };
        if (isStale) return json({ ...refused, error_description: "The code passed is incorrect or expired." });
        const token = "gho_16C7e42F292c6912E7710c838347Ae178B4a";
        return json({ access_token: token, scope: "read:user,user:email", token_type: "bearer" });
      }
      if (url.includes("apple") && !(await isOfTeam(form.get("client_secret") ?? ""))) {
        return json({ error: "invalid_client" }, 400);
      }
      if (isStale) return json({ error: "invalid_grant", error_description: "Malformed auth code." }, 400);
      return json({
        ...{ access_token: "ya29.a0", token_type: "Bearer", expires_in: 3599, scope: "openid email profile" },
        id_token: await idToken(url, form.get("code") ?? ""),
      });
    },
  };
  return providers;
}
