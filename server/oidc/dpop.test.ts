import { calculateJwkThumbprint, exportJWK, generateKeyPair, SignJWT } from "jose";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { tokenHash } from "../protocol/dpop";
import { databaseKinds, ruleDatabases } from "../testing/database";
import { exampleBootstrap, SECRET } from "../testing/example";
import { answerOf, authorize, authorizePath, basic, fillSignIn, pkcePair, REDIRECT_URI } from "../testing/flow";
import { BASE_URL, type TestService, testService } from "../testing/test-context";

const MANAGEMENT = "urn:service:iam:org:project:id:service:aud";
const [acme] = exampleBootstrap.organizations;
const shared = {
  clientSecret: SECRET,
  redirectUris: [REDIRECT_URI],
  grantTypes: ["OIDC_GRANT_TYPE_AUTHORIZATION_CODE", "OIDC_GRANT_TYPE_REFRESH_TOKEN"],
};
const apps = [
  { id: "a-bound", name: "Bound", oidc: { clientId: "bound", ...shared, dpopBoundAccessTokens: true } },
  {
    id: "a-nonce",
    name: "Nonce",
    oidc: { clientId: "nonce", ...shared, dpopBoundAccessTokens: true, dpopRequireNonce: true },
  },
];
const bootstrap = {
  organizations: [
    {
      ...acme,
      machines: [{ id: "m-ci", userName: "ci", secret: SECRET, roles: ["ORG_OWNER"] }],
      projects: (acme?.projects ?? []).map((project) => ({ ...project, apps: [...project.apps, ...apps] })),
    },
  ],
};

type Key = Awaited<ReturnType<typeof newKey>>;

async function newKey(alg = "ES256") {
  const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true });
  const jwk = await exportJWK(publicKey);
  return { privateKey, jwk, jkt: await calculateJwkThumbprint(jwk), alg };
}

type Answer = Record<string, unknown> & { access_token: string; refresh_token: string };

/** Returns the nonce with another MAC. */
const altered = (nonce: string) => nonce.slice(0, 30) + (nonce[30] === "A" ? "B" : "A") + nonce.slice(31);

