import { decodeJwt } from "jose";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ruleDatabases } from "../testing/database";
import { exampleBootstrap, PASSWORD, SECRET } from "../testing/example";
import {
  answerOf,
  authorize,
  authorizePath,
  basic,
  fillSignIn,
  postToken,
  REDIRECT_URI,
  type Tokens,
  userinfo,
} from "../testing/flow";
import { BASE_URL, type TestService, testService } from "../testing/test-context";

const P = "urn:service:iam:org:project";
const ORG = "urn:service:iam:org:id";
const DOMAIN = "urn:service:iam:org:domain:primary";
const OWNER = "urn:service:iam:user:resourceowner";
const METADATA = "urn:service:iam:user:metadata";

const code = {
  clientSecret: SECRET,
  redirectUris: [REDIRECT_URI],
  authMethodType: "OIDC_AUTH_METHOD_TYPE_BASIC",
};
const [acme] = exampleBootstrap.organizations;
const [shop] = acme?.projects ?? [];
/** Two tenants: Ada has roles in both, granted by each; Eve belongs to the other one. */
const bootstrap = {
  organizations: [
    {
      ...acme,
      users: [{ ...acme?.users[0], metadata: { department: "Analytical Engine", ö: "ü" } }, acme?.users[1]],
      projects: [
        {
          ...shop,
          roles: [{ roleKey: "admin" }, { roleKey: "buyer" }, { roleKey: "__proto__" }],
          userGrants: [{ userId: "u-ada", roleKeys: ["admin", "buyer", "__proto__"] }],
          apps: [
            ...(shop?.apps ?? []),
            {
              id: "a-roles",
              name: "Roles",
              oidc: {
                ...code,
                clientId: "roles",
                accessTokenType: "OIDC_TOKEN_TYPE_JWT",
                idTokenRoleAssertion: true,
                accessTokenRoleAssertion: true,
              },
            },
          ],
        },
        {
          id: "p2",
          name: "Members",
          projectRoleCheck: true,
          projectRoleAssertion: true,
          roles: [{ roleKey: "member" }],
          userGrants: [{ loginName: "ada@acme.test", roleKeys: ["member"] }],
          apps: [{ id: "a-members", name: "Members", oidc: { ...code, clientId: "members" } }],
        },
        {
          id: "p3",
          name: "Inner circle",
          hasProjectCheck: true,
          apps: [{ id: "a-inner", name: "Inner", oidc: { ...code, clientId: "inner" } }],
        },
      ],
    },
    {
      id: "other",
      name: "Other",
      domains: [{ domain: "other.test", verified: true, primary: true }],
      users: [
        { id: "u-eve", userName: "eve", password: PASSWORD, profile: { firstName: "Eve", lastName: "O" } },
        { id: "u-bob2", userName: "bob", password: PASSWORD, profile: { firstName: "Bob", lastName: "Other" } },
      ],
    },
  ],
};

