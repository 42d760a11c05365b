/**
 * The attacks that RFC 9700 §4, RFC 9449 §11 and RFC 9126 §7 list, in their order. An attacker uses what one process
 * issued at another one. What only a client or a resource can prevent is left out.
 */
import { SignJWT } from "jose";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { tokenHash } from "../protocol/dpop";
import { apiToken, callApi } from "../testing/api";
import { type ClientKey, newClientKey } from "../testing/client-keys";
import { ruleDatabases } from "../testing/database";
import { exampleBootstrap, SECRET } from "../testing/example";
import {
  answerOf,
  authorize,
  authorizePath,
  basic,
  errorOf,
  fillSignIn,
  onOf,
  pkcePair,
  REDIRECT_URI,
  type Tokens,
} from "../testing/flow";
import { anotherProcess, BASE_URL, type TestService, testService } from "../testing/test-context";

const code = { clientSecret: SECRET, redirectUris: [REDIRECT_URI, `${REDIRECT_URI}/2`] };
const apps = [
  { id: "a-nonce", name: "Nonce", oidc: { clientId: "nonce", ...code, dpopRequireNonce: true } },
  { id: "a-changed", name: "Changed", oidc: { clientId: "changed", ...code } },
];
const [acme] = exampleBootstrap.organizations;
const projects = (acme?.projects ?? []).map((one) => ({ ...one, apps: [...one.apps, ...apps] }));
const bootstrap = { organizations: [{ ...acme, projects }] };

type Form = Record<string, string>;
interface Sent {
  as?: string | null;
  headers?: Record<string, string>;
}

