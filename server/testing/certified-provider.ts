/**
 * Runs npm oidc-provider, which is certified, in place of the service: the tests of the conformance plans run against
 * it too, and a test that fails there is wrong. It gets our addresses, apps and users; its pages are replaced by
 * minimal ones with the steps of ours.
 */
import { generateKeyPairSync } from "node:crypto";
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { vi } from "vitest";
import { SINGLE_FACTOR } from "../protocol/authentication-context";
import { exampleBootstrap, SECRET } from "./example";
import { BASE_URL, type ProtocolService, type TestBrowser, testBrowser } from "./test-context";

/**
 * A name that is not a literal, so that TypeScript does not look up the package, which has no types. The used parts
 * are declared below.
 */
const NAME: string = "oidc-provider";

interface Provider {
  proxy: boolean;
  callback(): RequestListener;
  interactionDetails(request: IncomingMessage, response: ServerResponse): Promise<{ prompt: { name: string } }>;
  interactionFinished(request: IncomingMessage, response: ServerResponse, result: object, how?: object): Promise<void>;
}

interface Authorization {
  oidc: {
    provider: { Grant: new (whose: object) => Grant };
    client: { clientId: string };
    session: { accountId: string };
  };
}

interface Grant {
  addOIDCScope(scope: string): void;
  addOIDCClaims(names: readonly string[]): void;
  save(): Promise<string>;
}

const [ada] = exampleBootstrap.organizations[0]?.users ?? [];
const SCOPES = {
  profile: { ...ada?.claims, name: ada?.profile.displayName, given_name: ada?.profile.firstName },
  email: ada?.email && { email: ada.email.email, email_verified: ada.email.isEmailVerified },
  phone: ada?.phone && { phone_number: ada.phone.phone, phone_number_verified: true },
  address: { address: ada?.address },
};
const MORE_PROFILE = {
  family_name: "Lovelace",
  nickname: "Countess",
  preferred_username: "ada@acme.test",
  gender: "female",
  locale: "en",
  updated_at: 1_700_000_000,
};

function client(id: string, method: string, responseTypes: readonly string[]) {
  const returns = (word: string) => responseTypes.some((type) => type.split(" ").includes(word));
  return {
    client_id: id,
    ...(method === "none" ? {} : { client_secret: SECRET }),
    token_endpoint_auth_method: method,
    response_types: responseTypes,
    grant_types: [
      ...(returns("code") ? ["authorization_code", "refresh_token"] : []),
      ...(responseTypes.every((type) => type === "code") ? [] : ["implicit"]),
    ],
    redirect_uris: ["https://rp.test/cb"],
    post_logout_redirect_uris: ["https://rp.test/bye"],
    require_auth_time: true,
    default_acr_values: [SINGLE_FACTOR],
  };
}

