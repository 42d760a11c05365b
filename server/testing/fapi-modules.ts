/** The modules of the FAPI 2.0 plans of the conformance suite. Their names lack `fapi2-security-profile-final-`. */
import { decodeJwt, decodeProtectedHeader, type JWTPayload, UnsecuredJWT } from "jose";
import { expect } from "vitest";
import { asAlgorithm } from "./client-keys";
import { FAPI_CALLBACK, FAPI_PAR, FAPI_TOKEN, type FapiPlan } from "./fapi-plan";
import { answerOf, fillSignIn, flowOf } from "./flow";
import { BASE_URL } from "./test-context";

export type FapiModules = Record<string, (at: FapiPlan) => Promise<unknown>>;

/** Expects one of the errors that the suite permits. */
export const expectRefusal = (
  { status, body }: { status: number; body: Record<string, string> },
  ...errors: string[]
) =>
  expect([[400, 401].includes(status), errors.includes(body.error ?? "")], JSON.stringify(body)).toEqual([true, true]);

export const securityProfileModules: FapiModules = {
  async "happy-flow"(at) {
    for (const by of [at.client, at.client2]) {
      const { values, verifier } = await at.answered({ by });
      expect([values.get("state"), values.get("iss"), values.get("dummy1")]).toEqual([
        "st",
        BASE_URL,
        by === at.client ? null : "lorem",
      ]);
      const { body } = await at.redeem(values.get("code") ?? "", verifier, { by });
      expect(body.token_type).toBe(at.scheme);
      expect(decodeProtectedHeader(body.id_token ?? "").alg).not.toBe("RS256");
      expect(await at.userinfo(body.access_token ?? "", by)).toBe(200);
      expect(await at.userinfo(body.access_token ?? "", by === at.client ? at.client2 : at.client)).toBe(401);
    }
  },
  async "discovery-end-point-verification"(at) {
    const discovery = await (await at.service.fetch("/.well-known/openid-configuration")).json();
    expect(discovery).toMatchObject({
      authorization_response_iss_parameter_supported: true,
      pushed_authorization_request_endpoint: `${BASE_URL}${FAPI_PAR}`,
      response_types_supported: expect.arrayContaining(["code"]),
      token_endpoint_auth_methods_supported: expect.arrayContaining(["private_key_jwt"]),
      code_challenge_methods_supported: expect.arrayContaining(["S256"]),
      dpop_signing_alg_values_supported: expect.arrayContaining(["ES256", "PS256"]),
      id_token_signing_alg_values_supported: expect.arrayContaining(["ES256"]),
      token_endpoint_auth_signing_alg_values_supported: expect.arrayContaining(["ES256", "PS256"]),
      scopes_supported: expect.arrayContaining(["openid"]),
    });
  },
  async "user-rejects-authentication"(at) {
    const state = "s".repeat(128);
    const { body } = await at.push({ by: at.client2, form: { state } });
    const { page, browser } = await at.open(body.request_uri, { client_id: at.client2.id });
    const response = await browser.post("/login/cancel", { flow: flowOf(page), cancel: "1" });
    const {
      error_description: _,
      response: __,
      ...values
    } = Object.fromEntries(await at.received(response, at.client2));
    expect(values).toEqual({ error: "access_denied", state, iss: BASE_URL, dummy1: "lorem", dummy2: "ipsum" });
  },
  async "ensure-authorization-request-without-state-success"(at) {
    expect((await at.answered({ form: { state: undefined } })).values.has("state")).toBe(false);
  },
  async "ensure-authorization-request-without-nonce-success"(at) {
    expect((await at.answered({ form: { nonce: undefined } })).values.get("code")).toBeTruthy();
  },
  async "ensure-authorization-request-with-64-char-nonce-success, -with-long-nonce"(at) {
    for (const nonce of ["n".repeat(64), "n".repeat(384)]) {
      const { body } = await at.redeemed({}, { form: { nonce } });
      expect(decodeJwt(body.id_token ?? "").nonce).toBe(nonce);
    }
  },
  async "ensure-authorization-request-with-long-state"(at) {
    const state = "s".repeat(1000);
    expect((await at.answered({ form: { state } })).values.get("state")).toBe(state);
  },
  async "ensure-other-scope-order-succeeds"(at) {
    const { body } = await at.redeemed({}, { form: { scope: "offline_access openid" } });
    expect([body.scope?.split(" ").sort(), body.id_token]).toEqual([["offline_access", "openid"], expect.any(String)]);
  },
  async "test-claims-parameter-identity-claims"(at) {
    const wish = { name: { essential: true }, email: null, given_name: { value: "Ada" }, no_such_claim: null };
    const claims = JSON.stringify({ id_token: { ...wish, acr: null }, userinfo: wish });
    const { body } = await at.redeemed({}, { form: { claims } });
    const { name, email, given_name } = decodeJwt(body.id_token ?? "");
    expect([name, email, given_name]).toEqual(["Ada Lovelace", "ada@acme.test", "Ada"]);
  },
  async "ensure-different-nonce-inside-and-outside-request-object"(at) {
    const { values, verifier } = await at.answered({}, { nonce: "outside" });
    const { body } = await at.redeem(values.get("code") ?? "", verifier);
    expect(decodeJwt(body.id_token ?? "").nonce).toBe("n");
  },
  async "ensure-different-state-inside-and-outside-request-object"(at) {
    expect((await at.answered({}, { state: "outside" })).values.get("state")).toBe("st");
  },
  async "state-only-outside-request-object-not-used"(at) {
    expect((await at.answered({ form: { state: undefined } }, { state: "outside" })).values.has("state")).toBe(false);
  },
  "ensure-request-object-without-redirect-uri-fails, ensure-redirect-uri-in-authorization-request": async (at) =>
    expectRefusal(await at.push({ form: { redirect_uri: undefined } }), "invalid_request"),
  "plain-fapi-tolerate-unregistered-redirect-uri": async (at) =>
    expectRefusal(await at.push({ form: { redirect_uri: "https://suite.test/unknown" } }), "invalid_request"),
  async "ensure-response-type-code-idtoken-fails, ensure-response-type-token-fails"(at) {
    for (const response_type of ["code id_token", "token"]) {
      const errors = ["unsupported_response_type", "unauthorized_client", "invalid_request"];
      expectRefusal(await at.push({ form: { response_type } }), ...errors);
    }
  },
  async "ensure-unsigned-authorization-request-without-using-par-fails"(at) {
    const query = new URLSearchParams({
      client_id: "client",
      response_type: "code",
      redirect_uri: FAPI_CALLBACK,
      scope: "openid",
    });
    const response = await at.service.browser().get(`/oauth/v2/authorize?${query}`);
    expect(answerOf(response).get("error")).toBe("invalid_request");
  },
  "ensure-client-id-in-token-endpoint": async (at) =>
    expectRefusal(await at.redeemed({ by: at.client2, signedBy: at.client.key }), "invalid_client"),
  "ensure-holder-of-key-required": async (at) =>
    expectRefusal(await at.redeemed({ bound: false }), "invalid_request", "invalid_grant", "invalid_dpop_proof"),
  async "ensure-authorization-code-is-bound-to-client"(at) {
    const { values, verifier } = await at.answered();
    expectRefusal(
      await at.redeem(values.get("code") ?? "", verifier, { by: at.client2, form: { redirect_uri: FAPI_CALLBACK } }),
      "invalid_grant",
    );
  },
  async "attempt-reuse-authorization-code-after-one-second"(at) {
    const { values, verifier } = await at.answered();
    const code = values.get("code") ?? "";
    const { body } = await at.redeem(code, verifier);
    at.service.advance(1_000);
    expectRefusal(await at.redeem(code, verifier), "invalid_grant");
    expect(await at.userinfo(body.access_token ?? "")).toBe(401);
  },
  async "ensure-token-endpoint-fails-with-expired-auth-code"(at) {
    const { values, verifier } = await at.answered();
    at.service.advance(62_000);
    expectRefusal(await at.redeem(values.get("code") ?? "", verifier), "invalid_grant");
  },
  "ensure-signed-client-assertion-with-RS256-fails": async (at) => {
    expectRefusal(await at.push({ signedBy: await asAlgorithm(at.rsa, "RS256") }), "invalid_client");
  },
  "ensure-client-assertion-in-token-endpoint": async (at) =>
    expectRefusal(
      await at.redeemed({ form: { client_assertion: undefined, client_assertion_type: undefined } }),
      "invalid_client",
      "invalid_request",
    ),
  "ensure-client-assertion-with-exp-is-5-minutes-in-past-fails": async (at) =>
    expectRefusal(await at.push({ claims: { exp: at.now() - 300 } }), "invalid_client"),
  "ensure-client-assertion-with-wrong-aud-fails": async (at) =>
    expectRefusal(await at.push({ claims: { aud: "https://other.test" } }), "invalid_client"),
  "ensure-client-assertion-with-no-sub-fails": async (at) =>
    expectRefusal(await at.push({ claims: { sub: undefined } }), "invalid_client", "invalid_request"),
  "par-test-array-as-audience-fails": async (at) =>
    expectRefusal(await at.push({ claims: { aud: [BASE_URL, "https://other.test"] } }), "invalid_client"),
  "par-test-par-endpoint-url-as-audience-fails": async (at) =>
    expectRefusal(await at.push({ claims: { aud: `${BASE_URL}${FAPI_PAR}` } }), "invalid_client"),
  "par-test-token-endpoint-url-as-audience-fails": async (at) =>
    expectRefusal(await at.push({ claims: { aud: `${BASE_URL}${FAPI_TOKEN}` } }), "invalid_client"),
  async "par-ensure-jwt-client-assertions-nbf-8-seconds-in-the-future-is-accepted"(at) {
    const soon = at.now() + 8;
    expect((await at.push({ claims: { iat: soon, nbf: soon } })).status).toBe(201);
  },
  async "par-ensure-jwt-client-assertions-nbf-over-60-seconds-in-the-future-fails"(at) {
    const late = at.now() + 70;
    expectRefusal(await at.push({ claims: { iat: late, nbf: late, exp: late + 60 } }), "invalid_client");
  },
  async "par-ensure-reused-request-uri-prior-to-auth-completion-succeeds"(at) {
    const { body } = await at.push();
    await at.open(body.request_uri);
    const { page, browser } = await at.open(body.request_uri);
    expect((await at.received(await fillSignIn(browser, page))).get("code")).toBeTruthy();
  },
  async "par-attempt-reuse-request_uri"(at) {
    const { requestUri } = await at.answered();
    expect((await at.open(requestUri)).page.status).toBe(400);
  },
  async "par-attempt-to-use-expired-request_uri"(at) {
    const { body } = await at.push();
    at.service.advance(61_000);
    expect((await at.open(body.request_uri)).page.status).toBe(400);
  },
  async "par-attempt-to-use-request_uri-for-different-client"(at) {
    const { body } = await at.push();
    expect((await at.open(body.request_uri, { client_id: "client2" })).page.status).toBe(400);
  },
  "par-authorization-request-containing-request_uri-form-param": async (at) =>
    expectRefusal(await at.push({ beside: { request_uri: "urn:x" } }), "invalid_request", "invalid_request_object"),
  async "par-without-duplicate-parameters"(at) {
    expect((await at.answered()).values.get("code")).toBeTruthy();
  },
  async "par-attempt-invalid-http-method"(at) {
    expect((await fetch(`${at.origin}${FAPI_PAR}`, { method: "PUT" })).status).toBe(405);
  },
  "par-ensure-pkce-required": async (at) =>
    expectRefusal(
      await at.push({ form: { code_challenge: undefined, code_challenge_method: undefined } }),
      "invalid_request",
    ),
  "par-plain-pkce-rejected": async (at) =>
    expectRefusal(await at.push({ form: { code_challenge_method: "plain" } }), "invalid_request"),
  "ensure-pkce-code-verifier-required": async (at) =>
    expectRefusal(await at.redeemed({ form: { code_verifier: undefined } }), "invalid_grant"),
  "incorrect-pkce-code-verifier-rejected": async (at) =>
    expectRefusal(await at.redeemed({ form: { code_verifier: "x".repeat(43) } }), "invalid_grant"),
  async "refresh-token"(at) {
    const { refresh_token = "" } = await at.tokens();
    const form = { grant_type: "refresh_token", refresh_token };
    const { status, body } = await at.post(FAPI_TOKEN, form);
    expect([status, body.token_type]).toEqual([200, at.scheme]);
    at.service.advance(30_000);
    expect((await at.post(FAPI_TOKEN, form)).status).toBe(200);
    expectRefusal(
      await at.post(FAPI_TOKEN, form, { bound: false }),
      "invalid_request",
      "invalid_dpop_proof",
      "invalid_grant",
    );
    expectRefusal(await at.post(FAPI_TOKEN, form, { by: at.client2 }), "invalid_grant");
  },
  async "access-token-type-header-case-sensitivity"(at) {
    const { access_token = "" } = await at.tokens();
    expect(await at.userinfo(access_token, at.client, at.constrain === "dpop" ? "dPOp" : "bEARer")).toBe(200);
  },
};

