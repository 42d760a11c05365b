/** The modules that the Basic, Implicit and Hybrid plans of the OpenID Foundation's suite have in common, as tests. */
import { decodeJwt } from "jose";
import { expect, it } from "vitest";
import { MULTI_FACTOR, SINGLE_FACTOR } from "../protocol/authentication-context";
import {
  answerIn,
  CLAIMS_OF,
  checkClaims,
  checkStandardClaims,
  expectError,
  expectPage,
  expectSignInPage,
  expectTokenError,
  expectTokens,
  type Got,
  type Mode,
  type Plan,
  type providers,
  redeemAs,
  request,
  succeed,
  userinfoClaims,
  walk,
} from "./conformance";
import { SECRET } from "./example";
import { basic, fillSignIn, pkcePair, postToken, userinfo } from "./flow";

/** What a plan is known by before its provider has started. */
export interface PlanKind {
  kind: (typeof providers)[number];
  mode: Mode;
  responseType: string;
}

const UNSIGNED = Buffer.from('{"alg":"none"}').toString("base64url");
const unsigned = (claims: object) => `${UNSIGNED}.${Buffer.from(JSON.stringify(claims)).toString("base64url")}.`;

/**
 * Declares the tests of a plan inside its `describe`. A module that the suite does not run for a response type is not
 * declared for it.
 * @param planOf returns the plan, which exists once `beforeAll` has run
 */
