import * as client from "openid-client";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  answerIn,
  expectError,
  modesOn,
  type Plan,
  providers,
  request,
  startProvider,
  typesOn,
  walk,
} from "../../testing/conformance";
import { commonModules } from "../../testing/conformance-modules";
import { SECRET } from "../../testing/example";
import { fillSignIn, REDIRECT_URI, userinfo } from "../../testing/flow";
import { BASE_URL } from "../../testing/test-context";

const types = ["code id_token", "code token", "code id_token token"];
const plans = providers.flatMap((kind) =>
  modesOn(kind).flatMap((mode) => typesOn(kind, types).map((responseType) => ({ kind, mode, responseType }))),
);
const title = "oidcc-hybrid-certification-test-plan, $responseType, response_mode $mode, on $kind";

describe.each(plans)(title, (planKind) => {
  const { kind, mode, responseType } = planKind;
  let plan: Plan;
  beforeAll(async () => {
    plan = { ...planKind, service: await startProvider(kind), clientId: "hybrid" };
  });
  afterAll(() => plan.service.close());

  commonModules(planKind, () => plan);

  // Its own choices; the certified provider returns the error where response_mode asks for it.
  if (kind !== "oidc-provider") {
    it("response_mode query is refused, and the error is in the fragment", async () => {
      const response = await plan.service.browser().get(request(plan, { response_mode: "query" }));
      expectError({ ...plan, mode: "default" }, await answerIn(response), ["invalid_request"]);
    });
  }

  if (kind !== "oidc-provider" && responseType.endsWith(" token")) {
    it("the token in the response lives longer than the code, as its expires_in says", async () => {
      const { values } = await walk(plan, plan.service.browser());
      plan.service.advance(5 * 60_000);
      expect((await userinfo(plan.service, values.get("access_token") ?? "")).status).toBe(200);
    });
  }

  if (responseType === "code id_token" && mode === "default") {
    it("openid-client 6 accepts the response", async () => {
      const fetch: client.CustomFetch = (url, { method, headers, body }) =>
        plan.service.fetch(url.slice(BASE_URL.length), { method, headers, body: body as BodyInit | undefined });
      const config = await client.discovery(new URL(BASE_URL), "hybrid", SECRET, client.ClientSecretBasic(SECRET), {
        [client.customFetch]: fetch,
        execute: [client.allowInsecureRequests, client.useCodeIdTokenResponseType],
      });
      const [nonce, state, verifier] = [client.randomNonce(), client.randomState(), client.randomPKCECodeVerifier()];
      const challenge = await client.calculatePKCECodeChallenge(verifier);
      const parameters = { redirect_uri: REDIRECT_URI, scope: "openid email", nonce, state, code_challenge: challenge };
      const address = client.buildAuthorizationUrl(config, { ...parameters, code_challenge_method: "S256" });
      const browser = plan.service.browser();
      const came = await fillSignIn(browser, await browser.get(address.href.slice(BASE_URL.length)));
      const callback = new URL(came.headers.get("location") ?? "");
      const checks = { expectedNonce: nonce, expectedState: state, pkceCodeVerifier: verifier };
      const tokens = await client.authorizationCodeGrant(config, callback, checks);
      expect(tokens.claims()?.sub).toBe("u-ada");
      const swapped = new URL(callback.href.replace(/code=[^&]+/, "code=another"));
      await expect(client.authorizationCodeGrant(config, swapped, checks)).rejects.toThrow(
        "unexpected JWT claim value",
      );
    });
  }
});
