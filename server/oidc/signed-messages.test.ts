import {
  calculateJwkThumbprint,
  createLocalJWKSet,
  decodeProtectedHeader,
  exportJWK,
  generateKeyPair,
  type JSONWebKeySet,
  type JWTPayload,
  jwtVerify,
  SignJWT,
} from "jose";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ruleDatabases } from "../testing/database";
import { exampleBootstrap, SECRET } from "../testing/example";
import { answerOf, authorize, authorizePath, basic, fillSignIn, postToken, REDIRECT_URI } from "../testing/flow";
import { BASE_URL, type TestService, testService } from "../testing/test-context";

const [acme] = exampleBootstrap.organizations;
type Claims = Record<string, unknown>;

async function newKey(alg = "ES256") {
  const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true });
  const jwk = await exportJWK(publicKey);
  return { alg, privateKey, jwk, kid: await calculateJwkThumbprint(jwk) };
}

describe.each(ruleDatabases)("Signed messages on %s", (kind) => {
  let service: TestService;
  let key: Awaited<ReturnType<typeof newKey>>;

  beforeAll(async () => {
    key = await newKey();
    const shared = {
      clientSecret: SECRET,
      redirectUris: [REDIRECT_URI],
      jwks: { keys: [{ ...key.jwk, kid: key.kid }] },
    };
    const apps = [
      { name: "Signing", oidc: { clientId: "signing", ...shared, authorizationSignedResponseAlg: "ES256" } },
      { name: "Strict", oidc: { clientId: "strict", ...shared, requireSignedRequestObject: true } },
      { name: "Info", oidc: { clientId: "info", ...shared, userinfoSignedResponseAlg: "EdDSA" } },
      { name: "Plain", oidc: { clientId: "plain", clientSecret: SECRET, redirectUris: [REDIRECT_URI] } },
    ];
    service = await testService(kind, { organizations: [{ ...acme, projects: [{ id: "p1", name: "Shop", apps }] }] });
  });
  afterAll(() => service.close());

  const now = () => Math.floor(service.ctx.clock() / 1000);
  const object = (clientId: string, claims: Claims = {}, { by = key, header = {} } = {}) =>
    new SignJWT({
      iss: clientId,
      aud: BASE_URL,
      exp: now() + 60,
      nbf: now(),
      client_id: clientId,
      response_type: "code",
      redirect_uri: REDIRECT_URI,
      scope: "openid",
      state: "inside",
      ...claims,
    })
      .setProtectedHeader({ alg: by.alg, kid: by.kid, ...header })
      .sign(by.privateKey);
  const open = async (parameters: Record<string, string>) =>
    service.browser().get(`/oauth/v2/authorize?${new URLSearchParams(parameters)}`);
  /** Returns the error at the redirect URI, or the status of the page. */
  const refusalOf = async (response: Response) => answerOf(response).get("error") ?? response.status;
  const keySet = async () => createLocalJWKSet((await (await service.fetch("/oauth/v2/keys")).json()) as JSONWebKeySet);
  const verified = async (jwt: string, audience: string, typ = "JWT"): Promise<JWTPayload & Claims> =>
    (await jwtVerify(jwt, await keySet(), { issuer: BASE_URL, audience, typ })).payload;

  describe("request objects (RFC 9101)", () => {
    it("use the signed parameters only, and ignore those beside them", async () => {
      const browser = service.browser();
      const query = { client_id: "strict", request: await object("strict"), state: "outside", scope: "openid email" };
      const page = await browser.get(`/oauth/v2/authorize?${new URLSearchParams(query)}`);
      const answer = answerOf(await fillSignIn(browser, page));
      expect(answer.get("state")).toBe("inside");
      const form = { grant_type: "authorization_code", code: answer.get("code") ?? "", redirect_uri: REDIRECT_URI };
      const tokens = (await (await postToken(service, form, basic("strict", SECRET))).json()) as Claims;
      expect(tokens.scope).toBe("openid");
    });

    it("are opened when they are pushed (RFC 9126 §3)", async () => {
      const push = async (request: Record<string, string>) => {
        const headers = { authorization: basic("strict", SECRET) };
        const response = await service.fetch("/oauth/v2/par", {
          method: "POST",
          body: new URLSearchParams(request),
          headers,
        });
        return (await response.json()) as { request_uri?: string; error?: string };
      };
      expect((await push({ request: await object("strict") })).request_uri).toContain("urn:");
      const unsigned = { response_type: "code", redirect_uri: REDIRECT_URI, scope: "openid" };
      expect((await push(unsigned)).error).toBe("invalid_request_object");
    });

    it("are required of an app that says so, and the error is sent to its registered address", async () => {
      expect(await refusalOf(await service.browser().get(authorizePath({ client_id: "strict" })))).toBe(
        "invalid_request_object",
      );
    });

    it("are refused of a client without registered keys", async () => {
      const path = authorizePath({ client_id: "plain", request: await object("plain") });
      expect(await refusalOf(await service.browser().get(path))).toBe("request_not_supported");
    });

    const refused: [what: string, claims: Claims, header?: Record<string, string>][] = [
      ["of another client", { iss: "plain" }],
      ["with another client_id", { client_id: "plain" }],
      ["for another service", { aud: "https://other.test" }],
      ["that have expired", { exp: 1 }],
      ["from the future", { nbf: 99_999_999_999 }],
      ["that contain another one", { request: "x.y.z" }],
      ["that contain a reference", { request_uri: "https://rp.test/object" }],
      ["that could be a client assertion", { sub: "strict" }],
      ["of the type of a DPoP proof", {}, { typ: "dpop+jwt" }],
    ];
    it.each(refused)("%s are refused with invalid_request_object", async (_, claims, header = {}) => {
      const request = await object("strict", claims, { header });
      const response = await open({ client_id: "strict", redirect_uri: REDIRECT_URI, request });
      expect(await refusalOf(response)).toBe("invalid_request_object");
    });

    it("may leave out iss and aud (OIDC Core §6.1)", async () => {
      const request = await object("strict", { iss: undefined, aud: undefined });
      expect((await open({ client_id: "strict", request })).headers.get("location")).toContain("/login?flow=");
    });

    it("are refused on a page, and not redirected, if the address is only in an object that is not valid", async () => {
      const request = await object("strict", {}, { by: await newKey() });
      const response = await open({ client_id: "strict", request });
      expect([response.status, response.headers.get("location")]).toEqual([400, null]);
    });

    it("that are not signed are refused", async () => {
      const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
      const request = `${encode({ alg: "none" })}.${encode({ iss: "strict", aud: BASE_URL })}.`;
      const response = await open({ client_id: "strict", redirect_uri: REDIRECT_URI, request });
      expect(await refusalOf(response)).toBe("invalid_request_object");
    });
  });

  describe("authorization responses (JARM)", () => {
    it.each([
      ["jwt", "query"],
      ["query.jwt", "query"],
      ["fragment.jwt", "fragment"],
    ])("in the mode %s are a JWT in the %s", async (response_mode, where) => {
      const browser = service.browser();
      const page = await browser.get(authorizePath({ client_id: "signing", response_mode, state: "s" }));
      const url = new URL((await fillSignIn(browser, page)).headers.get("location") ?? "");
      const sent = new URLSearchParams(where === "query" ? url.search : url.hash.slice(1));
      expect([...sent.keys()]).toEqual(["response"]);
      const claims = await verified(sent.get("response") ?? "", "signing");
      expect(claims).toMatchObject({ state: "s", code: expect.any(String), iss: BASE_URL });
    });

    it("are signed for errors as well", async () => {
      const path = authorizePath({ client_id: "signing", response_mode: "jwt", prompt: "none" });
      const answer = answerOf(await service.browser().get(path));
      expect((await verified(answer.get("response") ?? "", "signing")).error).toBe("login_required");
    });

    it("are signed with RS256 for an app without an algorithm for them, as JARM §3 has it", async () => {
      const path = authorizePath({ client_id: "plain", response_mode: "jwt", prompt: "none" });
      const response = answerOf(await service.browser().get(path)).get("response") ?? "";
      expect(decodeProtectedHeader(response).alg).toBe("RS256");
      expect((await verified(response, "plain")).error).toBe("login_required");
    });
  });

  it("answers userinfo as a JWT if the app is set to it (OIDC Core §5.3.2)", async () => {
    const code = (await authorize(service.browser(), { client_id: "info" })).get("code") ?? "";
    const form = { grant_type: "authorization_code", code, redirect_uri: REDIRECT_URI };
    const { access_token } = (await (await postToken(service, form, basic("info", SECRET))).json()) as Claims;
    const response = await service.fetch("/oidc/v1/userinfo", { headers: { authorization: `Bearer ${access_token}` } });
    expect(response.headers.get("content-type")).toBe("application/jwt");
    expect((await verified(await response.text(), "info")).sub).toBe("u-ada");
  });

  it("signs introspection for a caller that accepts it (RFC 9701), also of a token that is not active", async () => {
    const response = await service.fetch("/oauth/v2/introspect", {
      method: "POST",
      body: new URLSearchParams({ token: "unknown" }),
      headers: { authorization: basic("plain", SECRET), accept: "application/token-introspection+jwt" },
    });
    expect(response.headers.get("content-type")).toBe("application/token-introspection+jwt");
    const claims = await verified(await response.text(), "plain", "token-introspection+jwt");
    expect(claims.token_introspection).toEqual({ active: false });
  });
});
