import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { changeDirectory } from "../../directory/change";
import { setPolicy } from "../../directory/policy/policies";
import { type ApiResult, callApi, refusalOf } from "../../testing/api";
import { newAuthenticator, type Options } from "../../testing/authenticator";
import { ruleDatabases } from "../../testing/database";
import { exampleBootstrap, PASSWORD } from "../../testing/example";
import { formOptions, hiddenFields, newPerson } from "../../testing/factors";
import { basic, postToken, type Tokens } from "../../testing/flow";
import { atHome } from "../../testing/own-account";
import { type TestService, testService } from "../../testing/test-context";
import { SERVICE_SCOPE } from "../../testing/token-example";

const MACHINE_SECRET = "a-secret-of-a-machine-with-40-characters-or-more";
const [acme] = exampleBootstrap.organizations;
const machine = (id: string, ...roles: string[]) => ({ id, userName: id, name: id, secret: MACHINE_SECRET, roles });
const olga = {
  id: "u-olga",
  userName: "olga",
  password: PASSWORD,
  profile: { firstName: "Olga", lastName: "Other" },
  email: { email: "olga@other.test", isEmailVerified: true },
};
const bootstrap = {
  organizations: [
    { ...acme, machines: [machine("login", "IAM_LOGIN_CLIENT"), machine("plain")] },
    {
      id: "other",
      name: "Other",
      domains: [{ domain: "other.test", verified: true, primary: true }],
      users: [olga],
      machines: [machine("rival", "ORG_OWNER")],
    },
  ],
};
type Caller = "login" | "plain" | "rival";

