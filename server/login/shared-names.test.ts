/** Names and addresses that exist in two organizations: neither organization's user locks out the other's. */
import { beforeEach, describe, expect, it } from "vitest";
import { findUserForSignIn } from "../directory/user/user";
import { apiToken, callApi } from "../testing/api";
import { ruleDatabases } from "../testing/database";
import { PASSWORD, SECRET } from "../testing/example";
import { authorize, authorizePath, basic, postToken, REDIRECT_URI, type Tokens, userinfo } from "../testing/flow";
import { lastMailTo, mailsTo } from "../testing/mailed";
import { managementToken, tenants } from "../testing/tenants-example";
import { type TestBrowser, type TestService, testService } from "../testing/test-context";

const OWN = "lamp river tram window";
const THEIRS = "another long password";
const flowOf = (location: string | null) => new URL(location ?? "").searchParams.get("flow") ?? "";

describe.each(ruleDatabases)("names that exist in two organizations, on %s", (kind) => {
  let service: TestService;
  let evil = "";
  let acme = "";
  beforeEach(async () => {
    service = await testService(kind, tenants);
    [acme, evil] = [await apiToken(service), await managementToken(service, "mallory")];
    // By a manager of ACME only, whose assertion counts there.
    await callApi(service, "POST", "/management/v1/orgs/me/members", {
      token: acme,
      body: { userId: "m-ci", roles: ["ORG_OWNER"] },
    });
    acme = await managementToken(service, "ci");
  });
  const add = async (token: string, userName: string, email: string, password: string) => {
    const body = {
      userName,
      password,
      profile: { firstName: "Dora", lastName: "D" },
      email: { email, isEmailVerified: true },
    };
    const { body: answer } = await callApi(service, "POST", "/management/v1/users/human/_import", { token, body });
    return answer.userId as string;
  };
  /** Returns the user who is signed in to the app by that name and password. */
  const signIn = async (clientId: string, loginName: string, password: string) => {
    const browser = service.browser();
    const code = (await authorize(browser, { client_id: clientId }, { loginName, password })).get("code");
    if (code === null) return undefined;
    const form = { grant_type: "authorization_code", code, redirect_uri: REDIRECT_URI };
    const tokens = (await (await postToken(service, form, basic(clientId, SECRET))).json()) as Tokens;
    return (await (await userinfo(service, tokens.access_token)).json()) as { sub: string; email_verified: boolean };
  };

  it("an address that an administrator asserts signs in only in that organization", async () => {
    const dora = await add(acme, "dora", "dora@mail.example", OWN);
    const shade = await add(evil, "shade", "dora@mail.example", THEIRS);
    expect((await signIn("web", "dora@mail.example", OWN))?.sub).toBe(dora);
    expect(await signIn("web", "dora@mail.example", THEIRS)).toBeUndefined();
    expect((await findUserForSignIn(service.ctx, "dora@mail.example", { preferred: "evil" }))?.id).toBe(shade);
    expect(await findUserForSignIn(service.ctx, "dora@mail.example")).toBeUndefined();
  });

  it("a user named like another user's address neither takes it over nor gets its reset emails", async () => {
    const dora = await add(acme, "dora", "dora@mail.example", OWN);
    await add(evil, "dora@mail.example", "eve@evil.test", THEIRS);
    expect((await signIn("web", "dora@mail.example", OWN))?.sub).toBe(dora);
    const browser = service.browser();
    const flow = flowOf((await browser.get(authorizePath())).headers.get("location"));
    await browser.post("/login/forgot-password/submit", { flow, loginName: "dora@mail.example" });
    expect((await lastMailTo(service, "dora@mail.example")).type).toBe("passwordreset");
    expect((await mailsTo(service, "eve@evil.test")).filter(({ type }) => type === "passwordreset")).toEqual([]);
  });

  it("all names of one user together cause at most five emails an hour to their address", async () => {
    await add(acme, "multi", "multi-mail@acme.test", OWN);
    for (const loginName of ["multi", "multi@acme.test", "multi-mail@acme.test"]) {
      for (let sent = 0; sent < 4; sent++) {
        const browser = service.browser();
        const flow = flowOf((await browser.get(authorizePath())).headers.get("location"));
        await browser.post("/login/forgot-password/submit", { flow, loginName });
      }
    }
    const mails = await mailsTo(service, "multi-mail@acme.test");
    expect(mails.filter(({ type }) => type === "passwordreset")).toHaveLength(5);
  });

  it("a bare name is tried in the organization of the app, then in the default one: the password decides", async () => {
    const [dora, theirs] = [
      await add(acme, "dora", "a@mail.example", OWN),
      await add(evil, "dora", "b@mail.example", THEIRS),
    ];
    expect((await signIn("web", "dora", OWN))?.sub).toBe(dora);
    const named = { preferred: "evil" };
    expect((await findUserForSignIn(service.ctx, "dora", named))?.id).toBe(theirs);
    expect((await findUserForSignIn(service.ctx, "dora"))?.id).toBe(dora);
  });

  it("other organizations' apps get an address as verified only if they may rely on it", async () => {
    const asserted = await add(evil, "shade", "ceo@mail.example", THEIRS);
    const told = await signIn("web", "shade@evil.test", THEIRS);
    expect(told).toMatchObject({ sub: asserted, email_verified: false });
    await add(evil, "own", "own@evil.test", THEIRS);
    expect(await signIn("web", "own@evil.test", THEIRS)).toMatchObject({ email_verified: true });
    expect(await signIn("web", "ada@acme.test", PASSWORD)).toMatchObject({ email_verified: true });
  });

  describe("registration", () => {
    const register = async (browser: TestBrowser, client_id: string, email: string) => {
      const path = authorizePath({ client_id, prompt: "create" });
      const flow = flowOf((await browser.get(path)).headers.get("location"));
      const form = { flow, email, givenName: "Dora", familyName: "D", password: OWN };
      const answer = await browser.post("/login/create-account/submit", form);
      return flowOf(answer.headers.get("location"));
    };
    const allowRegistration = async () => {
      for (const token of [acme, evil]) {
        await callApi(service, "POST", "/management/v1/policies/login", { token, body: { allowRegister: true } });
      }
    };

    it.each(["ceo@acme.test", "CEO@Acme.Test"])("makes no account %s in another organization", async (email) => {
      await allowRegistration();
      const browser = service.browser();
      const flow = await register(browser, "evil-web", email);
      expect(flow).not.toBe("");
      expect(await mailsTo(service, email)).toEqual([]);
      await browser.post("/login/verify-email/submit", { flow, code: "2222-2222" });
      expect(await findUserForSignIn(service.ctx, email)).toBeUndefined();
    });

    it("does not reveal on its page who owns the domain", async () => {
      await allowRegistration();
      const shown = async (email: string) => {
        const browser = service.browser();
        const flow = await register(browser, "evil-web", email);
        const page = await browser.get(`/login/verify-email?flow=${flow}`, { "x-request-id": "same" });
        const again = await browser.post("/login/verify-email/submit", { flow, code: "2222-2222" });
        const plain = (text: string) => text.replaceAll(email, "TYPED").replace(/(?:flow=|value=")[\w-]{50,}/g, "FLOW");
        return [flow.length, page.status, plain(await page.text()), again.status, plain(await again.text()).length];
      };
      expect(await shown("ceo@acme.test")).toEqual(await shown("ceo@free.test"));
    });

    it("is rejected if the domain is proven while the code is on its way", async () => {
      await allowRegistration();
      const browser = service.browser();
      const flow = await register(browser, "evil-web", "ceo@corp.test");
      const { code } = await lastMailTo(service, "ceo@corp.test");
      await service.ctx.db.prisma.domain.create({
        data: {
          organizationId: "acme",
          domain: "corp.test",
          isVerified: true,
          isPrimary: false,
          createdAt: new Date(),
        },
      });
      await browser.post("/login/verify-email/submit", { flow, code });
      expect(await findUserForSignIn(service.ctx, "ceo@corp.test")).toBeUndefined();
    });

    it("a code that may have gone through the organization's own mail server proves nothing to others", async () => {
      await allowRegistration();
      const trusted = async (email: string) =>
        (await service.ctx.db.prisma.user.findFirst({ where: { email } }))?.isEmailTrusted;
      const confirm = async (email: string, meanwhile: () => Promise<unknown> = async () => {}) => {
        const browser = service.browser();
        const flow = await register(browser, "evil-web", email);
        const { code } = await lastMailTo(service, email);
        await meanwhile();
        await browser.post("/login/verify-email/submit", { flow, code });
        return trusted(email);
      };
      expect(await confirm("honest@mail.example")).toBe(true);
      const at = new Date(service.ctx.clock());
      const settings = {
        id: "lent",
        ownerId: "evil",
        activeFor: "evil",
        kind: "smtp",
        sealedAddress: "",
        sender: "a@evil.test",
        createdAt: at,
        changedAt: at,
      };
      const lend = () => service.ctx.db.prisma.emailProvider.create({ data: settings });
      expect(await confirm("dora@mail.example", lend)).toBe(false);
    });
  });
});