describe.each(ruleDatabases)("attacks with two processes on %s", (kind) => {
  let service: TestService;
  let other: TestService;
  let key: ClientKey;
  let stranger: ClientKey;
  beforeAll(async () => {
    service = await testService(kind, bootstrap);
    other = anotherProcess(service);
    [key, stranger] = [await newClientKey("ES256"), await newClientKey("ES256")];
  });
  afterAll(() => service.close());

  const post = (on: TestService, path: string, form: Form, { as = basic("web", SECRET), headers = {} }: Sent = {}) =>
    on.fetch(path, {
      method: "POST",
      body: new URLSearchParams(form),
      headers: { ...(as !== null && { authorization: as }), ...headers },
    });
  const token = (on: TestService, form: Form, sent?: Sent) => post(on, "/oauth/v2/token", form, sent);
  const redeem = (on: TestService, issued: string | null, more: Form = {}, sent?: Sent) =>
    token(on, { grant_type: "authorization_code", code: issued ?? "", redirect_uri: REDIRECT_URI, ...more }, sent);
  const codeFor = async (parameters: Partial<Form> = {}) =>
    (await authorize(service.browser(), parameters)).get("code");
  const refused = async (response: Response, error: string, status = 400) =>
    expect(await errorOf(response)).toEqual({ status, error });
  const opened = (on: TestService, parameters: Partial<Form>) => on.browser().get(authorizePath(parameters));
  const isPage = (response: Response) =>
    expect([response.status, response.headers.get("location")]).toEqual([400, null]);
  const isRefused = (response: Response, error: string) => expect(answerOf(response).get("error")).toBe(error);
  const now = () => Math.floor(service.ctx.clock() / 1000);
  const proof = (path: string, claims: object = {}, { by = key, header = {}, htm = "POST" } = {}) =>
    new SignJWT({ jti: crypto.randomUUID(), htm, htu: `${BASE_URL}${path}`, iat: now(), ...claims })
      .setProtectedHeader({ typ: "dpop+jwt", alg: by.alg, jwk: by.jwk, ...header })
      .sign(by.privateKey);
  const proven = async (claims: object = {}, more: Parameters<typeof proof>[2] = {}): Promise<Sent> => ({
    headers: { dpop: await proof("/oauth/v2/token", claims, more) },
  });
  const userinfo = async (on: TestService, access: string, by = key) => {
    const dpop = await proof("/oidc/v1/userinfo", { ath: tokenHash(access) }, { by, htm: "GET" });
    return on.fetch("/oidc/v1/userinfo", { headers: { authorization: `DPoP ${access}`, dpop } });
  };
  const tokensOf = async (response: Response) => (await response.json()) as Tokens;
  const push = async (client: string, more: Form = {}) => {
    const wanted = Object.fromEntries(new URL(authorizePath({ client_id: client, ...more }), BASE_URL).searchParams);
    return post(service, "/oauth/v2/par", wanted, { as: basic(client, SECRET) });
  };
  const pushed = async (client = "web") => ((await (await push(client)).json()) as { request_uri: string }).request_uri;
  const open = (on: TestService, request_uri: string, client_id = "web", browser = on.browser()) =>
    browser.get(`/oauth/v2/authorize?${new URLSearchParams({ client_id, request_uri })}`);

  describe("RFC 9700 §4", () => {
    it("4.1 redirect URI: an address that is only similar is shown an error, and gets none", async () => {
      for (const redirect_uri of [`${REDIRECT_URI}/`, `${REDIRECT_URI}?x=1`, "https://rp.test.evil/cb"]) {
        isPage(await opened(other, { redirect_uri }));
      }
      await refused(await redeem(other, await codeFor(), { redirect_uri: `${REDIRECT_URI}/2` }), "invalid_grant");
    });

    it("4.2, 4.16 leaks by Referer, and clickjacking: pages send no address and cannot be framed", async () => {
      const { headers } = await other.browser().get(onOf(await opened(service, {})));
      expect(headers.get("referrer-policy")).toMatch(/no-referrer|same-origin/);
      expect(headers.get("content-security-policy")).toContain("frame-ancestors 'none'");
    });

    it("4.3 browser history: no token is sent in a query, and a code counts once", async () => {
      const implicit = { client_id: "implicit", response_type: "id_token token", response_mode: "query" };
      isRefused(await opened(other, implicit), "invalid_request");
      const issued = await codeFor();
      const { access_token } = await tokensOf(await redeem(service, issued));
      await refused(await redeem(other, issued), "invalid_grant");
      const bearer = { headers: { authorization: `Bearer ${access_token}` } };
      expect((await other.fetch("/oidc/v1/userinfo", bearer)).status).toBe(401);
    });

    it("4.4, 4.7 mix-up and CSRF: responses and errors name the issuer, and return state", async () => {
      const error = answerOf(await opened(other, { prompt: "none", state: "mine" }));
      const success = await authorize(other.browser(), { state: "mine" });
      for (const sent of [error, success]) expect([sent.get("iss"), sent.get("state")]).toEqual([BASE_URL, "mine"]);
    });

    it("4.5 code injection: a code needs the verifier and the client that it was issued for", async () => {
      const [own, foreign] = [pkcePair(), pkcePair()];
      const asked = { code_challenge: own.challenge, code_challenge_method: "S256" };
      const wrong = { code_verifier: foreign.verifier };
      await refused(await redeem(other, await codeFor(asked), wrong), "invalid_grant");
      const as = basic("jwt-tokens", SECRET);
      await refused(
        await redeem(other, await codeFor(asked), { code_verifier: own.verifier }, { as }),
        "invalid_grant",
      );
    });

    it("4.6 token injection: what comes through the browser needs a nonce", async () => {
      const implicit = { client_id: "implicit", response_type: "id_token token", nonce: undefined };
      isRefused(await opened(other, implicit), "invalid_request");
    });

    it("4.8 PKCE downgrade: no verifier without a challenge, and no public client without PKCE", async () => {
      await refused(await redeem(other, await codeFor(), { code_verifier: pkcePair().verifier }), "invalid_grant");
      isRefused(await opened(other, { client_id: "spa" }), "invalid_request");
    });

    it("4.9, 4.10 stolen access tokens: a bound one is no bearer token, in any process", async () => {
      const { access_token } = await tokensOf(await redeem(service, await codeFor(), {}, await proven()));
      const bearer = { headers: { authorization: `Bearer ${access_token}` } };
      expect((await other.fetch("/oidc/v1/userinfo", bearer)).status).toBe(401);
      expect((await userinfo(other, access_token, stranger)).status).toBe(401);
      expect((await userinfo(other, access_token)).status).toBe(200);
    });

    it("4.11 open redirector: neither errors nor sign-out lead to an address that is not registered", async () => {
      isPage(await opened(other, { redirect_uri: "https://evil.test/", prompt: "none" }));
      const query = new URLSearchParams({ client_id: "web", post_logout_redirect_uri: "https://evil.test/" });
      const response = await other.browser().get(`/oidc/v1/end_session?${query}`);
      expect(response.headers.get("location") ?? "").not.toContain("evil.test");
    });

    it("4.12 307: the redirect after the password is 303", async () => {
      const browser = other.browser();
      expect((await fillSignIn(browser, await browser.get(authorizePath()))).status).toBe(303);
    });

    it("4.13 proxies: headers of a stranger change no address", async () => {
      const headers = { "x-forwarded-host": "evil.test", forwarded: "host=evil.test", "x-forwarded-proto": "http" };
      const response = await other.fetch("/.well-known/openid-configuration", { headers });
      expect(await response.text()).not.toContain("evil.test");
    });

    it("4.14 refresh tokens: the second use of a replaced one ends its family", async () => {
      const first = await tokensOf(await redeem(service, await codeFor()));
      const renew = (on: TestService, refresh_token: string) =>
        token(on, { grant_type: "refresh_token", refresh_token });
      const second = await tokensOf(await renew(service, first.refresh_token));
      const third = await tokensOf(await renew(service, second.refresh_token));
      service.advance(60_000);
      await refused(await renew(other, first.refresh_token), "invalid_grant");
      await refused(await renew(service, third.refresh_token), "invalid_grant");
    });

    it("4.15 clients as users: no client gets the id of a user", async () => {
      const asked = { token: await apiToken(service), body: { name: "Ada", clientId: "u-ada" } };
      const { status } = await callApi(other, "POST", "/management/v1/projects/p1/apps/oidc", asked);
      expect([400, 409]).toContain(status);
    });

    it("4.17 messages between windows: there is no such response mode", async () => {
      isRefused(await opened(other, { response_mode: "web_message" }), "invalid_request");
    });
  });

  describe("RFC 9449 §11", () => {
    it("11.1 replay: a proof that one process accepted is refused by the other", async () => {
      const { access_token } = await tokensOf(await redeem(service, await codeFor(), {}, await proven()));
      const dpop = await proof("/oidc/v1/userinfo", { ath: tokenHash(access_token) }, { htm: "GET" });
      const headers = { authorization: `DPoP ${access_token}`, dpop };
      expect((await service.fetch("/oidc/v1/userinfo", { headers })).status).toBe(200);
      expect((await other.fetch("/oidc/v1/userinfo", { headers })).status).toBe(401);
    });

    it("11.2 proofs made in advance: not from the future, and with a nonce of any process if the app asks", async () => {
      await refused(await redeem(other, await codeFor(), {}, await proven({ iat: now() + 61 })), "invalid_dpop_proof");
      const as = basic("nonce", SECRET);
      const issued = await codeFor({ client_id: "nonce" });
      const asked = await redeem(service, issued, {}, { ...(await proven()), as });
      const nonce = asked.headers.get("dpop-nonce") ?? "";
      const madeUp = `${nonce.slice(0, 20)}${nonce[20] === "A" ? "B" : "A"}${nonce.slice(21)}`;
      const refusal = await redeem(other, issued, {}, { ...(await proven({ nonce: madeUp })), as });
      await refused(refusal, "use_dpop_nonce");
      expect((await redeem(other, issued, {}, { ...(await proven({ nonce })), as })).status).toBe(200);
    });

    it("11.3 nonce downgrade: a proof without the nonce is refused, also after one with it", async () => {
      const sent = { ...(await proven()), as: basic("nonce", SECRET) };
      await refused(await redeem(other, await codeFor({ client_id: "nonce" }), {}, sent), "use_dpop_nonce");
    });

    it("11.5, 11.6 other JWTs and algorithms: a proof has its own type and an asymmetric signature", async () => {
      for (const header of [{ typ: "JWT" }, { typ: "at+jwt" }, { jwk: stranger.jwk }]) {
        await refused(await redeem(other, await codeFor(), {}, await proven({}, { header })), "invalid_dpop_proof");
      }
      const parts = [
        { typ: "dpop+jwt", alg: "none", jwk: key.jwk },
        { jti: "j", htm: "POST", iat: now() },
      ];
      const unsigned = `${parts.map((part) => Buffer.from(JSON.stringify(part)).toString("base64url")).join(".")}.`;
      await refused(await redeem(other, await codeFor(), {}, { headers: { dpop: unsigned } }), "invalid_dpop_proof");
    });

    it("11.7 other requests: a proof counts for one method and one address", async () => {
      for (const claims of [{ htm: "GET" }, { htu: `${BASE_URL}/oauth/v2/par` }]) {
        await refused(await redeem(other, await codeFor(), {}, await proven(claims)), "invalid_dpop_proof");
      }
    });

    it("11.8 to 11.10 keys: codes and tokens count only with the key that they are bound to", async () => {
      const issued = await codeFor({ dpop_jkt: key.kid });
      await refused(await redeem(other, issued, {}, await proven({}, { by: stranger })), "invalid_grant");
      isRefused(await opened(other, { dpop_jkt: "A".repeat(64) }), "invalid_request");
    });

    it("11.11 identity: the key does not replace the client, nor the client the key", async () => {
      const { challenge, verifier } = pkcePair();
      const spa = { client_id: "spa", code_challenge: challenge, code_challenge_method: "S256" };
      const own = { client_id: "spa", code_verifier: verifier };
      const first = await tokensOf(await redeem(service, await codeFor(spa), own, { ...(await proven()), as: null }));
      const form = { grant_type: "refresh_token", refresh_token: first.refresh_token };
      await refused(await token(other, form, await proven()), "invalid_grant");
      const byStranger = { ...(await proven({}, { by: stranger })), as: null };
      await refused(await token(other, { ...form, client_id: "spa" }, byStranger), "invalid_grant");
    });
  });

  describe("RFC 9126 §7", () => {
    it("7.1 guessing: a reference that was not issued is unknown", async () => {
      const issued = await pushed();
      isPage(await open(other, `${issued.slice(0, -4)}AAAA`));
      expect(Buffer.from(issued.slice(issued.lastIndexOf(":") + 1), "base64url").length).toBe(32);
    });

    it("7.2 open redirection: an address that is not registered cannot be pushed", async () => {
      await refused(await push("web", { redirect_uri: "https://evil.test/" }), "invalid_request");
    });

    it("7.3 replay: a reference is used up by its sign-in", async () => {
      const issued = await pushed();
      const browser = service.browser();
      const signedIn = await fillSignIn(browser, await open(service, issued, "web", browser));
      expect(answerOf(signedIn).get("code")).toBeTruthy();
      isPage(await open(other, issued));
    });

    it("7.4 changed policy: what was pushed is checked again when it is opened", async () => {
      const issued = await pushed("changed");
      const address = "/management/v1/projects/p1/apps/a-changed/oidc_config";
      const body = { redirectUris: [`${REDIRECT_URI}/2`] };
      expect((await callApi(service, "PUT", address, { token: await apiToken(service), body })).status).toBe(200);
      isPage(await open(other, issued, "changed"));
    });

    it("7.5 swapping: a reference counts only for the client that pushed it", async () => {
      isPage(await open(other, await pushed(), "jwt-tokens"));
    });
  });
});
