import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type ApiResult, callApi, refusalOf } from "../../testing/api";
import { databaseKinds } from "../../testing/database";
import { exampleBootstrap, PASSWORD, SECRET } from "../../testing/example";
import { codeAt, newProtectedPerson, setLoginPolicy } from "../../testing/factors";
import { answerOf, authorizePath, basic, postToken, REDIRECT_URI, type Tokens } from "../../testing/flow";
import { type TestService, testService } from "../../testing/test-context";
import { SERVICE_SCOPE } from "../../testing/token-example";

const LOGIN = "https://login.acme.test/own";
const MACHINE_SECRET = "a-secret-of-a-machine-with-40-characters-or-more";
const [acme] = exampleBootstrap.organizations;
const machine = (id: string, role: string) => ({ id, userName: id, name: id, secret: MACHINE_SECRET, roles: [role] });
const oidc = {
  redirectUris: [REDIRECT_URI],
  clientSecret: SECRET,
  authMethodType: "OIDC_AUTH_METHOD_TYPE_BASIC",
  grantTypes: ["OIDC_GRANT_TYPE_AUTHORIZATION_CODE", "OIDC_GRANT_TYPE_DEVICE_CODE"],
  loginVersion: { loginV2: { baseUri: LOGIN } },
};
const bootstrap = {
  organizations: [
    {
      ...acme,
      machines: [machine("login", "IAM_LOGIN_CLIENT"), machine("owner", "ORG_OWNER")],
      projects: [
        ...(acme?.projects ?? []),
        {
          id: "p-own",
          name: "Own login",
          apps: [
            { id: "a-own", name: "Own", oidc: { clientId: "own", ...oidc } },
            { id: "a-asked", name: "Asked", oidc: { clientId: "asked", ...oidc, isThirdParty: true } },
          ],
        },
      ],
    },
    {
      id: "other",
      name: "Other",
      domains: [{ domain: "other.test", verified: true, primary: true }],
      users: [
        {
          id: "u-olga",
          userName: "olga",
          password: PASSWORD,
          profile: { firstName: "Olga", lastName: "Other" },
          email: { email: "olga@other.test", isEmailVerified: true },
        },
      ],
    },
  ],
};

interface Session {
  sessionId: string;
  sessionToken: string;
}