/** A running oidc-provider; its clock is that of the process, which `advance` moves. */
export async function certifiedProvider(): Promise<ProtocolService> {
  const remarks = [vi.spyOn(console, "warn"), vi.spyOn(console, "info")]; // about the needs of a production deployment
  for (const remark of remarks) remark.mockImplementation(() => {});
  const { Provider } = (await import(/* @vite-ignore */ NAME)) as {
    Provider: new (issuer: string, configuration: object) => Provider;
  };
  const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const profile = { ...SCOPES.profile, ...MORE_PROFILE };
  const provider = new Provider(BASE_URL, {
    clients: [
      client("web", "client_secret_basic", ["code"]),
      client("post", "client_secret_post", ["code"]),
      client("implicit", "none", ["id_token", "id_token token"]),
      client("hybrid", "client_secret_basic", ["code id_token", "code token", "code id_token token"]),
    ],
    responseTypes: ["code", "id_token", "id_token token", "code id_token", "code token", "code id_token token"],
    acrValues: [SINGLE_FACTOR],
    jwks: { keys: [{ ...privateKey.export({ format: "jwk" }), kid: "peer", alg: "RS256", use: "sig" }] },
    cookies: { keys: ["a key of one run of the tests"], long: { sameSite: "none" } },
    enableHttpPostMethods: true,
    routes: {
      authorization: "/oauth/v2/authorize",
      token: "/oauth/v2/token",
      jwks: "/oauth/v2/keys",
      userinfo: "/oidc/v1/userinfo",
      end_session: "/oidc/v1/end_session",
    },
    claims: {
      openid: ["sub"],
      profile: Object.keys(profile),
      email: ["email", "email_verified"],
      phone: ["phone_number", "phone_number_verified"],
      address: ["address"],
    },
    features: { devInteractions: { enabled: false }, claimsParameter: { enabled: true } },
    pkce: { required: () => false },
    interactions: { url: (_: unknown, { uid }: { uid: string }) => `${BASE_URL}/login?flow=${uid}` },
    findAccount: (_: unknown, id: string) => ({
      accountId: id,
      claims: () => ({ sub: id, ...profile, ...SCOPES.email, ...SCOPES.phone, ...SCOPES.address }),
    }),
    loadExistingGrant: grantEverything,
    renderError: (ctx: { type: string; body: string }, { error }: { error: string }) => {
      ctx.type = "html";
      ctx.body = error;
    },
  });
  provider.proxy = true; // behind the proxy of the tests
  const answer = provider.callback();
  const server = createServer((request, response) => {
    if (!request.url?.startsWith("/login")) answer(request, response);
    else signInPage(provider, request, response).catch(() => response.writeHead(500).end());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  vi.useFakeTimers({ toFake: ["Date"] });
  const send = (path: string, init: RequestInit = {}) => {
    const headers = new Headers(init.headers);
    headers.set("x-forwarded-host", new URL(BASE_URL).host);
    headers.set("x-forwarded-proto", "http");
    const { pathname, search } = new URL(path, BASE_URL);
    return fetch(`${origin}${pathname}${search}`, { redirect: "manual", ...init, headers });
  };
  return {
    ctx: { clock: () => Date.now() },
    advance: (ms) => void vi.setSystemTime(Date.now() + ms),
    fetch: send,
    browser: () => walkingBrowser(send),
    close: async () => {
      vi.useRealTimers();
      for (const remark of remarks) remark.mockRestore();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Grants everything that is requested, because ours does not ask for consent. */
async function grantEverything({ oidc }: Authorization): Promise<Grant> {
  const grant = new oidc.provider.Grant({ clientId: oidc.client.clientId, accountId: oidc.session.accountId });
  grant.addOIDCScope("openid profile email address phone offline_access");
  grant.addOIDCClaims(["name"]);
  await grant.save();
  return grant;
}

/** Serves the page and handles its form. Consent that a client requests is given. */
async function signInPage(provider: Provider, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { prompt } = await provider.interactionDetails(request, response);
  if (request.method === "POST") {
    await provider.interactionFinished(request, response, { login: { accountId: ada?.id, acr: SINGLE_FACTOR } });
  } else if (prompt.name === "consent") {
    await provider.interactionFinished(request, response, { consent: {} }, { mergeWithLastSubmission: true });
  } else {
    response.writeHead(200, { "content-type": "text/html" }).end('<input name="password">');
  }
}

/**
 * Returns a browser that takes the further steps of this provider where ours has one, and finds its logout page at our
 * address.
 */
function walkingBrowser(send: ProtocolService["fetch"]): TestBrowser {
  const browser = testBrowser(send);
  const confirmLogout = async (xsrf: string) => {
    const done = await browser.post("/oidc/v1/end_session/confirm", { xsrf, logout: "yes" });
    const location = done.headers.get("location") ?? "";
    return redirect(location.includes("/end_session/success") ? `${BASE_URL}/logout/done` : location);
  };
  return {
    ...browser,
    get: async (path, headers = {}) => {
      const { pathname, searchParams } = new URL(path, BASE_URL);
      if (pathname === "/logout") return new Response(`<input name="flow" value="${searchParams.get("flow")}">`);
      const response = await browser.get(path, { accept: "text/html", ...headers });
      if (pathname !== "/oidc/v1/end_session" || response.status !== 200) return response;
      const xsrf = /name="xsrf" value="([^"]+)"/.exec(await response.text())?.[1] ?? "";
      // This provider always asks, ours only without a hint; the standard permits both (RP-Initiated Logout §2).
      return searchParams.has("id_token_hint") ? confirmLogout(xsrf) : redirect(`${BASE_URL}/logout?flow=${xsrf}`);
    },
    post: async (path, form) => {
      if (path === "/logout/submit") return confirmLogout(form.flow ?? "");
      let response = await browser.post(path, form);
      while (path === "/login/submit") {
        const next = response.headers.get("location") ?? "";
        if (!next.startsWith(BASE_URL) && !next.startsWith("/")) break;
        response = await browser.get(next);
      }
      return response;
    },
  };
}

const redirect = (location: string) => new Response(null, { status: 303, headers: { location } });
