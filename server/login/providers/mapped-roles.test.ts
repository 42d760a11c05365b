import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { apiToken, callApi, refusalOf } from "../../testing/api";
import { ruleDatabases } from "../../testing/database";
import { exampleBootstrap, PASSWORD } from "../../testing/example";
import { letIn, onOf } from "../../testing/flow";
import { type ForgedProvider, forgedProvider } from "../../testing/forged-provider";
import { goToProvider, offerProviderOf, responseOf } from "../../testing/provider-sign-in";
import { type TestService, testService } from "../../testing/test-context";

const OPTIONS = { isLinkingAllowed: true, isCreationAllowed: true, isAutoCreation: true, isAutoUpdate: true };
const rule = (value: string, ...roleKeys: string[]) => ({ claim: "realm.groups", value, projectId: "p1", roleKeys });

describe.each(ruleDatabases)("mapping of groups to roles, on %s", (kind) => {
  let service: TestService;
  let provider: ForgedProvider;
  let idp: string;
  let token: string;
  beforeAll(async () => {
    service = await testService(kind, exampleBootstrap);
    token = await apiToken(service);
    for (const roleKey of ["editor", "viewer", "boss"])
      await call("POST", "/management/v1/projects/p1/roles", { roleKey });
    provider = await forgedProvider();
    idp = await offerProviderOf(service, token, provider, { providerOptions: OPTIONS });
  });
  afterAll(async () => {
    await provider.close();
    await service.close();
  });

  const call = (method: string, path: string, body?: unknown, as = token) =>
    callApi(service, method, path, { token: as, body });
  const map = (mapping: object, as = token) => call("PUT", `/management/v1/idps/${idp}/mapping`, mapping, as);
  const signIn = async (sub: string, claims: object) => {
    const email = `${sub}@elsewhere.test`;
    provider.claims = { sub, email, email_verified: true, name: "Pat Doe", ...claims };
    const browser = service.browser();
    const answer = await browser.get(responseOf(provider, await goToProvider(browser, idp)));
    expect(onOf(await letIn(browser, answer))).toMatch(/^\/cb\?code=/);
    return service.ctx.db.prisma.user.findFirstOrThrow({ where: { email } });
  };
  const rolesOf = async (userId: string) => {
    const grants = await service.ctx.db.prisma.userGrant.findMany({ where: { userId } });
    return grants.flatMap(({ roleKeys }) => roleKeys as string[]).sort();
  };
  const inGroups = (...groups: string[]) => ({ realm: { groups } });

  it("gives the roles of all rules that apply, and takes them away with the group; those given by hand stay", async () => {
    await map({ roles: [rule("staff", "viewer"), rule("writers", "editor", "viewer")] });
    const { id } = await signIn("sub-1", inGroups("staff", "writers", "others"));
    expect(await rolesOf(id)).toEqual(["editor", "viewer"]);
    const [grant] = await service.ctx.db.prisma.userGrant.findMany({ where: { userId: id } });
    const roleKeys = ["editor", "viewer", "boss"];
    await call("PUT", `/management/v1/users/${id}/grants/${grant?.id}`, { roleKeys });
    await signIn("sub-1", inGroups("staff"));
    expect(await rolesOf(id)).toEqual(["boss", "viewer"]);
    await map({ roles: [rule("staff", "boss")] });
    await signIn("sub-1", inGroups("staff"));
    await signIn("sub-1", {});
    expect(await rolesOf(id)).toEqual(["boss"]);
  });

  it("removes the grant with its last role, and follows rules that are gone", async () => {
    await map({ roles: [rule("staff", "viewer")] });
    const { id } = await signIn("sub-2", inGroups("staff"));
    await map({});
    await signIn("sub-2", inGroups("staff"));
    expect(await service.ctx.db.prisma.userGrant.count({ where: { userId: id } })).toBe(0);
  });

  it("reads names from the claims that the mapping names", async () => {
    await map({ profile: { givenName: "first", familyName: "https://acme.test/last" } });
    const user = await signIn("sub-3", { first: "Mia", "https://acme.test/last": "Moe" });
    expect(user).toMatchObject({ firstName: "Mia", lastName: "Moe" });
  });

  it("is tried with a sample, which changes nothing", async () => {
    await map({ roles: [rule("staff", "viewer")] });
    const claims = { sub: "sub-sample", name: "Pat Doe", ...inGroups("staff") };
    const path = `/management/v1/idps/${idp}/_test_mapping`;
    expect((await call("POST", path, { claims })).body).toEqual({
      profile: { id: "sub-sample", userName: "Pat Doe", givenName: "Pat", familyName: "Doe", isEmailVerified: false },
      matchedRules: [0],
      roles: [{ projectId: "p1", roleKeys: ["viewer"] }],
    });
    const unsaved = await call("POST", path, { claims: { realm: {} }, mapping: { roles: [rule("a", "boss")] } });
    expect(unsaved.body).toEqual({ matchedRules: [], roles: [] });
  });

  it("takes no role that does not exist, and none of another organization's project", async () => {
    const unknown = await map({ roles: [rule("a", "viewer"), rule("a", "nothing")] });
    expect(refusalOf(unknown)).toMatchObject({ status: 400, id: "user_grant.unknown_role" });
    expect(JSON.stringify(unknown.body)).toContain("roles[1].roleKeys[0]");
    const other = await call("POST", "/admin/v1/orgs/_setup", {
      org: { name: "Other" },
      human: { userName: "o", profile: { firstName: "O", lastName: "O" }, email: { email: "o@other.test" } },
    });
    const elsewhere = await callApi(service, "POST", "/management/v1/projects", {
      token,
      body: { name: "Elsewhere" },
      headers: { "x-service-orgid": other.body.orgId },
    });
    const foreign = { ...rule("a", "viewer"), projectId: elsewhere.body.id };
    const refused = await map({ roles: [foreign] });
    expect(refusalOf(refused)).toMatchObject({ status: 400, id: "project.not_found" });
    expect(JSON.stringify(refused.body)).toContain("roles[0].projectId");
  });

  it("gives users of any organization roles of its own and granted projects, if the provider is of the service", async () => {
    const [at, own] = [`/admin/v1/idps`, idp];
    const { id: shared } = (
      await call("POST", `${at}/generic_oidc`, {
        ...{ name: "Shared", clientId: "us", clientSecret: "s3cret", issuer: provider.issuer },
        providerOptions: { ...OPTIONS, isAutoCreation: true },
      })
    ).body;
    const second = await call("POST", "/admin/v1/orgs/_setup", {
      org: { name: "Second" },
      human: { userName: "s", profile: { firstName: "S", lastName: "S" }, email: { email: "s@second.test" } },
    });
    const { orgId: grantedOrgId, userId } = second.body;
    const rules = [rule("staff", "viewer", "editor"), { ...rule("staff", "nothing"), roleKeys: ["boss"] }];
    expect(refusalOf(await call("PUT", `${at}/${shared}/mapping`, { roles: [rule("a", "nothing")] }))).toMatchObject({
      id: "user_grant.unknown_role",
    });
    const nowhere = { roles: [{ ...rule("a", "viewer"), projectId: "nowhere" }] };
    expect(refusalOf(await call("PUT", `${at}/${shared}/mapping`, nowhere))).toMatchObject({ id: "project.not_found" });
    expect((await call("PUT", `${at}/${shared}/mapping`, { roles: rules })).status).toBe(200);
    const tried = await call("POST", `${at}/${shared}/_test_mapping`, { claims: { sub: "x", ...inGroups("staff") } });
    expect(tried.body.roles).toEqual([{ projectId: "p1", roleKeys: ["viewer", "editor", "boss"] }]);
    const links = ["u-bob", userId].map((id) =>
      call("POST", `/v2/users/${id}/links`, { idpLink: { idpId: shared, userId: `at-${id}`, userName: id } }),
    );
    expect((await Promise.all(links)).map(({ status }) => status)).toEqual([200, 200]);
    await call("POST", "/management/v1/policies/login/idps", { idpId: shared });
    await callApi(service, "POST", "/management/v1/policies/login/idps", {
      ...{ token, body: { idpId: shared }, headers: { "x-service-orgid": grantedOrgId } },
    });
    idp = shared;
    const visit = async (id: string) => {
      provider.claims = { sub: `at-${id}`, name: "Pat Doe", ...inGroups("staff") };
      const browser = service.browser();
      await letIn(browser, await browser.get(responseOf(provider, await goToProvider(browser, idp))));
      return rolesOf(id);
    };
    expect(await visit("u-bob")).toEqual(["boss", "editor", "viewer"]);
    expect(await visit(userId)).toEqual([]);
    const grant = await call("POST", "/management/v1/projects/p1/grants", { grantedOrgId, roleKeys: ["viewer"] });
    expect(await visit(userId)).toEqual(["viewer"]);
    await call("PUT", `/management/v1/projects/p1/grants/${grant.body.grantId}`, { roleKeys: ["editor"] });
    expect(await visit(userId)).toEqual(["editor"]);
    idp = own;
  });

  it("is set only by those who may give roles, and so is the server that decides who gets them", async () => {
    await map({ roles: [rule("staff", "viewer")] });
    const person = {
      userName: "settings",
      profile: { firstName: "S", lastName: "S" },
      email: { email: "s@acme.test" },
    };
    const made = await call("POST", "/management/v1/users/human/_import", {
      ...person,
      email: { ...person.email, isEmailVerified: true },
      password: PASSWORD,
    });
    await call("POST", "/management/v1/orgs/me/members", { userId: made.body.userId, roles: ["ORG_SETTINGS_MANAGER"] });
    const settings = await apiToken(service, "settings@acme.test");
    const refused = await map({ roles: [rule("staff", "boss")] }, settings);
    const moved = await call(
      "PUT",
      `/management/v1/idps/${idp}`,
      { clientId: "x", issuer: "https://e.test" },
      settings,
    );
    expect([refused.status, moved.status]).toEqual([403, 403]);
  });
});
