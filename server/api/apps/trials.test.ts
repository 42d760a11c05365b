import { decodeJwt, decodeProtectedHeader } from "jose";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { apiToken, callApi, refusalOf } from "../../testing/api";
import { ruleDatabases } from "../../testing/database";
import { authorize, basic, pkcePair, postToken, REDIRECT_URI } from "../../testing/flow";
import { BASE_URL, type TestService, testService } from "../../testing/test-context";
import { tokenBootstrap } from "../../testing/token-example";

const APPS = "/management/v1/projects/p1/apps";
const PLAYGROUND = `${BASE_URL}/console/playground/callback`;
const SECRET_METHODS = ["BASIC", "POST", "PRIVATE_KEY_JWT", "NONE"] as const;

describe.each(ruleDatabases)("trying an app out, on %s", (kind) => {
  let service: TestService;
  let boss: string;
  beforeAll(async () => {
    service = await testService(kind, tokenBootstrap);
    boss = await apiToken(service, "boss@acme.test"); // ORG_OWNER
  });
  afterAll(() => service.close());

  const call = (method: string, path: string, body?: object, token = boss) =>
    callApi(service, method, `${APPS}${path}`, { token, body });
  const add = async (method: (typeof SECRET_METHODS)[number], more: object = {}) => {
    const settings = { authMethodType: `OIDC_AUTH_METHOD_TYPE_${method}`, redirectUris: [REDIRECT_URI, PLAYGROUND] };
    const { status, body } = await call("POST", "/oidc", { name: method, ...settings, ...more });
    expect(status).toBe(200);
    return body as { appId: string; clientId: string; clientSecret?: string };
  };
  const codeFor = async (clientId: string, redirectUri: string, codeChallenge: string) => {
    const wanted = { client_id: clientId, redirect_uri: redirectUri, code_challenge: codeChallenge };
    const answer = await authorize(service.browser(), { ...wanted, code_challenge_method: "S256" });
    return answer.get("code") ?? "";
  };

  it.each(SECRET_METHODS)("redeems the playground's code without the secret or key of an app (%s)", async (method) => {
    const { appId, clientId } = await add(method);
    const { verifier, challenge } = pkcePair();
    const code = await codeFor(clientId, PLAYGROUND, challenge);
    const wrong = await call("POST", `/${appId}/playground/_redeem`, { code, codeVerifier: pkcePair().verifier });
    expect(wrong.body).toMatchObject({ status: 400, response: { error: "invalid_grant" } });
    const { status, body } = await call("POST", `/${appId}/playground/_redeem`, { code, codeVerifier: verifier });
    expect([status, body.status]).toEqual([200, 200]);
    const headers = { authorization: `Bearer ${body.response.access_token}` };
    expect(await (await service.fetch("/oidc/v1/userinfo", { headers })).json()).toMatchObject({ sub: "u-ada" });
    const again = await call("POST", `/${appId}/playground/_redeem`, { code, codeVerifier: verifier });
    expect(again.body).toMatchObject({ status: 400, response: { error: "invalid_grant" } });
  });

  it("does not redeem a code that was returned to the app itself, nor one of another app", async () => {
    const { appId, clientId } = await add("BASIC");
    const other = await add("BASIC");
    const { verifier: codeVerifier, challenge } = pkcePair();
    const own = await codeFor(clientId, REDIRECT_URI, challenge);
    const stolen = await call("POST", `/${appId}/playground/_redeem`, { code: own, codeVerifier });
    expect(stolen.body).toMatchObject({ status: 400, response: { error: "invalid_grant" } });
    const foreign = await codeFor(other.clientId, PLAYGROUND, challenge);
    const asked = await call("POST", `/${appId}/playground/_redeem`, { code: foreign, codeVerifier });
    expect(asked.body).toMatchObject({ status: 400, response: { error: "invalid_grant" } });
  });

  it("redeems only for callers who may change the app", async () => {
    const { appId } = await add("BASIC");
    const body = { code: "x", codeVerifier: "y" };
    const bob = await apiToken(service, "bob@acme.test");
    expect((await call("POST", `/${appId}/playground/_redeem`, body, bob)).status).toBe(403);
    const vouched = await call("POST", "/a-web/playground/_redeem", body);
    expect(refusalOf(vouched)).toEqual({ status: 403, code: 7, id: "app.vouched_for" });
    expect((await call("POST", "/nowhere/playground/_redeem", body)).status).toBe(404);
    expect((await call("POST", `/${appId}/playground/_redeem`, { code: "" })).status).toBe(400);
  });

  it("shows the first successful sign-in once the app has redeemed the code, and earlier refusals and trials", async () => {
    const { appId, clientId, clientSecret = "" } = await add("BASIC");
    const latest = async () => (await call("GET", `/${appId}/latest_sign_in`)).body;
    expect(await latest()).toEqual({});
    const elsewhere = { client_id: clientId, redirect_uri: "https://rp.test/other", response_type: "code" };
    await service.fetch(`/oauth/v2/authorize?${new URLSearchParams({ ...elsewhere, scope: "openid" })}`);
    expect(await latest()).toMatchObject({
      refused: { reason: "redirect_uri_refused", detail: "https://rp.test/other" },
    });
    service.advance(1_000);
    const { verifier, challenge } = pkcePair();
    const code = await codeFor(clientId, REDIRECT_URI, challenge);
    expect((await latest()).signIn).toBeUndefined();
    const form = { grant_type: "authorization_code", code, redirect_uri: REDIRECT_URI, code_verifier: verifier };
    const issued = await postToken(service, form, basic(clientId, clientSecret));
    expect(issued.status).toBe(200);
    service.advance(60_000);
    const { signIn, refused } = await latest();
    expect(signIn).toMatchObject({ userId: "u-ada", organizationId: "acme" });
    expect(refused).toBeUndefined();
    // The claims that the app received, as of now and without a signature.
    const idToken = (await issued.json()).id_token as string;
    const { nonce: _, at_hash, iat = 0, exp = 0, ...claims } = decodeJwt(idToken);
    expect(at_hash).toBeDefined();
    const { header, payload } = signIn.idToken;
    expect(header).toEqual(decodeProtectedHeader(idToken));
    expect(payload).toEqual({ ...claims, iat: payload.iat, exp: payload.iat + exp - iat });
    expect(payload.iat).toBeGreaterThanOrEqual(iat + 60);
    expect(JSON.stringify(signIn)).not.toContain(idToken.split(".")[2]);
    const asserted = { ...claims, given_name: "Ada" };
    const settings = { redirectUris: [REDIRECT_URI, PLAYGROUND], idTokenUserinfoAssertion: true };
    expect((await call("PUT", `/${appId}/oidc_config`, settings)).status).toBe(200);
    expect((await latest()).signIn.idToken.payload).toMatchObject(asserted); // as the app is set now
    await postToken(service, form, basic(clientId, clientSecret)); // a stolen code ends what it was redeemed for
    expect((await latest()).signIn).toEqual({
      userId: "u-ada",
      displayName: signIn.displayName,
      organizationId: "acme",
      date: signIn.date,
    });
    const trial = await add("NONE");
    const tried = await codeFor(trial.clientId, PLAYGROUND, challenge);
    await call("POST", `/${trial.appId}/playground/_redeem`, { code: tried, codeVerifier: verifier });
    const other = async () => (await call("GET", `/${trial.appId}/latest_sign_in`)).body;
    const triedAt = expect.stringMatching(/^\d{4}-.*Z$/);
    expect(await other()).toEqual({ trial: { date: triedAt } });
    // The app's own sign-in ends the wait, and a later trial changes nothing.
    service.advance(1_000);
    const ownCode = await codeFor(trial.clientId, REDIRECT_URI, challenge);
    const own = {
      grant_type: "authorization_code",
      code: ownCode,
      redirect_uri: REDIRECT_URI,
      code_verifier: verifier,
    };
    expect((await postToken(service, { ...own, client_id: trial.clientId }, null)).status).toBe(200);
    expect(await other()).toMatchObject({ signIn: { userId: "u-ada" } });
    expect((await other()).trial).toBeUndefined();
  });

  it("lists the last successful sign-in of each app, without failed ones", async () => {
    const { appId, clientId } = await add("NONE");
    const shown = async () => {
      const { body } = await call("POST", "/_search");
      const [listed] = body.result.filter(({ id }: { id: string }) => id === appId);
      expect((await call("GET", `/${appId}`)).body.app.lastSignInDate).toBe(listed.lastSignInDate);
      return listed.lastSignInDate as string | undefined;
    };
    const wanted = { client_id: clientId, code_challenge: pkcePair().challenge, code_challenge_method: "S256" };
    expect(await shown()).toBeUndefined();
    const signedIn = Math.floor(service.ctx.clock());
    expect((await authorize(service.browser(), wanted, { loginName: "gus@globex.test" })).get("code")).toBeTruthy();
    await expect.poll(shown).toBeDefined(); // attempts are written behind the answer
    expect(Date.parse((await shown()) ?? "")).toBeGreaterThanOrEqual(signedIn);
    const before = await shown();
    service.advance(60_000);
    const refused = { client_id: clientId, redirect_uri: "https://rp.test/other", response_type: "code" };
    await service.fetch(`/oauth/v2/authorize?${new URLSearchParams({ ...refused, scope: "openid" })}`);
    const { body } = await call("GET", `/${appId}/latest_sign_in`); // waits for what is not written yet
    expect(body.refused.reason).toBe("redirect_uri_refused");
    expect(await shown()).toBe(before);
  });

  it("does not reveal to an organization which users of another one signed in to its app", async () => {
    const { appId, clientId } = await add("NONE");
    const wanted = { client_id: clientId, code_challenge: pkcePair().challenge, code_challenge_method: "S256" };
    expect((await authorize(service.browser(), wanted, { loginName: "gus@globex.test" })).get("code")).toBeTruthy();
    const { signIn } = (await call("GET", `/${appId}/latest_sign_in`)).body;
    expect(signIn).toEqual({ date: expect.any(String) });
  });
});
