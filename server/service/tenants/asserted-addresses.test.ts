import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { changeDirectory } from "../../directory/change";
import { addDomain } from "../../directory/organization/domain";
import { findUserForSignIn } from "../../directory/user/user";
import { refusalOf } from "../../testing/api";
import { ruleDatabases } from "../../testing/database";
import { PASSWORD, SECRET } from "../../testing/example";
import { authorize, basic, flowOf, postToken, REDIRECT_URI, type Tokens, userinfo } from "../../testing/flow";
import { mailsTo } from "../../testing/mailed";
import { type ApiCaller, callerOf, tenantsBootstrap } from "../../testing/tenants";
import { type TestService, testService } from "../../testing/test-context";
import { recipientsOf, type TwoMailServers, twoMailServers } from "../../testing/two-mail-servers";
import { requestOf } from "../../testing/visits";

const M = "/management/v1";
const profile = { firstName: "C", lastName: "E" };

describe.each(ruleDatabases)("addresses and names under another organization's domain, on %s", (kind) => {
  let service: TestService;
  let acme: ApiCaller;
  let evil: ApiCaller;
  let mail: TwoMailServers;
  beforeAll(async () => {
    service = await testService(kind, tenantsBootstrap);
    [acme, evil] = [await callerOf(service, "acme-bot"), await callerOf(service, "evil-mallory")];
    mail = await twoMailServers(service);
  });
  afterAll(async () => {
    await mail.stop();
    await service.close();
  });

  /** Registers at an app of evil up to the mail; returns the location of the browser after the form. */
  async function register(
    email: string,
    parameters: Record<string, string> = {},
    client = "evil-web",
    before = async () => {},
  ) {
    service.advance(3_601_000);
    const browser = service.browser();
    const first = await browser.get(requestOf(client, { prompt: "create", ...parameters }));
    const form = { email, givenName: "C", familyName: "E", password: PASSWORD };
    const waiting = await browser.post("/login/create-account/submit", { flow: flowOf(first), ...form });
    const code = (await mailsTo(service))
      .filter(({ recipient }) => recipient.toLowerCase() === email.toLowerCase())
      .at(-1)?.code;
    await before();
    if (code) await browser.post("/login/verify-email/submit", { flow: flowOf(waiting), code });
    return { status: waiting.status, page: (waiting.headers.get("location") ?? "").split("?")[0] };
  }
  const namesOf = async (organizationId: string) =>
    (await service.ctx.db.prisma.user.findMany({ where: { organizationId } })).map(({ loginNameKey }) => loginNameKey);

  it.each<[string, Record<string, string>, string]>([
    ["ceo@acme.test", {}, "evil-web"],
    ["CFO@ACME.TEST", {}, "evil-spa"],
    ["coo@Acme.Test.", {}, "evil-web"],
    ["cto@ａcme.test", {}, "evil-web"],
    ["cmo@acme.test", { scope: "openid urn:service:iam:org:id:evil" }, "own"],
    ["cio@acme.test", { scope: "openid urn:service:iam:org:domain:primary:evil.test" }, "own"],
  ])("registration makes no %s in the organization of the app", async (email, parameters, client) => {
    await register(email, parameters, client);
    expect((await namesOf("evil")).filter((name) => name.startsWith(email.slice(0, 3).toLowerCase()))).toEqual([]);
    await mail.deliver();
    expect(recipientsOf(mail.theirs).filter((to) => /acme/i.test(to))).toEqual([]);
  });

  it("registration does not reveal the owner of the domain to a stranger", async () => {
    expect(await register("someone@acme.test")).toEqual(await register("someone@nobody-owns.test"));
  });

  it.each([
    "ceo@hr.acme.test",
    "CEO@HR.Acme.Test.",
    "ceo@a.b.c.d.e.f.g.h.acme.test",
    "ceo@ｈr.acme.test",
    "ceo@hr.аcme.test",
  ])(
    "administrators of other organizations give nobody the name %s below it, by import, rename or machine",
    async (userName) => {
      const free = await evil("POST", `${M}/users/human/_import`, {
        userName: `free-${Buffer.from(userName).toString("hex")}@evil.test`,
        profile,
        email: { email: "free@evil.test", isEmailVerified: true },
      });
      const person = { userName, profile, email: { email: "x@evil.test", isEmailVerified: true } };
      const answers = [
        await evil("POST", `${M}/users/human/_import`, person),
        await evil("POST", `${M}/users/machine`, { userName, name: "M" }),
        await evil("PUT", `${M}/users/${free.body.userId}/username`, { userName }),
      ];
      expect(answers.map((answer) => [answer.status, refusalOf(answer).id])).toEqual(
        answers.map(() => [400, "user.domain_taken"]),
      );
    },
  );

  it("reassigns names below a domain when it is proven, and resolves them to its owner's users", async () => {
    const body = (userName: string, email: string) => ({ userName, profile, email: { email, isEmailVerified: true } });
    const early = await evil("POST", `${M}/users/human/_import`, body("ceo@hr.new.test", "early@evil.test"));
    expect(early.status).toBe(200);
    await changeDirectory(service.ctx, (ctx) =>
      addDomain({ ...service.ctx, tx: ctx.tx, origin: { actor: "operator" } }, "acme", "new.test", true),
    );
    const { loginNameKey } = await service.ctx.db.prisma.user.findUniqueOrThrow({ where: { id: early.body.userId } });
    expect(loginNameKey).toMatch(/@temporary\./);
    const rightful = await acme("POST", `${M}/users/human/_import`, body("ceo@hr.new.test", "ceo@acme.test"));
    expect((await findUserForSignIn(service.ctx, "ceo@hr.new.test"))?.id).toBe(rightful.body.userId);
  });

  it("leaves the names to the organization with the domain", async () => {
    for (const userName of ["ceo@acme.test", "cfo"]) {
      const body = {
        userName,
        profile,
        email: { email: `${userName.split("@")[0]}@acme.test`, isEmailVerified: true },
      };
      expect([userName, (await acme("POST", `${M}/users/human/_import`, body)).status]).toEqual([userName, 200]);
    }
  });

  it("checks again when the code arrives: the domain may have been proven in the meantime", async () => {
    await register("x@later.test", {}, "evil-web", async () => {
      await service.ctx.db.prisma.domain.create({
        data: {
          organizationId: "acme",
          domain: "later.test",
          isVerified: true,
          isPrimary: false,
          createdAt: new Date(),
        },
      });
    });
    expect(await namesOf("evil")).not.toContain("x@later.test");
  });

  it("refuses such names in every other way", async () => {
    const userName = "cxo@acme.test";
    const email = { email: "c@evil.test", isEmailVerified: true };
    const v2 = { username: userName, profile: { givenName: "C", familyName: "E" }, email: { email: "c@evil.test" } };
    const { username, ...human } = v2;
    const renamed = (await evil("POST", `${M}/users/human/_import`, { userName: "plain", profile, email })).body.userId;
    // An unverified domain grants nothing, so any organization may list it.
    expect((await evil("POST", `${M}/orgs/me/domains`, { domain: "acme.test" })).status).toBe(200);
    const answers = {
      add: await evil("POST", `${M}/users/human`, { userName, profile, email }),
      import: await evil("POST", `${M}/users/human/_import`, { userName, profile, email }),
      machine: await evil("POST", `${M}/users/machine`, { userName, name: "C" }),
      v2: await evil("POST", "/v2/users/human", v2),
      new: await evil("POST", "/v2/users/new", { username, human }),
      emailOnly: await evil("POST", "/v2/users/human", { ...human, email: { email: userName } }),
      rename: await evil("PUT", `${M}/users/${renamed}/username`, { userName }),
      primary: await evil("POST", `${M}/orgs/me/domains/acme.test/_set_primary`, {}),
    };
    const taken = Object.entries(answers).filter(([, { status }]) => ![400, 404, 409].includes(status));
    expect(taken.map(([door]) => door)).toEqual([]);
    await evil("POST", `${M}/users/_bulk_import`, { mode: "EACH_BY_ITSELF", users: [{ userName, profile, email }] });
    expect((await namesOf("evil")).filter((name) => name.includes("acme.test"))).toEqual([]);
  });

  it("sends codes for such addresses only through the service's own server", async () => {
    service.advance(3_601_000);
    await evil("PUT", `${M}/users/u-carl/email`, { email: "bob@acme.test" });
    await evil("POST", `${M}/users/u-carl/email/_resend_verification`, {});
    const body = { userName: "frenemy", profile, email: { email: "olga@acme.test" } };
    const { body: added } = await evil("POST", `${M}/users/human`, body);
    await evil("POST", `${M}/users/${added.userId}/_resend_initialization`, {});
    await evil("POST", `${M}/users/human`, {
      userName: "control",
      profile,
      email: { email: "control@elsewhere.test" },
    });
    await mail.deliver();
    expect(recipientsOf(mail.theirs)).toContain("control@elsewhere.test");
    expect(recipientsOf(mail.theirs).filter((to) => /acme\.test$/i.test(to))).toEqual([]);
  });

  describe("an address that two organizations assert", () => {
    const dora = { email: "dora@mail.example", isEmailVerified: true };
    const theirs = "another password altogether";
    beforeAll(async () => {
      const made = await acme("POST", `${M}/users/human/_import`, {
        userId: "u-dora",
        userName: "dora",
        profile,
        email: dora,
        password: PASSWORD,
      });
      expect(made.status).toBe(200);
    });
    /** Returns the user who is signed in with that address and a password, or undefined. */
    async function signIn(password = PASSWORD): Promise<string | undefined> {
      const person = { loginName: "dora@mail.example", password };
      const answer = await authorize(service.browser(), { client_id: "own", scope: "openid" }, person);
      const code = answer.get("code");
      if (code === null) return undefined;
      const { sub } = (await (await userinfo(service, await tokenFor(code))).json()) as { sub: string };
      return sub;
    }
    async function tokenFor(code: string): Promise<string> {
      const form = { grant_type: "authorization_code", code, redirect_uri: REDIRECT_URI };
      return ((await (await postToken(service, form, basic("own", SECRET))).json()) as Tokens).access_token;
    }

    it.each<[string, (call: ApiCaller) => Promise<unknown>]>([
      [
        "an import",
        (call) =>
          call("POST", `${M}/users/human/_import`, { userName: "dora-1", profile, email: dora, password: theirs }),
      ],
      [
        "version 2",
        (call) =>
          call("POST", "/v2/users/human", {
            username: "dora-2",
            profile: { givenName: "D", familyName: "A" },
            email: { email: "Dora@Mail.Example", isVerified: true },
            password: { password: theirs },
          }),
      ],
      ["a changed address", (call) => call("PUT", `${M}/users/u-carl/email`, dora)],
      [
        "an import of many",
        (call) =>
          call("POST", `${M}/users/_bulk_import`, {
            mode: "EACH_BY_ITSELF",
            users: [{ userName: "dora-3", profile, email: dora }],
          }),
      ],
      [
        "a user of that name",
        (call) =>
          call("POST", `${M}/users/human/_import`, {
            userName: "dora@mail.example",
            profile,
            password: theirs,
            email: { email: "own@evil.test", isEmailVerified: true },
          }),
      ],
      [
        "a machine of that name",
        (call) => call("POST", `${M}/users/machine`, { userName: "DORA@mail.example", name: "D" }),
      ],
    ])("still signs its owner in after %s", async (_, act) => {
      expect(await signIn()).toBe("u-dora");
      await act(evil);
      expect(await signIn()).toBe("u-dora");
      expect(await signIn(theirs)).not.toBe("u-dora");
    });

    it("still lets the owner set a new password", async () => {
      service.advance(3_601_000);
      const browser = service.browser();
      const first = await browser.get(requestOf("own"));
      await browser.post("/login/forgot-password/submit", { flow: flowOf(first), loginName: "dora@mail.example" });
      const row = await service.ctx.db.prisma.outboxMessage.findFirst({
        where: { type: "passwordreset" },
        orderBy: [{ createdAt: "desc" }, { id: "desc" }],
      });
      expect([row?.userId, row?.recipient]).toEqual(["u-dora", "dora@mail.example"]);
    });
  });
});