describe.each(ruleDatabases)("sessions of a login of its own, on %s", (kind) => {
  let service: TestService;
  const tokens = { login: "", plain: "", rival: "" };
  beforeAll(async () => {
    service = await testService(kind, bootstrap);
  });
  beforeEach(async () => {
    service.advance(25 * 60 * 60_000); // no test is throttled for those before it
    for (const name of Object.keys(tokens) as Caller[]) {
      const form = { grant_type: "client_credentials", scope: `openid ${SERVICE_SCOPE}` };
      const answer = await postToken(service, form, basic(name, MACHINE_SECRET));
      tokens[name] = ((await answer.json()) as Tokens).access_token;
    }
  });
  afterAll(() => service.close());

  const call = (method: string, path: string, body?: unknown, as: Caller = "login") =>
    callApi(service, method, path, { token: tokens[as], body });
  let devices = 0;
  const create = (body: object, ip = `192.0.2.${++devices}`) =>
    call("POST", "/v2/sessions", { userAgent: { ip }, ...body });
  const signedIn = async (loginName = "bob@acme.test") => {
    const { status, body } = await create({ checks: { user: { loginName }, password: { password: PASSWORD } } });
    expect([status, body.details?.id]).toEqual([200, undefined]);
    return body as { sessionId: string; sessionToken: string };
  };
  const end = (id: string, sessionToken?: string, as?: Caller) =>
    call("DELETE", `/v2/sessions/${id}`, sessionToken === undefined ? undefined : { sessionToken }, as);

  describe("are ended", () => {
    it("by any caller with the token, also those of users with more permissions", async () => {
      const { sessionId, sessionToken } = await signedIn("ada@acme.test");
      expect(refusalOf(await end(sessionId)).id).toBe("access.higher_role");
      const wrong = await signedIn();
      for (const as of ["login", "rival"] as const) {
        expect(refusalOf(await end(sessionId, wrong.sessionToken, as)).id).toBe("session.not_found");
        expect(refusalOf(await end(sessionId, "none", as)).id).toBe("session.not_found");
      }
      expect((await call("GET", `/v2/sessions/${sessionId}`)).status).toBe(200);
      const ended = await end(sessionId, sessionToken, "plain");
      expect([ended.status, ended.body.details.resourceOwner]).toEqual([200, "acme"]);
      expect((await call("GET", `/v2/sessions/${sessionId}`)).status).toBe(404);
      expect(refusalOf(await end(sessionId, sessionToken)).id).toBe("session.not_found");
    });

    it("by the login client without a token, but not by callers without the permission", async () => {
      const { sessionId } = await signedIn("olga@other.test");
      const refused = refusalOf(await end(sessionId, undefined, "plain"));
      expect(refused).toEqual(refusalOf(await end("none", undefined, "plain")));
      expect(refused.id).toBe("access.denied");
      expect((await end(sessionId)).status).toBe(200);
    });

    it("with their user, whose factors their token no longer shows", async () => {
      const person = await newPerson(service, PASSWORD);
      const { sessionId, sessionToken } = await signedIn(person.loginName);
      await service.ctx.db.prisma.user.delete({ where: { id: person.id } });
      const shown = await call("GET", `/v2/sessions/${sessionId}?sessionToken=${sessionToken}`);
      expect(refusalOf(shown).id).toBe("session.not_found");
    });

    it("before their last factor, when they are nothing but their token", async () => {
      const { body } = await create({ checks: { user: { loginName: "bob@acme.test" } } });
      expect((await end(body.sessionId, body.sessionToken)).status).toBe(200);
    });
  });

  describe("check a passkey", () => {
    async function withPasskey() {
      const person = await newPerson(service, PASSWORD);
      const home = await atHome(service, person);
      const authenticator = newAuthenticator();
      const html = await home.page("passkey");
      const action = "/account/passkey/submit";
      const credential = authenticator.create(formOptions(html) as Options);
      await home.browser.post(action, { ...hiddenFields(html, action), session: home.session, credential });
      return { ...person, authenticator };
    }
    const challenged = async (checks?: object) => {
      const { body } = await create({ checks, challenges: { webAuthN: { domain: "localhost" } } });
      const { publicKey } = body.challenges.webAuthN.publicKeyCredentialRequestOptions;
      return { sessionId: body.sessionId, sessionToken: body.sessionToken, options: publicKey as Options };
    };
    type Challenged = Awaited<ReturnType<typeof challenged>>;
    const answer = ({ sessionId, sessionToken }: Challenged, signed: string) =>
      call("PATCH", `/v2/sessions/${sessionId}`, {
        sessionToken,
        checks: { webAuthN: { credentialAssertionData: JSON.parse(signed) } },
      });

    it("as the only factor, of a user who is named or not", async () => {
      const { id, loginName, authenticator } = await withPasskey();
      for (const checks of [undefined, { user: { loginName } }, { user: { userId: id } }]) {
        const session = await challenged(checks);
        const done = await answer(session, authenticator.get(session.options));
        expect(done.status).toBe(200);
        const { body } = await call("GET", `/v2/sessions/${session.sessionId}`);
        expect(body.session.factors).toMatchObject({ user: { id }, webAuthN: { userVerified: true } });
      }
    });

    it("and ask second factors alone not to verify their user", async () => {
      const { loginName } = await withPasskey();
      const userVerificationRequirement = "USER_VERIFICATION_REQUIREMENT_DISCOURAGED";
      const wanted = async (checks: object) => {
        const challenges = { webAuthN: { domain: "localhost", userVerificationRequirement } };
        const { body } = await create({ checks, challenges });
        return body.challenges.webAuthN.publicKeyCredentialRequestOptions.publicKey.userVerification;
      };
      const user = { loginName };
      expect(await wanted({ user })).toBe("required");
      expect(await wanted({ user, password: { password: PASSWORD } })).toBe("discouraged");
    });

    it("and refuse one that lies, answers twice, or belongs to another user", async () => {
      const [mine, other] = [await withPasskey(), await withPasskey()];
      const session = await challenged({ user: { userId: mine.id } });
      for (const signed of [
        mine.authenticator.get(session.options, { origin: "https://evil.test" }),
        mine.authenticator.get(session.options, { challenge: "AAAA" }),
        mine.authenticator.get(session.options, { unverified: true }),
        other.authenticator.get(session.options),
      ]) {
        expect(refusalOf(await answer(session, signed)).id).toBe("session.code_wrong");
      }
      const another = await challenged({ user: { userId: mine.id } });
      const signed = mine.authenticator.get(another.options);
      expect((await answer(another, signed)).status).toBe(200);
      expect(refusalOf(await answer(another, signed)).status).not.toBe(200);
      expect((await create({ challenges: { webAuthN: { domain: "evil.test" } } })).status).toBe(400);
    });
  });

  describe("do not tell users apart, as the hosted pages", () => {
    const states: [string, string, () => Promise<unknown>][] = [
      ["an unknown name", "nobody@other.test", async () => {}],
      ["a locked user", "olga@other.test", () => setUser("locked")],
      ["an inactive user", "olga@other.test", () => setUser("inactive")],
      ["a user of an inactive organization", "olga@other.test", () => setOrganization("inactive")],
    ];
    const setUser = (state: "active" | "locked" | "inactive") =>
      service.ctx.db.prisma.user.update({ where: { id: "u-olga" }, data: { state } });
    const setOrganization = (state: "active" | "inactive") =>
      service.ctx.db.prisma.organization.update({ where: { id: "other" }, data: { state } });
    const said = ({ status, body }: ApiResult) => [status, body.message, body.details?.[0]?.id];

    it.each(states)("%s is refused like a wrong password, whatever the password", async (_, loginName, prepare) => {
      const wrong = await create({ checks: { user: { loginName: "bob@acme.test" }, password: { password: "wrong" } } });
      await prepare();
      for (const password of [PASSWORD, "wrong"]) {
        expect(said(await create({ checks: { user: { loginName }, password: { password } } }))).toEqual(said(wrong));
      }
      const { body } = await create({ checks: { user: { loginName } } });
      const path = `/v2/sessions/${body.sessionId}?sessionToken=${body.sessionToken}`;
      expect((await call("GET", path)).body.session.factors).toEqual({});
      await setUser("active");
      await setOrganization("active");
    });

    it("blocks any name, known or not, in all networks after the wrong passwords that the policy allows", async () => {
      const limits = { maxPasswordAttempts: 10 };
      const { ctx } = service;
      await changeDirectory(ctx, (ctx) =>
        setPolicy({ ...ctx, origin: { actor: "operator" } }, "other", "lockout", limits),
      );
      for (const loginName of ["olga@other.test", "nobody@other.test"]) {
        const guess = (password: string) => create({ checks: { user: { loginName }, password: { password } } });
        const ids: string[] = [];
        for (let number = 0; number < 10; number++) ids.push(refusalOf(await guess("wrong")).id);
        expect(new Set(ids.slice(0, 9))).toEqual(new Set(["session.credentials_wrong"]));
        expect(refusalOf(await guess(PASSWORD)).id).toBe("session.throttled");
      }
    });
  });
});