describe.each(ruleDatabases)("reserved scopes (rule AUDIENCE-3) on %s", (kind) => {
  let service: TestService;
  beforeAll(async () => {
    service = await testService(kind, bootstrap);
  });
  afterAll(() => service.close());

  const tokens = async (scope: string, clientId = "web", loginName = "ada@acme.test"): Promise<Tokens> => {
    const answer = await authorize(service.browser(), { scope, client_id: clientId }, { loginName });
    const form = { grant_type: "authorization_code", code: answer.get("code") ?? "", redirect_uri: REDIRECT_URI };
    return (await postToken(service, form, basic(clientId, SECRET))).json() as Promise<Tokens>;
  };
  const claims = async (scope: string, clientId?: string, loginName?: string) => {
    const { access_token } = await tokens(scope, clientId, loginName);
    return (await userinfo(service, access_token)).json() as Promise<Record<string, unknown>>;
  };

  describe("project roles", () => {
    const admin = { admin: { acme: "acme.test" } };

    it("are returned one by one, under both names", async () => {
      const got = await claims(`openid ${P}:role:admin`);
      expect(got).toEqual({ sub: "u-ada", [`${P}:roles`]: admin, [`${P}:p1:roles`]: admin });
    });

    it("of all projects in the audience are returned with projects:roles", async () => {
      const got = await claims(`openid urn:service:iam:org:projects:roles ${P}:id:p2:aud`);
      expect(Object.keys(got[`${P}:roles`] as object).sort()).toEqual(["__proto__", "admin", "buyer"]);
      expect(got[`${P}:p2:roles`]).toEqual({ member: { acme: "acme.test" } });
    });

    it("that another organization granted are omitted with roles:id", async () => {
      const got = await claims(`openid ${P}:role:admin urn:service:iam:org:roles:id:other`);
      expect(got).toEqual({ sub: "u-ada" });
    });

    it("are omitted if not requested, and for a user who has none", async () => {
      expect(await claims("openid")).toEqual({ sub: "u-ada" });
      expect(await claims(`openid ${P}:role:admin`, "web", "bob@acme.test")).toEqual({ sub: "u-bob" });
    });

    it("are not in the id_token unless the app is set to include them", async () => {
      const { id_token } = await tokens(`openid ${P}:role:admin`);
      expect(decodeJwt(id_token)).not.toHaveProperty([`${P}:roles`]);
    });

    it("are in id_token and JWT access token if the app is set to include them, requested or not", async () => {
      const { id_token, access_token } = await tokens("openid", "roles");
      for (const token of [id_token, access_token]) {
        expect(decodeJwt(token)[`${P}:roles`]).toMatchObject({ ...admin, buyer: { acme: "acme.test" } });
      }
      const one = await tokens(`openid ${P}:role:buyer`, "roles");
      expect(decodeJwt(one.id_token)[`${P}:roles`]).toEqual({ buyer: { acme: "acme.test" } });
    });

    it("are returned without a request if the project asserts them", async () => {
      expect(await claims("openid", "members")).toHaveProperty([`${P}:roles`], { member: { acme: "acme.test" } });
    });
  });

  it("returns metadata as base64url, in userinfo and the id_token, on request", async () => {
    const { access_token, id_token } = await tokens(`openid ${METADATA}`);
    const expected = { department: "QW5hbHl0aWNhbCBFbmdpbmU", ö: "w7w" };
    expect(await (await userinfo(service, access_token)).json()).toHaveProperty([METADATA], expected);
    expect(decodeJwt(id_token)[METADATA]).toEqual(expected);
  });

  it("returns the resource owner", async () => {
    expect(await claims(`openid ${OWNER}`)).toEqual({
      sub: "u-ada",
      [`${OWNER}:id`]: "acme",
      [`${OWNER}:name`]: "ACME",
      [`${OWNER}:primary_domain`]: "acme.test",
    });
  });

  describe("restriction to an organization", () => {
    it("returns the claims of its name", async () => {
      expect(await claims(`openid ${ORG}:acme`)).toMatchObject({ [ORG]: "acme", [`${OWNER}:id`]: "acme" });
      expect(await claims(`openid ${DOMAIN}:other.test`, "web", "eve")).toEqual({
        sub: "u-eve",
        [DOMAIN]: "other.test",
      });
    });

    it("looks up the login name only there", async () => {
      expect((await claims(`openid ${ORG}:other`, "web", "bob")).sub).toBe("u-bob2");
      expect((await claims(`openid ${DOMAIN}:acme.test`, "web", "bob")).sub).toBe("u-bob");
    });

    it("rejects a user of another organization with the same message as a wrong password", async () => {
      const browser = service.browser();
      const refused = await fillSignIn(browser, await browser.get(authorizePath({ scope: `openid ${ORG}:other` })));
      expect(refused.headers.get("location")).toContain(`${BASE_URL}/login?flow=`);
      expect(browser.cookies.size).toBe(0);
    });

    it("uses no session of another organization, silently or not", async () => {
      const browser = service.browser();
      await authorize(browser);
      const asked = await browser.get(authorizePath({ scope: `openid ${ORG}:other` }));
      expect(asked.headers.get("location")).toContain("/login?flow=");
      const silent = await browser.get(authorizePath({ scope: `openid ${ORG}:other`, prompt: "none" }));
      expect(answerOf(silent).get("error")).toBe("login_required");
      const own = await browser.get(authorizePath({ scope: `openid ${ORG}:acme`, prompt: "none" }));
      expect(answerOf(own).get("code")).toBeTruthy();
    });

    it("offers no account of another organization, and rejects one that is posted", async () => {
      const browser = service.browser();
      await authorize(browser);
      await fillSignIn(browser, await browser.get(authorizePath({ prompt: "login" })), { loginName: "bob@acme.test" });
      await fillSignIn(browser, await browser.get(authorizePath({ prompt: "login" })), { loginName: "eve@other.test" });
      const scope = `openid ${ORG}:acme`;
      const asked = await browser.get(authorizePath({ scope, prompt: "select_account" }));
      const location = asked.headers.get("location") ?? "";
      const html = await (await browser.get(location)).text();
      expect([html.includes("Ada Lovelace"), html.includes("other.test")]).toEqual([true, false]);
      const eve = await service.ctx.db.prisma.session.findFirst({ where: { userId: "u-eve" } });
      const flow = new URL(location).searchParams.get("flow") ?? "";
      const posted = await browser.post("/login/select-account/submit", { flow, session: eve?.id ?? "" });
      expect(posted.headers.get("location")).toContain("/login/select-account");
    });

    it.each([
      ["an organization that does not exist", `openid ${ORG}:nowhere`],
      ["a domain that no organization has", `openid ${DOMAIN}:nowhere.test`],
      ["two organizations at once", `openid ${ORG}:acme ${ORG}:other`],
    ])("rejects %s: invalid_scope", async (_, scope) => {
      expect(answerOf(await service.browser().get(authorizePath({ scope }))).get("error")).toBe("invalid_scope");
    });

    it("accepts id and domain of the same organization together", async () => {
      expect((await claims(`openid ${ORG}:acme ${DOMAIN}:acme.test`)).sub).toBe("u-ada");
    });
  });

  describe("sign-in restrictions of a project", () => {
    it("admit only users with a role if the project checks roles: access_denied", async () => {
      const denied = await authorize(service.browser(), { client_id: "members" }, { loginName: "bob@acme.test" });
      expect(denied.get("error")).toBe("access_denied");
      expect((await authorize(service.browser(), { client_id: "members" })).get("code")).toBeTruthy();
    });

    it("admit only users of the owning organization if the project requires it: access_denied", async () => {
      const denied = await authorize(service.browser(), { client_id: "inner" }, { loginName: "eve" });
      expect(denied.get("error")).toBe("access_denied");
      expect((await authorize(service.browser(), { client_id: "inner" })).get("code")).toBeTruthy();
    });
  });
});