describe.each(databaseKinds)("DPoP (RFC 9449) on %s", (kind) => {
  let service: TestService;
  let key: Key;
  let other: Key;
  beforeAll(async () => {
    service = await testService(kind, bootstrap);
    [key, other] = [await newKey(), await newKey()];
  });
  afterAll(() => service.close());

  const now = () => Math.floor(service.ctx.clock() / 1000);
  /** Signs a proof; `header` and `claims` replace what a careful client sends. */
  const proof = (
    by: Key,
    method: string,
    path: string,
    { claims = {}, header = {}, token }: { claims?: object; header?: object; token?: string } = {},
  ) =>
    new SignJWT({
      jti: crypto.randomUUID(),
      htm: method,
      htu: `${BASE_URL}${path}`,
      iat: now(),
      ...(token === undefined ? {} : { ath: tokenHash(token) }),
      ...claims,
    })
      .setProtectedHeader({ typ: "dpop+jwt", alg: by.alg, jwk: by.jwk, ...header })
      .sign(by.privateKey);

  const post = (path: string, form: Record<string, string>, headers: Record<string, string>) =>
    service.fetch(path, { method: "POST", body: new URLSearchParams(form), headers });
  const token = async (form: Record<string, string>, client: string, dpop?: string) => {
    const isPublic = client === "spa";
    const response = await post("/oauth/v2/token", isPublic ? { ...form, client_id: client } : form, {
      ...(isPublic ? {} : { authorization: basic(client, SECRET) }),
      ...(dpop === undefined ? {} : { dpop }),
    });
    return { status: response.status, headers: response.headers, body: (await response.json()) as Answer };
  };
  const tokenProof = (by: Key = key, more?: Parameters<typeof proof>[3]) => proof(by, "POST", "/oauth/v2/token", more);
  /** Signs Ada in to the app, and returns the form that redeems the code. */
  const codeFor = async (client: string, parameters: Record<string, string> = {}) => {
    const { verifier, challenge } = pkcePair();
    const answer = await authorize(service.browser(), {
      client_id: client,
      code_challenge: challenge,
      code_challenge_method: "S256",
      ...parameters,
    });
    const code = answer.get("code") ?? "";
    return { grant_type: "authorization_code", code, redirect_uri: REDIRECT_URI, code_verifier: verifier };
  };
  const boundToken = async (by: Key = key) => (await token(await codeFor("web"), "web", await tokenProof(by))).body;
  const ask = async (scheme: string, accessToken: string, dpop?: string) => {
    const response = await service.fetch("/oidc/v1/userinfo", {
      headers: { authorization: `${scheme} ${accessToken}`, ...(dpop === undefined ? {} : { dpop }) },
    });
    return { status: response.status, challenge: response.headers.get("www-authenticate") };
  };
  const resourceProof = (by: Key, accessToken: string, more: Parameters<typeof proof>[3] = {}) =>
    proof(by, "GET", "/oidc/v1/userinfo", { token: accessToken, ...more });

  it("binds tokens to the key of the proof, and says so to client and API", async () => {
    const { body } = await token(await codeFor("web"), "web", await tokenProof());
    expect(body.token_type).toBe("DPoP");
    const asked = await post(
      "/oauth/v2/introspect",
      { token: body.access_token },
      { authorization: basic("web", SECRET) },
    );
    expect(await asked.json()).toMatchObject({ active: true, token_type: "DPoP", cnf: { jkt: key.jkt } });
  });

  it("puts the key into JWT access tokens", async () => {
    const { body } = await token(await codeFor("jwt-tokens"), "jwt-tokens", await tokenProof());
    const claims = JSON.parse(Buffer.from(body.access_token.split(".")[1] ?? "", "base64url").toString());
    expect(claims.cnf).toEqual({ jkt: key.jkt });
  });

  it("still issues bearer tokens without a proof", async () => {
    const { body } = await token(await codeFor("web"), "web");
    expect(body.token_type).toBe("Bearer");
    expect((await ask("Bearer", body.access_token)).status).toBe(200);
    expect((await ask("DPoP", body.access_token, await resourceProof(key, body.access_token))).status).toBe(401);
  });

  it("accepts a bound token only with a proof of its key for the request", async () => {
    const { access_token } = await boundToken();
    const good = await resourceProof(key, access_token);
    expect((await ask("dPoP", access_token, good)).status).toBe(200);
    const refused: [string, string, string | undefined][] = [
      ["the same proof again", "DPoP", good],
      ["no proof", "DPoP", undefined],
      ["the scheme Bearer", "Bearer", await resourceProof(key, access_token)],
      ["the scheme Bearer without a proof", "Bearer", undefined],
      ["another key", "DPoP", await resourceProof(other, access_token)],
      ["no ath", "DPoP", await proof(key, "GET", "/oidc/v1/userinfo")],
      ["another ath", "DPoP", await resourceProof(key, access_token, { token: "another" })],
      ["another method", "DPoP", await proof(key, "POST", "/oidc/v1/userinfo", { token: access_token })],
      ["another address", "DPoP", await proof(key, "GET", "/oauth/v2/token", { token: access_token })],
      ["two proofs", "DPoP", `${await resourceProof(key, access_token)}, ${await resourceProof(key, access_token)}`],
    ];
    for (const [what, scheme, dpop] of refused) {
      const { status, challenge } = await ask(scheme, access_token, dpop);
      expect([what, status]).toEqual([what, 401]);
      const error = scheme === "Bearer" ? "invalid_token" : "invalid_dpop_proof"; // RFC 9449 §7.1, §7.2
      expect(challenge).toMatch(new RegExp(`^DPoP .*error="${error}".*algs="ES256 PS256 EdDSA RS256"`));
    }
    expect((await ask("DPoP", access_token, await resourceProof(key, access_token))).status).toBe(200);
  });

  it.each([
    ["an address with query and fragment", { htu: `${BASE_URL}/oauth/v2/token?a=b#c` }],
    [
      "an address in capitals",
      { htu: `${BASE_URL}/oauth/v2/token`.replace(/^http:\/\/[^/]+/, (x) => x.toUpperCase()) },
    ],
    ["unknown claims, nbf and exp", { extra: 1, nbf: Math.floor(Date.now() / 1000) - 1, exp: 4_000_000_000 }],
    ["a time ten seconds ahead", { iat: Math.floor(Date.now() / 1000) + 10 }],
  ])("accepts a proof with %s", async (_, claims) => {
    const { status } = await token(
      { grant_type: "client_credentials", scope: "openid" },
      "ci",
      await tokenProof(key, { claims }),
    );
    expect(status).toBe(200);
  });

  const signed = (claims: object, header: object) => () => tokenProof(key, { claims, header });
  it.each<[string, () => Promise<string>]>([
    ["no jti", signed({ jti: undefined }, {})],
    ["no htm", signed({ htm: undefined }, {})],
    ["no htu", signed({ htu: undefined }, {})],
    ["no iat", signed({ iat: undefined }, {})],
    ["another htu", signed({ htu: "https://evil.test/oauth/v2/token" }, {})],
    ["a time an hour ago", signed({ iat: Math.floor(Date.now() / 1000) - 3600 }, {})],
    ["a time an hour ahead", signed({ iat: Math.floor(Date.now() / 1000) + 3600 }, {})],
    ["an end in the past", signed({ exp: Math.floor(Date.now() / 1000) - 300 }, {})],
    ["another typ", signed({}, { typ: "JWT" })],
    ["no typ", signed({}, { typ: undefined })],
    ["no jwk", signed({}, { jwk: undefined })],
    ["the jwk of another key", async () => tokenProof(key, { header: { jwk: other.jwk } })],
    ["a private jwk", async () => tokenProof(key, { header: { jwk: await exportJWK(key.privateKey) } })],
    ["a symmetric key", async () => tokenProof(key, { header: { jwk: { kty: "oct", k: "c2VjcmV0" } } })],
    ["no signature", async () => `${(await tokenProof()).split(".").slice(0, 2).join(".")}.`],
    ["something else", async () => "not a proof"],
    ["a huge proof", signed({ padding: "x".repeat(9_000) }, {})],
  ])("refuses a token request whose proof has %s", async (_, made) => {
    const form = { grant_type: "client_credentials", scope: "openid" };
    const { status, body } = await token(form, "ci", await made());
    expect([status, body.error]).toEqual([400, "invalid_dpop_proof"]);
    expect(String(body.error_description)).toMatch(/^[\x20-\x21\x23-\x5b\x5d-\x7e]+$/);
  });

  it.each(["ES256", "PS256", "EdDSA", "RS256"])("accepts proofs signed with %s", async (alg) => {
    const { body } = await token(
      { grant_type: "client_credentials", scope: "openid" },
      "ci",
      await tokenProof(await newKey(alg)),
    );
    expect(body.token_type).toBe("DPoP");
  });

  it("accepts one of many requests with the same proof at the same time", async () => {
    const same = await tokenProof();
    const form = { grant_type: "client_credentials", scope: "openid" };
    const answers = await Promise.all(Array.from({ length: 8 }, () => token(form, "ci", same)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  if (!ruleDatabases.includes(kind)) return; // what follows are rules above storage
  it("requires a proof from an app whose tokens must be bound", async () => {
    const form = await codeFor("bound");
    const refused = await token(form, "bound");
    expect([refused.status, refused.body.error]).toEqual([400, "invalid_dpop_proof"]);
    expect((await token(form, "bound", await tokenProof())).body.token_type).toBe("DPoP");
  });

  it("binds refresh tokens of public clients to the key, and those of others to the client", async () => {
    const spa = (await token(await codeFor("spa"), "spa", await tokenProof())).body;
    const refresh = (refresh_token: string) => ({ grant_type: "refresh_token", refresh_token });
    expect((await token(refresh(spa.refresh_token), "spa")).body.error).toBe("invalid_grant");
    expect((await token(refresh(spa.refresh_token), "spa", await tokenProof(other))).body.error).toBe("invalid_grant");
    const renewed = await token(refresh(spa.refresh_token), "spa", await tokenProof());
    expect([renewed.status, renewed.body.token_type]).toEqual([200, "DPoP"]);
    const web = await boundToken();
    const moved = await token(refresh(web.refresh_token), "web", await tokenProof(other));
    expect([moved.status, moved.body.token_type]).toEqual([200, "DPoP"]);
    expect(
      (await ask("DPoP", moved.body.access_token, await resourceProof(other, moved.body.access_token))).status,
    ).toBe(200);
  });

  it("redeems a code only with the key of dpop_jkt", async () => {
    const form = await codeFor("web", { dpop_jkt: key.jkt });
    expect((await token(form, "web")).body.error).toBe("invalid_grant");
    expect((await token(form, "web", await tokenProof(other))).body.error).toBe("invalid_grant");
    expect((await token(form, "web", await tokenProof())).status).toBe(200);
    const malformed = answerOf(await service.browser().get(authorizePath({ dpop_jkt: "short" })));
    expect(malformed.get("error")).toBe("invalid_request");
  });

  it("binds the code to the key of the proof of a pushed request", async () => {
    const { verifier, challenge } = pkcePair();
    const parameters = Object.fromEntries(
      new URL(authorizePath({ code_challenge: challenge, code_challenge_method: "S256" }), BASE_URL).searchParams,
    );
    const push = async (more: Record<string, string>, by: Key) =>
      post(
        "/oauth/v2/par",
        { ...parameters, ...more },
        { authorization: basic("web", SECRET), dpop: await proof(by, "POST", "/oauth/v2/par") },
      );
    const mismatch = await push({ dpop_jkt: other.jkt }, key);
    expect([mismatch.status, ((await mismatch.json()) as Answer).error]).toEqual([400, "invalid_dpop_proof"]);
    const { request_uri } = (await (await push({}, key)).json()) as { request_uri: string };
    const browser = service.browser();
    const page = await browser.get(`/oauth/v2/authorize?${new URLSearchParams({ client_id: "web", request_uri })}`);
    const code = answerOf(await fillSignIn(browser, page)).get("code") ?? "";
    const form = { grant_type: "authorization_code", code, redirect_uri: REDIRECT_URI, code_verifier: verifier };
    expect((await token(form, "web", await tokenProof(other))).body.error).toBe("invalid_grant");
    expect((await token(form, "web", await tokenProof())).status).toBe(200);
  });

  it("asks an app that requires it for a nonce, without using up the code", async () => {
    const form = await codeFor("nonce");
    const first = await token(form, "nonce", await tokenProof());
    expect([first.status, first.body.error]).toEqual([400, "use_dpop_nonce"]);
    const nonce = first.headers.get("dpop-nonce") ?? "";
    const forged = await token(form, "nonce", await tokenProof(key, { claims: { nonce: altered(nonce) } }));
    expect(forged.body.error).toBe("use_dpop_nonce");
    const answer = await token(form, "nonce", await tokenProof(key, { claims: { nonce } }));
    expect(answer.status).toBe(200);
    const again = { grant_type: "refresh_token", refresh_token: answer.body.refresh_token };
    expect((await token(again, "nonce", await tokenProof(key, { claims: { nonce } }))).status).toBe(200);
  });

  it("guards the management APIs with the proof of a bound token", async () => {
    const form = { grant_type: "client_credentials", scope: `openid ${MANAGEMENT}` };
    const { access_token } = (await token(form, "ci", await tokenProof())).body;
    const path = "/management/v1/orgs/me";
    const call = async (scheme: string, dpop?: string) => {
      const headers = { authorization: `${scheme} ${access_token}`, ...(dpop === undefined ? {} : { dpop }) };
      const response = await service.fetch(path, { headers });
      return { status: response.status, challenge: response.headers.get("www-authenticate") };
    };
    const good = await proof(key, "GET", path, { token: access_token });
    expect((await call("DPoP", good)).status).toBe(200);
    const refused = (error: string) => ({ status: 401, challenge: expect.stringMatching(`^DPoP .*error="${error}"`) });
    expect(await call("DPoP", good)).toEqual(refused("invalid_dpop_proof"));
    expect(await call("Bearer")).toEqual(refused("invalid_token"));
    expect((await call("DPoP", await proof(other, "GET", path, { token: access_token }))).status).toBe(401);
  });
});