describe.each(databaseKinds)("a login of its own, on %s", (kind) => {
  let service: TestService;
  const tokens = { login: "", owner: "" };
  beforeAll(async () => {
    service = await testService(kind, bootstrap);
  });
  // Tests advance the clock.
  beforeEach(async () => {
    for (const name of ["login", "owner"] as const) {
      const form = { grant_type: "client_credentials", scope: `openid ${SERVICE_SCOPE}` };
      const answer = await postToken(service, form, basic(name, MACHINE_SECRET));
      tokens[name] = ((await answer.json()) as Tokens).access_token;
    }
  });
  afterAll(() => service.close());

  const call = (method: string, path: string, body?: unknown, as: keyof typeof tokens = "login") =>
    callApi(service, method, path, { token: tokens[as], body });
  const create = (checks: object, more: object = {}) =>
    call("POST", "/v2/sessions", { checks, userAgent: { ip: "192.0.2.7", description: "Firefox" }, ...more });
  const bob = { user: { loginName: "bob@acme.test" }, password: { password: PASSWORD } };
  const signedIn = async (checks: object = bob): Promise<Session> => {
    const made = await create(checks);
    expect([made.status, made.body.details?.[0]?.id]).toEqual([200, undefined]);
    return made.body;
  };
  const set = (session: Session, checks: object, more: object = {}) =>
    call("PATCH", `/v2/sessions/${session.sessionId}`, { sessionToken: session.sessionToken, checks, ...more });
  async function requestOf(parameters: Record<string, string> = {}): Promise<string> {
    const answer = await service.fetch(authorizePath({ client_id: "own", scope: "openid", ...parameters }));
    const url = new URL(answer.headers.get("location") ?? "");
    expect(url.origin + url.pathname).toBe(`${LOGIN}/login`);
    return url.searchParams.get("authRequest") ?? "";
  }
  const callback = (id: string, { sessionId, sessionToken }: Session, as: keyof typeof tokens = "login") =>
    call("POST", `/v2/oidc/auth_requests/${id}`, { session: { sessionId, sessionToken } }, as);
  const parametersOf = ({ body }: ApiResult) => new URL(body.callbackUrl).searchParams;

  it("reads the request, checks the user and answers the app", async () => {
    const id = await requestOf({ login_hint: "bob", max_age: "600", prompt: "login" });
    const { body } = await call("GET", `/v2/oidc/auth_requests/${id}`);
    expect(body.authRequest).toMatchObject({
      ...{ id, clientId: "own", scope: ["openid"], redirectUri: REDIRECT_URI, loginHint: "bob", maxAge: "600s" },
      prompt: ["PROMPT_LOGIN"],
    });
    const session = await signedIn();
    const shown = await call("GET", `/v2/sessions/${session.sessionId}`);
    expect(shown.body.session.factors).toMatchObject({ user: { id: "u-bob" }, password: {} });
    const listed = await call("POST", "/v2/sessions/search", { queries: [{ userIdQuery: { id: "u-bob" } }] });
    expect(listed.body.sessions).toMatchObject([{ id: session.sessionId, userAgent: { ip: "192.0.2.7" } }]);
    const answer = parametersOf(await callback(id, session));
    expect(answer.get("state")).toBe("s-1");
    const form = { grant_type: "authorization_code", code: answer.get("code") ?? "", redirect_uri: REDIRECT_URI };
    const redeemed = await postToken(service, form, basic("own", SECRET));
    expect(((await redeemed.json()) as Tokens).id_token).toEqual(expect.any(String));
  });

  it("answers a request once, with a session or with an error", async () => {
    const id = await requestOf();
    const session = await signedIn();
    const both = await Promise.all([callback(id, session), callback(id, session)]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 400]);
    expect(refusalOf(await callback(id, session)).id).toBe("auth_request.answered");
    const other = await requestOf();
    const error = { error: { error: "ERROR_REASON_ACCESS_DENIED", errorDescription: "no" } };
    const denied = await call("POST", `/v2/oidc/auth_requests/${other}`, error);
    expect(Object.fromEntries(parametersOf(denied))).toMatchObject({ error: "access_denied", state: "s-1" });
    expect(refusalOf(await callback(other, session)).id).toBe("auth_request.answered");
  });

  it("is refused to callers without the role, whatever their role in an organization", async () => {
    const id = await requestOf();
    const session = await signedIn();
    for (const refused of [
      call("GET", `/v2/oidc/auth_requests/${id}`, undefined, "owner"),
      callback(id, session, "owner"),
      call("POST", "/v2/sessions", { checks: bob }, "owner"),
      call("PATCH", `/v2/sessions/${session.sessionId}`, { sessionToken: session.sessionToken }, "owner"),
      call("GET", `/v2/sessions/${session.sessionId}?sessionToken=${session.sessionToken}`, undefined, "owner"),
    ]) {
      expect(refusalOf(await refused)).toMatchObject({ status: 403, id: "access.denied" });
    }
    expect((await callback(id, session)).status).toBe(200);
  });

  it("refuses tokens of other sessions, replaced tokens, and texts that are not tokens", async () => {
    const [one, two] = [await signedIn(), await signedIn({ ...bob, user: { loginName: "ada@acme.test" } })];
    const id = await requestOf();
    for (const mixed of [
      { ...one, sessionToken: two.sessionToken },
      { ...one, sessionToken: "none" },
      { ...one, sessionToken: id },
    ]) {
      expect(refusalOf(await callback(id, mixed)).id).toBe("session.not_found");
      expect(refusalOf(await set(mixed, {})).id).toBe("session.not_found");
    }
    const again = { ...one, ...(await set(one, { password: { password: PASSWORD } })).body };
    expect(refusalOf(await callback(id, one)).id).toBe("auth_request.session_missing");
    // Another user needs another session.
    expect(refusalOf(await set(again, { user: { loginName: "ada@acme.test" } })).id).toBe("session.has_user");
    expect((await callback(id, again)).status).toBe(200);
    // A flow of the hosted pages is no request of an own login.
    const hosted = new URL((await service.fetch(authorizePath())).headers.get("location") ?? "").searchParams.get(
      "flow",
    );
    expect(refusalOf(await callback(hosted ?? "", again)).id).toBe("auth_request.not_found");
  });

  it("does not tell names that exist from others, and blocks guesses like the hosted pages", async () => {
    const wrong = { password: { password: "wrong wrong wrong" } };
    const named = await create({ user: { loginName: "bob@acme.test" } });
    const unnamed = await create({ user: { loginName: "nobody@acme.test" } });
    expect(Object.keys(named.body)).toEqual(Object.keys(unnamed.body));
    for (const { body } of [named, unnamed]) {
      const { session } = (await call("GET", `/v2/sessions/${body.sessionId}?sessionToken=${body.sessionToken}`)).body;
      expect(session.factors).toEqual({});
    }
    const ids = async (loginName: string) => {
      const seen: string[] = [];
      for (let guess = 0; guess < 6; guess++) {
        const refused = await create({ user: { loginName }, ...wrong }, { userAgent: { ip: "198.51.100.9" } });
        seen.push(refusalOf(refused).id);
      }
      return seen;
    };
    const guesses = await ids("olga@other.test");
    expect(guesses).toEqual(await ids("nobody@other.test"));
    expect(guesses.at(0)).toBe("session.credentials_wrong");
    expect(guesses.at(-1)).toBe("session.throttled");
    service.advance(60 * 60_000);
  });

  it("needs the second factor before the session counts", async () => {
    const person = await newProtectedPerson(service, PASSWORD);
    const id = await requestOf();
    const checks = { user: { userId: person.id }, password: { password: PASSWORD } };
    const half = await signedIn(checks);
    expect(refusalOf(await callback(id, half)).id).toBe("auth_request.second_factor_missing");
    expect(refusalOf(await call("GET", `/v2/sessions/${half.sessionId}`)).id).toBe("session.not_found");
    expect(refusalOf(await set(half, { totp: { code: "000000" } })).id).toBe("session.code_wrong");
    expect(refusalOf(await set(half, { otpEmail: { code: "000000" } })).id).toBe("session.factor_unavailable");
    service.advance(30_000);
    const whole = {
      ...half,
      ...(await set(half, { totp: { code: codeAt(person.secret, service.ctx.clock()) } })).body,
    };
    const { session } = (await call("GET", `/v2/sessions/${half.sessionId}?sessionToken=${whole.sessionToken}`)).body;
    expect(session.factors).toMatchObject({ user: { id: person.id }, password: {}, totp: {} });
    expect(parametersOf(await callback(id, whole)).get("code")).toEqual(expect.any(String));
    // A factor without the password proves nothing.
    const bare = await signedIn({ user: { userId: person.id } });
    expect(refusalOf(await set(bare, { totp: { code: "000000" } })).id).toBe("session.factor_unavailable");
  });

  it("needs a second factor to be set up, and a new password, where the account does", async () => {
    const session = await signedIn();
    await setLoginPolicy(service, { forceMfa: true });
    expect(refusalOf(await callback(await requestOf(), session)).id).toBe("auth_request.factor_setup_missing");
    await setLoginPolicy(service, { forceMfa: false });
    const { db } = service.ctx;
    await db.prisma.user.update({ where: { id: "u-bob" }, data: { passwordChangeRequired: true } });
    expect(refusalOf(await callback(await requestOf(), session)).id).toBe("auth_request.password_change_missing");
    await db.prisma.user.update({ where: { id: "u-bob" }, data: { passwordChangeRequired: false } });
    await db.prisma.user.update({ where: { id: "u-bob" }, data: { state: "locked" } });
    expect(refusalOf(await callback(await requestOf(), session)).id).toBe("auth_request.session_missing");
    expect(refusalOf(await create(bob)).id).toBe("session.credentials_wrong");
    await db.prisma.user.update({ where: { id: "u-bob" }, data: { state: "active" } });
  });

  it("is given no request that only the hosted pages may ask about, and no user whom the app does not admit", async () => {
    const asked = await service.fetch(authorizePath({ client_id: "asked", scope: "openid" }));
    expect(asked.headers.get("location")).toContain("/login?flow=");
    const posted = await service.fetch(
      authorizePath({ client_id: "own", scope: "openid", response_mode: "form_post" }),
    );
    expect(posted.headers.get("location")).toContain("/login?flow=");
    const foreign = await signedIn({ user: { loginName: "olga@other.test" }, password: { password: PASSWORD } });
    // The app belongs to another organization, so its user is asked on the hosted page.
    const elsewhere = await callback(await requestOf(), foreign);
    expect(elsewhere.body.callbackUrl).toContain("/login?flow=");
    const scope = "openid urn:service:iam:org:id:acme";
    expect(refusalOf(await callback(await requestOf({ scope }), foreign)).id).toBe(
      "auth_request.authentication_missing",
    );
    const silent = await service.fetch(authorizePath({ client_id: "own", scope: "openid", prompt: "none" }));
    expect(answerOf(silent).get("error")).toBe("login_required");
  });

  it("expires with the sign-in", async () => {
    const id = await requestOf();
    service.advance(31 * 60_000);
    expect(refusalOf(await call("GET", `/v2/oidc/auth_requests/${id}`)).id).toBe("auth_request.not_found");
    expect(refusalOf(await callback(id, await signedIn())).id).toBe("auth_request.not_found");
  });

  it("allows or denies a device by its code", async () => {
    const start = async () => {
      const answer = await service.fetch("/oauth/v2/device_authorization", {
        method: "POST",
        headers: { authorization: basic("own", SECRET) },
        body: new URLSearchParams({ scope: "openid" }),
      });
      return (await answer.json()) as { user_code: string; device_code: string };
    };
    const read = async (code: string) => (await call("GET", `/v2/oidc/device_authorization/${code}`)).body;
    const poll = async (device_code: string) => {
      const form = { grant_type: "urn:ietf:params:oauth:grant-type:device_code", device_code };
      const answer = await postToken(service, form, basic("own", SECRET));
      return (await answer.json()) as { error?: string; access_token?: string };
    };
    const [allowed, denied] = [await start(), await start()];
    const first = (await read(allowed.user_code)).deviceAuthorizationRequest;
    expect(first).toMatchObject({ clientId: "own", scope: ["openid"], appName: "Own" });
    const session = await signedIn();
    const { sessionId, sessionToken } = session;
    const yes = await call("POST", `/v2/oidc/device_authorization/${first.id}`, {
      session: { sessionId, sessionToken },
    });
    expect([yes.status, yes.body]).toEqual([200, {}]);
    expect(await poll(allowed.device_code)).toMatchObject({ access_token: expect.any(String) });
    const second = (await read(denied.user_code)).deviceAuthorizationRequest;
    expect((await call("POST", `/v2/oidc/device_authorization/${second.id}`, { deny: {} })).status).toBe(200);
    expect((await poll(denied.device_code)).error).toBe("access_denied");
    expect((await call("POST", `/v2/oidc/device_authorization/${second.id}`, { session })).status).toBe(404);
    expect((await call("GET", "/v2/oidc/device_authorization/BCDF-GHJK")).status).toBe(404);
  });
});
