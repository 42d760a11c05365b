import { decodeProtectedHeader } from "jose";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { asAlgorithm } from "../../testing/client-keys";
import { ruleDatabases } from "../../testing/database";
import { FAPI_CALLBACK, FAPI_PAR, FAPI_TOKEN, fapiPlan } from "../../testing/fapi-plan";
import { answerOf, fillSignIn } from "../../testing/flow";
import { BASE_URL } from "../../testing/test-context";

const plans = ruleDatabases.flatMap((kind) => (["dpop", "mtls"] as const).map((constrain) => ({ kind, constrain })));
const title = "fapi2-security-profile-final-test-plan, private_key_jwt, sender_constrain $constrain, on $kind";

/** Expects one of the errors that the suite permits. */
const refused = ({ status, body }: { status: number; body: Record<string, string> }, ...errors: string[]) =>
  expect([[400, 401].includes(status), errors.includes(body.error ?? "")], JSON.stringify(body)).toEqual([true, true]);

describe.each(plans)(title, ({ kind, constrain }) => {
  let at: Awaited<ReturnType<typeof fapiPlan>>;
  beforeAll(async () => {
    at = await fapiPlan(kind, constrain);
  });
  afterAll(() => at.close());

  const modules: Record<string, () => Promise<unknown>> = {
    async "happy-flow"() {
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
    async "ensure-authorization-request-without-state-success"() {
      expect((await at.answered({ form: { state: undefined } })).values.has("state")).toBe(false);
    },
    async "ensure-authorization-request-without-nonce-success"() {
      expect((await at.answered({ form: { nonce: undefined } })).values.get("code")).toBeTruthy();
    },
    async "ensure-different-state-inside-and-outside-request-object"() {
      expect((await at.answered({}, { state: "outside" })).values.get("state")).toBe("st");
    },
    async "state-only-outside-request-object-not-used"() {
      expect((await at.answered({ form: { state: undefined } }, { state: "outside" })).values.has("state")).toBe(false);
    },
    "ensure-request-object-without-redirect-uri-fails": async () =>
      refused(await at.push({ form: { redirect_uri: undefined } }), "invalid_request"),
    "ensure-response-type-code-idtoken-fails": async () =>
      refused(
        await at.push({ form: { response_type: "code id_token" } }),
        "unsupported_response_type",
        "unauthorized_client",
      ),
    async "ensure-unsigned-authorization-request-without-using-par-fails"() {
      const query = new URLSearchParams({
        client_id: "client",
        response_type: "code",
        redirect_uri: FAPI_CALLBACK,
        scope: "openid",
      });
      const response = await at.service.browser().get(`/oauth/v2/authorize?${query}`);
      expect(answerOf(response).get("error")).toBe("invalid_request");
    },
    "ensure-client-id-in-token-endpoint": async () =>
      refused(await at.redeemed({ by: at.client2, signedBy: at.client.key }), "invalid_client"),
    "ensure-holder-of-key-required": async () =>
      refused(await at.redeemed({ bound: false }), "invalid_request", "invalid_grant", "invalid_dpop_proof"),
    async "ensure-authorization-code-is-bound-to-client"() {
      const { values, verifier } = await at.answered();
      refused(
        await at.redeem(values.get("code") ?? "", verifier, { by: at.client2, form: { redirect_uri: FAPI_CALLBACK } }),
        "invalid_grant",
      );
    },
    async "attempt-reuse-authorization-code-after-one-second"() {
      const { values, verifier } = await at.answered();
      const code = values.get("code") ?? "";
      const { body } = await at.redeem(code, verifier);
      at.service.advance(1_000);
      refused(await at.redeem(code, verifier), "invalid_grant");
      expect(await at.userinfo(body.access_token ?? "")).toBe(401);
    },
    async "ensure-token-endpoint-fails-with-expired-auth-code"() {
      const { values, verifier } = await at.answered();
      at.service.advance(62_000);
      refused(await at.redeem(values.get("code") ?? "", verifier), "invalid_grant");
    },
    "ensure-signed-client-assertion-with-RS256-fails": async () => {
      refused(await at.push({ signedBy: await asAlgorithm(at.rsa, "RS256") }), "invalid_client");
    },
    "ensure-client-assertion-in-token-endpoint": async () =>
      refused(
        await at.redeemed({ form: { client_assertion: undefined, client_assertion_type: undefined } }),
        "invalid_client",
        "invalid_request",
      ),
    "ensure-client-assertion-with-exp-is-5-minutes-in-past-fails": async () =>
      refused(await at.push({ claims: { exp: at.now() - 300 } }), "invalid_client"),
    "ensure-client-assertion-with-wrong-aud-fails": async () =>
      refused(await at.push({ claims: { aud: "https://other.test" } }), "invalid_client"),
    "ensure-client-assertion-with-no-sub-fails": async () =>
      refused(await at.push({ claims: { sub: undefined } }), "invalid_client", "invalid_request"),
    "par-test-array-as-audience-fails": async () =>
      refused(await at.push({ claims: { aud: [BASE_URL, "https://other.test"] } }), "invalid_client"),
    "par-test-par-endpoint-url-as-audience-fails": async () =>
      refused(await at.push({ claims: { aud: `${BASE_URL}${FAPI_PAR}` } }), "invalid_client"),
    "par-test-token-endpoint-url-as-audience-fails": async () =>
      refused(await at.push({ claims: { aud: `${BASE_URL}${FAPI_TOKEN}` } }), "invalid_client"),
    async "par-ensure-jwt-client-assertions-nbf-8-seconds-in-the-future-is-accepted"() {
      const soon = at.now() + 8;
      expect((await at.push({ claims: { iat: soon, nbf: soon } })).status).toBe(201);
    },
    async "par-ensure-jwt-client-assertions-nbf-over-60-seconds-in-the-future-fails"() {
      const late = at.now() + 70;
      refused(await at.push({ claims: { iat: late, nbf: late, exp: late + 60 } }), "invalid_client");
    },
    async "par-ensure-reused-request-uri-prior-to-auth-completion-succeeds"() {
      const { body } = await at.push();
      await at.open(body.request_uri);
      const { page, browser } = await at.open(body.request_uri);
      expect(answerOf(await fillSignIn(browser, page)).get("code")).toBeTruthy();
    },
    async "par-attempt-reuse-request_uri"() {
      const { requestUri } = await at.answered();
      expect((await at.open(requestUri)).page.status).toBe(400);
    },
    async "par-attempt-to-use-expired-request_uri"() {
      const { body } = await at.push();
      at.service.advance(61_000);
      expect((await at.open(body.request_uri)).page.status).toBe(400);
    },
    async "par-attempt-to-use-request_uri-for-different-client"() {
      const { body } = await at.push();
      expect((await at.open(body.request_uri, { client_id: "client2" })).page.status).toBe(400);
    },
    "par-authorization-request-containing-request_uri-form-param": async () =>
      refused(await at.push({ form: { request_uri: "urn:x" } }), "invalid_request"),
    async "par-attempt-invalid-http-method"() {
      expect((await fetch(`${at.origin}${FAPI_PAR}`, { method: "PUT" })).status).toBe(405);
    },
    "par-ensure-pkce-required": async () =>
      refused(
        await at.push({ form: { code_challenge: undefined, code_challenge_method: undefined } }),
        "invalid_request",
      ),
    "par-plain-pkce-rejected": async () =>
      refused(await at.push({ form: { code_challenge_method: "plain" } }), "invalid_request"),
    "ensure-pkce-code-verifier-required": async () =>
      refused(await at.redeemed({ form: { code_verifier: undefined } }), "invalid_grant"),
    "incorrect-pkce-code-verifier-rejected": async () =>
      refused(await at.redeemed({ form: { code_verifier: "x".repeat(43) } }), "invalid_grant"),
    async "refresh-token"() {
      const { refresh_token = "" } = await at.tokens();
      const form = { grant_type: "refresh_token", refresh_token };
      const { status, body } = await at.post(FAPI_TOKEN, form);
      expect([status, body.token_type]).toEqual([200, at.scheme]);
      at.service.advance(30_000);
      expect((await at.post(FAPI_TOKEN, form)).status).toBe(200);
      refused(
        await at.post(FAPI_TOKEN, form, { bound: false }),
        "invalid_request",
        "invalid_dpop_proof",
        "invalid_grant",
      );
      refused(await at.post(FAPI_TOKEN, form, { by: at.client2 }), "invalid_grant");
    },
    async "access-token-type-header-case-sensitivity"() {
      const { access_token = "" } = await at.tokens();
      expect(await at.userinfo(access_token, at.client, constrain === "dpop" ? "dPOp" : "bEARer")).toBe(200);
    },
    async "dpop-negative-tests: without a proof, or as a bearer token"() {
      const { access_token = "" } = await at.tokens();
      expect(await at.userinfo(access_token, null)).toBe(401);
      expect(await at.userinfo(access_token, null, "Bearer")).toBe(401);
    },
  };
  it.each(Object.keys(modules))("fapi2-security-profile-final-%s", (name) => modules[name]?.() as Promise<void>);
});
