import { decodeProtectedHeader, SignJWT } from "jose";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { tokenHash } from "../protocol/dpop";
import { asAlgorithm, type ClientKey, newClientKey } from "../testing/client-keys";
import { ruleDatabases } from "../testing/database";
import { exampleBootstrap } from "../testing/example";
import { answerOf, authorizePath, fillSignIn, pkcePair, REDIRECT_URI } from "../testing/flow";
import { BASE_URL, type TestService, testService } from "../testing/test-context";

const ASSERTION_TYPE = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer";
const [acme] = exampleBootstrap.organizations;

type ProofOptions = { by?: ClientKey; alg?: string; method?: string; token?: string };
type Answer = Record<string, string | undefined>;

describe.each(ruleDatabases)("An app with the profile FAPI 2.0 on %s", (kind) => {
  let service: TestService;
  let key: ClientKey;
  let rsa: ClientKey;
  let dpopKey: ClientKey;

  beforeAll(async () => {
    [key, rsa, dpopKey] = [await newClientKey("ES256"), await newClientKey("PS256"), await newClientKey("ES256")];
    const publicKeys = [key, rsa].map(({ jwk, kid }) => ({ ...jwk, kid, use: "sig" }));
    const oidc = {
      redirectUris: [REDIRECT_URI],
      grantTypes: ["OIDC_GRANT_TYPE_AUTHORIZATION_CODE", "OIDC_GRANT_TYPE_REFRESH_TOKEN"],
      authMethodType: "OIDC_AUTH_METHOD_TYPE_PRIVATE_KEY_JWT",
      // What the profile excludes, whatever is set here.
      legacyAssertionAudience: true,
      allowAssertionReuse: true,
      idTokenSignedResponseAlg: "RS256",
      profile: "PROFILE_FAPI2",
      jwks: { keys: publicKeys },
    };
    const apps = [{ id: "a-bank", name: "Bank", oidc: { clientId: "bank", ...oidc } }];
    service = await testService(kind, {
      organizations: [{ ...acme, projects: [{ id: "p1", name: "Bank", apps }] }],
    });
  });
  afterAll(() => service.close());

  const now = () => Math.floor(service.ctx.clock() / 1000);
  const assertion = (claims: object = {}, by = key, alg = by.alg) =>
    new SignJWT({ iss: "bank", sub: "bank", aud: BASE_URL, jti: crypto.randomUUID(), exp: now() + 60, ...claims })
      .setProtectedHeader({ alg, kid: by.kid })
      .sign(by.privateKey);
  const proof = (path: string, { by = dpopKey, alg, method = "POST", token = "" }: ProofOptions = {}) =>
    new SignJWT({
      jti: crypto.randomUUID(),
      htm: method,
      htu: `${BASE_URL}${path}`,
      iat: now(),
      ...(token === "" ? {} : { ath: tokenHash(token) }),
    })
      .setProtectedHeader({ typ: "dpop+jwt", alg: alg ?? by.alg, jwk: by.jwk })
      .sign(by.privateKey);

  const post = async (path: string, form: Record<string, string>, signed?: string, dpop?: string) => {
    const credentials = { client_assertion_type: ASSERTION_TYPE, client_assertion: signed ?? (await assertion()) };
    const response = await service.fetch(path, {
      method: "POST",
      body: new URLSearchParams({ client_id: "bank", ...credentials, ...form }),
      headers: dpop === undefined ? {} : { dpop },
    });
    return { status: response.status, body: (await response.json()) as Answer };
  };
  const request = (more: Record<string, string> = {}) => {
    const { challenge, verifier } = pkcePair();
    const pkce = { code_challenge: challenge, code_challenge_method: "S256" };
    const parameters = { response_type: "code", redirect_uri: REDIRECT_URI, scope: "openid offline_access" };
    return { verifier, form: { ...parameters, ...pkce, state: "s", ...more } };
  };
  const push = async (form: Record<string, string>) =>
    (await post("/oauth/v2/par", form)).body.request_uri ?? "not pushed";
  const codeOf = async (form: Record<string, string>) => {
    const pushed = { client_id: "bank", request_uri: await push(form) };
    const browser = service.browser();
    const page = await browser.get(`/oauth/v2/authorize?${new URLSearchParams(pushed)}`);
    return answerOf(await fillSignIn(browser, page)).get("code") ?? "";
  };
  const tokenForm = (code: string, verifier: string) => ({
    grant_type: "authorization_code",
    code,
    redirect_uri: REDIRECT_URI,
    code_verifier: verifier,
  });
  const tokens = async () => {
    const { form, verifier } = request();
    return post("/oauth/v2/token", tokenForm(await codeOf(form), verifier), undefined, await proof("/oauth/v2/token"));
  };

  it("gets bound tokens and an ID token that is not signed with RS256", async () => {
    const { status, body } = await tokens();
    expect([status, body.token_type]).toEqual([200, "DPoP"]);
    expect(decodeProtectedHeader(body.id_token ?? "").alg).toBe("ES256");
  });

  it("is refused without a pushed request", async () => {
    const { form } = request();
    const answer = answerOf(await service.browser().get(authorizePath({ client_id: "bank", ...form })));
    expect([answer.get("error"), answer.get("state")]).toEqual(["invalid_request", "s"]);
  });

  it("is refused without a code_challenge", async () => {
    const { code_challenge, code_challenge_method, ...form } = request().form;
    expect(await post("/oauth/v2/par", form)).toMatchObject({ status: 400, body: { error: "invalid_request" } });
  });

  it("is refused at the pushed request with another response type than code", async () => {
    const { form } = request({ response_type: "id_token", nonce: "n" });
    expect(await post("/oauth/v2/par", form)).toMatchObject({ status: 400, body: { error: "unauthorized_client" } });
  });

  it("is refused without a proof of a key", async () => {
    const { form, verifier } = request();
    const answer = await post("/oauth/v2/token", tokenForm(await codeOf(form), verifier));
    expect(answer).toMatchObject({ status: 400, body: { error: "invalid_dpop_proof" } });
  });

  it("gets invalid_grant without a code_verifier", async () => {
    const { form, verifier } = request();
    const { code_verifier, ...without } = tokenForm(await codeOf(form), verifier);
    const answer = await post("/oauth/v2/token", without, undefined, await proof("/oauth/v2/token"));
    expect(answer).toMatchObject({ status: 400, body: { error: "invalid_grant" } });
  });

  it.each([
    ["for the pushed request endpoint", { aud: `${BASE_URL}/oauth/v2/par` }],
    ["for the token endpoint", { aud: `${BASE_URL}/oauth/v2/token` }],
    ["whose audience is an array", { aud: [BASE_URL] }],
    ["without a jti", { jti: undefined }],
  ])("is refused with an assertion %s", async (_, claims) => {
    const answer = await post("/oauth/v2/par", request().form, await assertion(claims));
    expect(answer).toMatchObject({ status: 401, body: { error: "invalid_client" } });
  });

  it("is refused with an assertion signed with RS256, and accepted with PS256 of the same key", async () => {
    const pkcs1 = await asAlgorithm(rsa, "RS256");
    const refused = await post("/oauth/v2/par", request().form, await assertion({}, pkcs1, "RS256"));
    expect(refused).toMatchObject({ status: 401, body: { error: "invalid_client" } });
    expect((await post("/oauth/v2/par", request().form, await assertion({}, rsa))).status).toBe(201);
  });

  it("is refused with a proof signed with RS256, at the token endpoint and at userinfo", async () => {
    const pkcs1 = await asAlgorithm(rsa, "RS256");
    const { form, verifier } = request();
    const form2 = tokenForm(await codeOf(form), verifier);
    const weak = await proof("/oauth/v2/token", { by: pkcs1, alg: "RS256" });
    expect((await post("/oauth/v2/token", form2, undefined, weak)).body.error).toBe("invalid_dpop_proof");
    const { body } = await post("/oauth/v2/token", form2, undefined, await proof("/oauth/v2/token", { by: rsa }));
    const token = body.access_token ?? "";
    const ask = async (by: ClientKey, alg: string) => {
      const dpop = await proof("/oidc/v1/userinfo", { by, alg, method: "GET", token });
      return (await service.fetch("/oidc/v1/userinfo", { headers: { authorization: `DPoP ${token}`, dpop } })).status;
    };
    expect([await ask(pkcs1, "RS256"), await ask(rsa, "PS256")]).toEqual([401, 200]);
  });

  it("keeps its refresh token, which works again long after a use, and with another key", async () => {
    const { refresh_token = "" } = (await tokens()).body;
    const refresh = async (by: ClientKey) => {
      const form = { grant_type: "refresh_token", refresh_token };
      return post("/oauth/v2/token", form, undefined, await proof("/oauth/v2/token", { by }));
    };
    const first = await refresh(dpopKey);
    expect([first.status, first.body.refresh_token]).toEqual([200, refresh_token]);
    service.advance(60_000);
    expect((await refresh(await newClientKey("ES256"))).status).toBe(200);
  });
});
