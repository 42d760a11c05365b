import { decodeJwt } from "jose";
import * as client from "openid-client";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { MULTI_FACTOR, SINGLE_FACTOR } from "../../protocol/authentication-context";
import {
  answerIn,
  CLAIMS_OF,
  checkClaims,
  expectError,
  expectPage,
  expectSignInPage,
  expectTokenError,
  expectTokens,
  modesOn,
  type Plan,
  providers,
  redeemAs,
  request,
  startProvider,
  succeed,
  userinfoClaims,
  walk,
} from "../../testing/conformance";
import { SECRET } from "../../testing/example";
import { basic, fillSignIn, pkcePair, postToken, REDIRECT_URI, userinfo } from "../../testing/flow";
import { BASE_URL, type ProtocolService } from "../../testing/test-context";

const types = ["code id_token", "code token", "code id_token token"];
const plans = providers.flatMap((kind) =>
  modesOn(kind).flatMap((mode) => types.map((responseType) => ({ kind, mode, responseType }))),
);
const title = "oidcc-hybrid-certification-test-plan, $responseType, response_mode $mode, on $kind";

describe.each(plans)(title, ({ kind, mode, responseType }) => {
  let service: ProtocolService;
  let plan: Plan;
  beforeAll(async () => {
    service = await startProvider(kind);
    plan = { service, clientId: "hybrid", responseType, mode };
  });
  afterAll(() => service.close());

  const everything = (given: Record<string, string> = {}) => walk(plan, service.browser(), given);
  const withToken = responseType.endsWith(" token");
  const withIdToken = responseType.includes("id_token");

  it("oidcc-server", async () => {
    const got = await succeed(plan, await everything());
    expect(await userinfoClaims(plan, got)).toEqual({ sub: "u-ada" });
  });

  it("oidcc-response-type-missing", async () => {
    const { response_type: _, ...rest } = Object.fromEntries(new URLSearchParams(request(plan).split("?")[1]));
    const response = await service.browser().get(`/oauth/v2/authorize?${new URLSearchParams(rest)}`);
    // Without a response type the use of the fragment is unknown, so the error is in the query.
    const code = { ...plan, responseType: "code" };
    expectError(code, await answerIn(response), ["invalid_request", "unsupported_response_type"]);
  });

  it.skipIf(!withIdToken)("oidcc-ensure-request-without-nonce-fails", async () => {
    const response = await service.browser().get(request(plan).replace("&nonce=n0nce", ""));
    expectError(plan, await answerIn(response), ["invalid_request"]);
  });

  it.skipIf(withIdToken)("oidcc-ensure-request-without-nonce-succeeds-for-code-flow: nor for code token", async () => {
    const browser = service.browser();
    const first = await browser.get(request(plan).replace("&nonce=n0nce", ""));
    await succeed(plan, await answerIn(await fillSignIn(browser, first)), { nonce: undefined });
  });

  it("oidcc-userinfo-get, -post-header and -post-body, with the token of either endpoint", async () => {
    const got = await succeed(plan, await everything());
    await userinfoClaims(plan, got);
    const token = got.front?.accessToken ?? got.accessToken ?? "";
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/x-www-form-urlencoded" };
    await checkClaims(await service.fetch("/oidc/v1/userinfo", { method: "POST", headers }), got.claims.sub);
    const body = new URLSearchParams({ access_token: token });
    await checkClaims(await service.fetch("/oidc/v1/userinfo", { method: "POST", body }), got.claims.sub);
  });

  it.each(["profile", "email", "address", "phone"])("oidcc-scope-%s", async (scope) => {
    const got = await succeed(plan, await everything({ scope: `openid ${scope}` }));
    expect(Object.keys(await userinfoClaims(plan, got)).sort()).toEqual(["sub", ...(CLAIMS_OF[scope] ?? [])].sort());
  });

  it("oidcc-scope-all", async () => {
    const got = await succeed(plan, await everything({ scope: "openid profile email address phone" }));
    expect(Object.keys(await userinfoClaims(plan, got)).sort()).toEqual(
      ["sub", ...Object.values(CLAIMS_OF).flat()].sort(),
    );
  });

  it("oidcc-alternate-happy-flow", async () => {
    const words = responseType.split(" ").reverse().join(" ");
    await succeed(plan, await everything({ response_type: words, scope: "email openid" }));
  });

  it.each(["page", "popup"])("oidcc-display-%s", async (display) => {
    await succeed(plan, await everything({ display }));
  });

  it("oidcc-prompt-login", async () => {
    const browser = service.browser();
    const before = await succeed(plan, await walk(plan, browser));
    service.advance(1_000);
    const asked = await browser.get(request(plan, { prompt: "login" }));
    await expectSignInPage(browser, asked);
    const after = await succeed(plan, await answerIn(await fillSignIn(browser, asked)));
    expect(after.claims.auth_time).toBeGreaterThanOrEqual(Number(before.claims.auth_time) + 1);
  });

  it("oidcc-prompt-none-not-logged-in", async () => {
    const response = await service.browser().get(request(plan, { prompt: "none" }));
    expectError(plan, await answerIn(response), ["login_required"]);
  });

  it("oidcc-prompt-none-logged-in, oidcc-id-token-hint, oidcc-max-age-10000", async () => {
    const browser = service.browser();
    const before = await succeed(plan, await walk(plan, browser, { max_age: "15000" }));
    service.advance(2_000);
    for (const given of [{ prompt: "none" }, { id_token_hint: before.idToken }, { max_age: "10000" }]) {
      const after = await succeed(plan, await answerIn(await browser.get(request(plan, given))));
      expect([after.claims.sub, after.claims.auth_time]).toEqual([before.claims.sub, before.claims.auth_time]);
    }
  });

  it("oidcc-max-age-1", async () => {
    const browser = service.browser();
    const before = await succeed(plan, await walk(plan, browser));
    service.advance(2_000);
    const asked = await browser.get(request(plan, { max_age: "1" }));
    const after = await succeed(plan, await answerIn(await fillSignIn(browser, asked)));
    expect(after.claims.auth_time).toBeGreaterThan(Number(before.claims.auth_time));
  });

  it.each([
    ["oidcc-ensure-request-with-unknown-parameter-succeeds", { extra: "foobar" }],
    ["oidcc-login-hint", { login_hint: "buffy@localhost" }],
    ["oidcc-ui-locales", { ui_locales: "se" }],
    ["oidcc-claims-locales", { claims_locales: "se" }],
  ])("%s", async (_, given) => {
    await succeed(plan, await everything(given as unknown as Record<string, string>));
  });

  it("oidcc-ensure-request-with-acr-values-succeeds", async () => {
    const { claims } = await succeed(plan, await everything({ acr_values: `${SINGLE_FACTOR} ${MULTI_FACTOR}` }));
    expect([SINGLE_FACTOR, MULTI_FACTOR]).toContain(claims.acr);
  });

  it("oidcc-codereuse, oidcc-codereuse-30seconds: it also ends the token of the authorization response", async () => {
    const { code = "", accessToken = "", front } = await succeed(plan, await everything());
    service.advance(30_000);
    await expectTokenError(await redeemAs(service, "hybrid", code), "invalid_grant");
    expect((await userinfo(service, accessToken)).status).toBe(401);
    if (front?.accessToken) expect((await userinfo(service, front.accessToken)).status).toBe(401);
  });

  it("oidcc-ensure-registered-redirect-uri", async () => {
    expectPage(await service.browser().get(request(plan, { redirect_uri: "https://rp.test/cb/x7f3" })));
  });

  it("oidcc-ensure-post-request-succeeds", async () => {
    const form = Object.fromEntries(new URLSearchParams(request(plan).split("?")[1]));
    const browser = service.browser();
    const asked = await browser.post("/oauth/v2/authorize", form);
    await succeed(plan, await answerIn(await fillSignIn(browser, asked)));
  });

  it("oidcc-unsigned-request-object-supported-correctly-or-rejected-as-unsupported", async () => {
    const isInside = mode === "form_post" && kind !== "oidc-provider";
    const hidden = { nonce: "hidden", state: "hidden", ...(isInside && { response_mode: mode }) };
    const claims = Buffer.from(JSON.stringify(hidden)).toString("base64url");
    const object = `${Buffer.from('{"alg":"none"}').toString("base64url")}.${claims}.`;
    const left = isInside ? { response_mode: undefined } : {};
    const given = { request: object, state: undefined, nonce: undefined, ...left };
    expectError(
      plan,
      await answerIn(await service.browser().get(request(plan, given))),
      ["request_not_supported"],
      null,
    );
  });

  it("oidcc-claims-essential", async () => {
    const claims = JSON.stringify({ userinfo: { name: { essential: true } } });
    const got = await succeed(plan, await everything({ claims }));
    expect(await userinfoClaims(plan, got)).toEqual({ sub: "u-ada", name: "Ada Lovelace" });
  });

  it("oidcc-refresh-token", async () => {
    const first = await succeed(plan, await everything({ scope: "openid offline_access", prompt: "consent" }));
    service.advance(1_000);
    const form = { grant_type: "refresh_token", refresh_token: first.refreshToken ?? "" };
    const refreshed = await expectTokens(await postToken(service, form, basic("hybrid", SECRET)));
    expect(decodeJwt(refreshed.id_token)).toMatchObject({ sub: "u-ada", auth_time: first.claims.auth_time });
    expect((await userinfo(service, refreshed.access_token)).status).toBe(200);
  });

  it("oidcc-ensure-request-with-valid-pkce-succeeds", async () => {
    const { verifier, challenge } = pkcePair();
    const given = { code_challenge: challenge, code_challenge_method: "S256" };
    await succeed(plan, await everything(given), { code_verifier: verifier });
  });

  // Its own choices; the certified provider returns the error where response_mode asks for it.
  if (kind !== "oidc-provider") {
    it("response_mode query is refused, and the error is in the fragment", async () => {
      const response = await service.browser().get(request(plan, { response_mode: "query" }));
      expectError({ ...plan, mode: "default" }, await answerIn(response), ["invalid_request"]);
    });

    it.skipIf(!withToken)("the token in the response lives longer than the code, as its expires_in says", async () => {
      const { values } = await everything();
      service.advance(5 * 60_000);
      expect((await userinfo(service, values.get("access_token") ?? "")).status).toBe(200);
    });
  }

  it.skipIf(responseType !== "code id_token" || mode !== "default")(
    "openid-client 6 accepts the response",
    async () => {
      const fetch: client.CustomFetch = (url, { method, headers, body }) =>
        service.fetch(url.slice(BASE_URL.length), { method, headers, body: body as BodyInit | undefined });
      const config = await client.discovery(new URL(BASE_URL), "hybrid", SECRET, client.ClientSecretBasic(SECRET), {
        [client.customFetch]: fetch,
        execute: [client.allowInsecureRequests, client.useCodeIdTokenResponseType],
      });
      const [nonce, state, verifier] = [client.randomNonce(), client.randomState(), client.randomPKCECodeVerifier()];
      const challenge = await client.calculatePKCECodeChallenge(verifier);
      const parameters = { redirect_uri: REDIRECT_URI, scope: "openid email", nonce, state, code_challenge: challenge };
      const address = client.buildAuthorizationUrl(config, { ...parameters, code_challenge_method: "S256" });
      const browser = service.browser();
      const came = await fillSignIn(browser, await browser.get(address.href.slice(BASE_URL.length)));
      const callback = new URL(came.headers.get("location") ?? "");
      const checks = { expectedNonce: nonce, expectedState: state, pkceCodeVerifier: verifier };
      const tokens = await client.authorizationCodeGrant(config, callback, checks);
      expect(tokens.claims()?.sub).toBe("u-ada");
      const swapped = new URL(callback.href.replace(/code=[^&]+/, "code=another"));
      await expect(client.authorizationCodeGrant(config, swapped, checks)).rejects.toThrow(
        "unexpected JWT claim value",
      );
    },
  );
});