const accepts = async (at: FapiPlan, claims: JWTPayload) =>
  expect((await at.push({ object: { claims } })).status).toBe(201);
const refuses = async (at: FapiPlan, sent: Parameters<FapiPlan["push"]>[0]) =>
  expectRefusal(await at.push(sent), "invalid_request_object", "invalid_request");

/** Modules of Message Signing, whose requests are request objects (RFC 9101). */
export const messageSigningModules: FapiModules = {
  "ensure-request-object-with-multiple-aud-succeeds": (at) => accepts(at, { aud: ["https://other.test", BASE_URL] }),
  "ensure-request-object-with-nbf-8-seconds-in-the-future-is-accepted": (at) => accepts(at, { nbf: at.now() + 8 }),
  "ensure-request-object-without-exp-fails": (at) => refuses(at, { object: { claims: { exp: undefined } } }),
  "ensure-request-object-without-nbf-fails": (at) => refuses(at, { object: { claims: { nbf: undefined } } }),
  "ensure-expired-request-object-fails": (at) => refuses(at, { object: { claims: { exp: at.now() - 300 } } }),
  "ensure-request-object-with-bad-aud-fails": (at) =>
    refuses(at, { object: { claims: { aud: "https://other.test" } } }),
  "ensure-request-object-with-exp-over-60-fails": (at) =>
    refuses(at, { object: { claims: { exp: at.now() + 70 * 60 } } }),
  "ensure-request-object-with-nbf-over-60-fails": (at) =>
    refuses(at, { object: { claims: { nbf: at.now() - 70 * 60 } } }),
  "ensure-signed-request-object-with-RS256-fails": async (at) =>
    refuses(at, { object: { by: await asAlgorithm(at.rsa, "RS256") } }),
  async "ensure-request-object-signature-algorithm-is-not-none"(at) {
    const claims = { iss: "client", aud: BASE_URL, nbf: at.now(), exp: at.now() + 300, response_type: "code" };
    await refuses(at, { object: "unsigned", beside: { request: new UnsecuredJWT(claims).encode() } });
  },
  "ensure-request-object-with-invalid-signature-fails, ensure-matching-key-in-authorization-request": (at) =>
    refuses(at, { object: { by: { ...at.client2.key, kid: at.client.key.kid } } }),
  "ensure-unsigned-request-at-par-endpoint-fails": (at) => refuses(at, { object: "unsigned" }),
  "par-authorization-request-containing-request_uri": (at) => refuses(at, { form: { request_uri: "urn:x" } }),
};