export function commonModules({ kind, mode, responseType }: PlanKind, planOf: () => Plan): void {
  const words = responseType.split(" ");
  const hasCode = words.includes("code");
  const hasIdTokenInFront = words.includes("id_token");
  const hasToken = responseType !== "id_token";
  const when = (condition: boolean, title: string, test: () => Promise<void>) => condition && it(title, test);
  const browser = () => planOf().service.browser();
  const signIn = (given: Record<string, string> = {}) => walk(planOf(), browser(), given);
  const signedIn = async (given: Record<string, string> = {}) => succeed(planOf(), await signIn(given));
  /** Claims of scopes are in the id_token if no other response can contain them, otherwise in userinfo. */
  const claimsOf = async (got: Got) => {
    if (hasToken) return userinfoClaims(planOf(), got);
    checkStandardClaims(got.claims);
    return got.claims;
  };
  const claimsOfScope = async (scope: string) => Object.keys(await claimsOf(await signedIn({ scope }))).sort();
  const expectClaims = (names: string[], expected: readonly string[]) =>
    hasToken
      ? expect(names).toEqual(["sub", ...expected].sort())
      : expect(names).toEqual(expect.arrayContaining([...expected]));
  const same = (after: Got, before: Got) =>
    expect([after.claims.sub, after.claims.auth_time]).toEqual([before.claims.sub, before.claims.auth_time]);

  it("oidcc-server", async () => {
    const got = await signedIn();
    if (hasToken) expect(await userinfoClaims(planOf(), got)).toEqual({ sub: "u-ada" });
  });

  it("oidcc-response-type-missing", async () => {
    const { response_type: _, ...rest } = Object.fromEntries(new URLSearchParams(request(planOf()).split("?")[1]));
    const response = await browser().get(`/oauth/v2/authorize?${new URLSearchParams(rest)}`);
    // Without a response type the use of the fragment is unknown, so the error is in the query.
    const code = { ...planOf(), responseType: "code" };
    expectError(code, await answerIn(response), ["invalid_request", "unsupported_response_type"]);
  });

  when(hasIdTokenInFront, "oidcc-ensure-request-without-nonce-fails", async () => {
    const response = await browser().get(request(planOf()).replace("&nonce=n0nce", ""));
    expectError(planOf(), await answerIn(response), ["invalid_request"]);
  });

  when(!hasIdTokenInFront, "oidcc-ensure-request-without-nonce-succeeds-for-code-flow", async () => {
    const own = browser();
    const first = await own.get(request(planOf()).replace("&nonce=n0nce", ""));
    await succeed(planOf(), await answerIn(await fillSignIn(own, first)), { nonce: undefined });
  });

  when(hasToken, "oidcc-userinfo-get, oidcc-userinfo-post-header, oidcc-userinfo-post-body", async () => {
    const got = await signedIn();
    await userinfoClaims(planOf(), got);
    const token = got.front?.accessToken ?? got.accessToken ?? "";
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/x-www-form-urlencoded" };
    const post = (init: RequestInit) => planOf().service.fetch("/oidc/v1/userinfo", { method: "POST", ...init });
    await checkClaims(await post({ headers }), got.claims.sub);
    await checkClaims(await post({ body: new URLSearchParams({ access_token: token }) }), got.claims.sub);
  });

  it.each(["profile", "email", "address", "phone"])("oidcc-scope-%s", async (scope) => {
    expectClaims(await claimsOfScope(`openid ${scope}`), CLAIMS_OF[scope] ?? []);
  });

  it("oidcc-scope-all", async () => {
    expectClaims(await claimsOfScope("openid profile email address phone"), Object.values(CLAIMS_OF).flat());
  });

  it("oidcc-alternate-happy-flow", async () => {
    const given = { response_type: [...words].reverse().join(" "), scope: "email openid" };
    const parameters = [...new URLSearchParams(request(planOf(), given).split("?")[1])].reverse();
    const own = browser();
    const first = await own.get(`/oauth/v2/authorize?${new URLSearchParams(parameters)}`);
    await succeed(planOf(), await answerIn(await fillSignIn(own, first)));
  });

  it.each(["page", "popup"])("oidcc-display-%s", async (display) => {
    await signedIn({ display });
  });

  it.each([
    ["oidcc-prompt-login", { prompt: "login" }],
    ["oidcc-max-age-1", { max_age: "1" }],
  ])("%s", async (_, given) => {
    const own = browser();
    const before = await succeed(planOf(), await walk(planOf(), own));
    planOf().service.advance(2_000);
    const asked = await own.get(request(planOf(), given as Record<string, string>));
    await expectSignInPage(own, asked);
    const after = await succeed(planOf(), await answerIn(await fillSignIn(own, asked)));
    expect(after.claims.sub).toBe(before.claims.sub);
    expect(after.claims.auth_time).toBeGreaterThan(Number(before.claims.auth_time));
  });

  it("oidcc-prompt-none-not-logged-in", async () => {
    const state = "x".repeat(124).concat("-._~");
    const response = await browser().get(request(planOf(), { prompt: "none", state }));
    expectError(planOf(), await answerIn(response), ["login_required"], state);
  });

  it("oidcc-prompt-none-logged-in, oidcc-id-token-hint, oidcc-max-age-10000", async () => {
    const own = browser();
    const before = await succeed(planOf(), await walk(planOf(), own, { max_age: "15000" }));
    planOf().service.advance(2_000);
    const hint = { prompt: "none", id_token_hint: before.idToken };
    for (const given of [{ prompt: "none" }, hint, { max_age: "10000" }]) {
      same(await succeed(planOf(), await answerIn(await own.get(request(planOf(), given)))), before);
    }
  });

  it.each([
    ["oidcc-ensure-request-with-unknown-parameter-succeeds", { extra: "foobar" }],
    ["oidcc-login-hint", { login_hint: "buffy@localhost" }],
    ["oidcc-ui-locales", { ui_locales: "se" }],
    ["oidcc-claims-locales", { claims_locales: "se" }],
  ])("%s", async (_, given) => {
    await signedIn(given as unknown as Record<string, string>);
  });

  it("oidcc-ensure-request-with-acr-values-succeeds", async () => {
    const { claims } = await signedIn({ acr_values: `${SINGLE_FACTOR} ${MULTI_FACTOR}` });
    expect([SINGLE_FACTOR, MULTI_FACTOR]).toContain(claims.acr);
  });

  when(hasCode, "oidcc-codereuse, oidcc-codereuse-30seconds", async () => {
    const { service, clientId } = planOf();
    const { code = "", accessToken = "", front } = await signedIn();
    service.advance(30_000);
    await expectTokenError(await redeemAs(service, clientId, code), "invalid_grant");
    expect((await userinfo(service, accessToken)).status).toBe(401);
    if (front?.accessToken) expect((await userinfo(service, front.accessToken)).status).toBe(401);
  });

  it("oidcc-ensure-registered-redirect-uri", async () => {
    expectPage(await browser().get(request(planOf(), { redirect_uri: "https://rp.test/cb/x7f3" })));
  });

  it("oidcc-ensure-post-request-succeeds", async () => {
    const form = Object.fromEntries(new URLSearchParams(request(planOf()).split("?")[1]));
    const own = browser();
    await succeed(planOf(), await answerIn(await fillSignIn(own, await own.post("/oauth/v2/authorize", form))));
  });

  it("oidcc-unsigned-request-object-supported-correctly-or-rejected-as-unsupported", async () => {
    // The suite puts the mode inside too; the certified provider does not look for it there.
    const isInside = mode === "form_post" && kind !== "oidc-provider";
    const inside = isInside ? { response_mode: mode } : {};
    const object = unsigned({ nonce: "hidden", state: "hidden", client_id: planOf().clientId, ...inside });
    const left = isInside ? { response_mode: undefined } : {};
    const given = { request: object, state: undefined, nonce: undefined, ...left };
    const response = await browser().get(request(planOf(), given));
    expectError(planOf(), await answerIn(response), ["request_not_supported"], null);
  });

  it("oidcc-ensure-request-object-with-redirect-uri", async () => {
    const object = unsigned({ redirect_uri: "https://rp.test/cb" });
    const given = { request: object, redirect_uri: "https://rp.test/cb/bad" };
    expectPage(await browser().get(request(planOf(), given)));
  });

  it("oidcc-claims-essential", async () => {
    const wish = { name: { essential: true } };
    const claims = JSON.stringify(hasToken ? { userinfo: wish } : { id_token: wish });
    expect(await claimsOf(await signedIn({ claims }))).toMatchObject({ sub: "u-ada", name: "Ada Lovelace" });
  });

  when(hasCode, "oidcc-refresh-token", async () => {
    const { service, clientId } = planOf();
    const first = await signedIn({ scope: "openid offline_access", prompt: "consent" });
    service.advance(1_000);
    const form = { grant_type: "refresh_token", refresh_token: first.refreshToken ?? "" };
    const refreshed = await expectTokens(await postToken(service, form, basic(clientId, SECRET)));
    const { iat, ...claims } = decodeJwt(refreshed.id_token);
    const { iss, sub, aud, auth_time } = first.claims;
    expect(claims).toMatchObject({ iss, sub, aud, auth_time });
    expect(iat).not.toBe(first.claims.iat);
    expect(refreshed.access_token).not.toBe(first.accessToken);
    expect((await userinfo(service, refreshed.access_token)).status).toBe(200);
  });

  when(hasCode, "oidcc-ensure-request-with-valid-pkce-succeeds", async () => {
    const { verifier, challenge } = pkcePair();
    const given = { code_challenge: challenge, code_challenge_method: "S256" };
    await succeed(planOf(), await signIn(given), { code_verifier: verifier });
  });
}
