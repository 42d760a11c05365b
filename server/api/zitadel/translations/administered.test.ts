import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ServiceOnAPort } from "../../../testing/on-a-port";
import { type ZitadelCall, zitadelCalls, zitadelService } from "../../../testing/zitadel-clients";

type Json = Record<string, unknown>;

describe("organizations and projects with administrators, and objects that a message leaves out", () => {
  let service: ServiceOnAPort;
  let call: ZitadelCall;
  beforeAll(async () => {
    service = await zitadelService();
    call = await zitadelCalls(service);
  });
  afterAll(() => service.close());

  async function ok(...called: Parameters<ZitadelCall>) {
    const { status, json } = await call(...called);
    expect([called[0], status, status === 200 ? "" : json]).toEqual([called[0], 200, ""]);
    return json;
  }

  it.each([
    ["org.v2", "AddOrganization", "organizationId"],
    ["org.v2beta", "CreateOrganization", "id"],
  ])("%s adds an organization with its administrators, or none of it", async (name, method, id) => {
    const add = `${name}.OrganizationService/${method}`;
    const adminsOf = async (made: Json) => {
      const filters = [{ resource: { organizationId: made[id] } }];
      const list = "internal_permission.v2.InternalPermissionService/ListAdministrators";
      return (await ok(list, { filters }, "root")).administrators as Json[];
    };
    const given = [{ userId: "m-owner" }, { userId: "m-mallory", roles: ["ORG_OWNER_VIEWER"] }];
    const made = await ok(add, { name: `${name} known`, admins: given }, "root");
    const roles = (await adminsOf(made)).map((one) => [(one.user as Json).id, one.roles]);
    expect(roles).toEqual([
      ["m-mallory", ["ORG_OWNER_VIEWER"]],
      ["m-owner", ["ORG_OWNER"]],
    ]);
    const human = {
      username: "ann",
      profile: { givenName: "Ann", familyName: "Lee" },
      email: { email: `ann@${name}.test`, isVerified: true },
    };
    const setUp = await ok(add, { name: `${name} new`, admins: [{ human }] }, "root");
    expect(await adminsOf(setUp)).toMatchObject([{ user: { displayName: "Ann Lee" }, roles: ["ORG_OWNER"] }]);
    const [{ user } = {}] = await adminsOf(setUp);
    expect(JSON.stringify(setUp)).toContain(String((user as Json).id));
    for (const admins of [
      [{ userId: "nobody" }],
      [{ userId: "m-owner", roles: ["IAM_OWNER"] }],
      [{ human }, { human }],
    ]) {
      const refused = await call(add, { name: `${name} refused`, admins }, "root");
      expect(refused.status).toBeGreaterThanOrEqual(400);
    }
    await ok(add, { name: `${name} refused` }, "root"); // the name is free
  });

  it("project.v2beta.ProjectService adds a project with administrators whom the caller may give the roles", async () => {
    const add = "project.v2beta.ProjectService/CreateProject";
    const of = { organizationId: "acme", name: "Administered" };
    // The owner of an organization does not know users of another.
    expect((await call(add, { ...of, admins: [{ userId: "m-mallory" }] })).status).toBe(404);
    const { id } = await ok(add, { ...of, admins: [{ userId: "m-root" }] });
    const filters = [{ resource: { projectId: id } }];
    const list = "internal_permission.v2.InternalPermissionService/ListAdministrators";
    expect((await ok(list, { filters })).administrators).toMatchObject([
      { user: { id: "m-root" }, roles: ["PROJECT_OWNER"], project: { id, organizationId: "acme" } },
    ]);
  });

  it("the grant of a project has administrators by both versions, found by combined filters", async () => {
    const [{ organizationId: grantedOrganizationId }, { projectId }] = [
      await ok("org.v2.OrganizationService/AddOrganization", { name: "Grantee" }, "root"),
      await ok("project.v2.ProjectService/CreateProject", { organizationId: "acme", name: "Granted" }),
    ];
    const grant = { projectId, grantedOrganizationId };
    await ok("project.v2.ProjectService/CreateProjectGrant", grant);
    const service = "internal_permission.v2.InternalPermissionService";
    const resource = { projectGrant: { projectId, organizationId: grantedOrganizationId } };
    const first = { resource, userId: "m-owner", roles: ["PROJECT_GRANT_OWNER"] };
    await ok(`${service}/CreateAdministrator`, first, "root");
    await ok(`${service}/UpdateAdministrator`, { ...first, roles: ["PROJECT_GRANT_OWNER_VIEWER"] }, "root");
    // The owner of the project does not decide who gives its roles elsewhere.
    expect((await call(`${service}/CreateAdministrator`, { ...first, userId: "m-mallory" })).status).toBe(403);
    const elsewhere = { projectGrant: { projectId, organizationId: "\0" } };
    expect((await call(`${service}/CreateAdministrator`, { ...first, resource: elsewhere }, "root")).status).toBe(404);
    const list = async (...filters: object[]) => {
      const found = await ok(`${service}/ListAdministrators`, { filters: [{ resource }, ...filters] }, "root");
      return found.administrators as Json[];
    };
    const viewer = { role: { roleKey: "PROJECT_GRANT_OWNER_VIEWER" } };
    const [{ projectGrant, changeDate } = {}] = await list({ and: { queries: [viewer] } });
    expect(projectGrant).toMatchObject({
      projectId,
      projectName: "Granted",
      organizationId: "acme",
      grantedOrganizationId,
    });
    const changed = { changeDate: { timestamp: changeDate, method: "TIMESTAMP_FILTER_METHOD_AFTER" } };
    expect(await list({ not: { query: changed } }, { or: { queries: [viewer, changed] } })).toHaveLength(1);
    expect(await list({ not: { query: viewer } })).toEqual([]);
    const nested = [{ or: { queries: [{ resource: { instance: true } }] } }, { resource }];
    expect((await call(`${service}/ListAdministrators`, { filters: nested }, "root")).status).toBe(400);
    const v1 = "management.v1.ManagementService";
    const at = { projectId, grantId: (projectGrant as Json).id };
    const { result, details } = await ok(`${v1}/ListProjectGrantMembers`, at, "root");
    expect([result, details]).toMatchObject([
      [{ userId: "m-owner", details: { resourceOwner: grantedOrganizationId } }],
      { totalResult: "1" },
    ]);
    const memberships = await ok(`${v1}/ListUserMemberships`, { userId: "m-owner" }, "root");
    expect(JSON.stringify(memberships)).toContain(`"projectGrantId":"${at.grantId}"`);
    const roles = await ok(`${v1}/ListProjectGrantMemberRoles`, {}, "root");
    expect(roles).toMatchObject({ result: ["PROJECT_GRANT_OWNER", "PROJECT_GRANT_OWNER_VIEWER"], details: {} });
    const removed = { resource, userId: "m-owner" };
    await ok(`${service}/DeleteAdministrator`, removed, "root");
    await ok(`${service}/DeleteAdministrator`, removed, "root"); // it is gone already
    const { projectRoles = [] } = await ok("project.v2.ProjectService/ListProjectRoles", { projectId });
    expect(projectRoles).toEqual([]);
    await ok(`${v1}/AddProjectRole`, { projectId, roleKey: "reader", displayName: "Reader" });
    const listed = await ok(`${v1}/ListProjectRoles`, { projectId });
    expect(listed.result).toMatchObject([{ key: "reader", details: { creationDate: expect.stringMatching(/Z$/) } }]);
  });

  it.each(["v2", "v2beta"])(
    "%s lists without a resource the administrators that the caller may see",
    async (version) => {
      const permissions = `internal_permission.${version}.InternalPermissionService`;
      const { id: organizationId } = await ok(
        "org.v2beta.OrganizationService/CreateOrganization",
        { name: `Own ${version}` },
        "root",
      );
      const { id: projectId } = await ok("project.v2beta.ProjectService/CreateProject", {
        organizationId: "acme",
        name: version,
      });
      const grant = { projectId, organizationId: "evil" };
      const granted = { projectId, grantedOrganizationId: "evil" };
      await ok("project.v2.ProjectService/CreateProjectGrant", granted);
      const project = {
        resource: { projectId },
        userId: "m-mallory",
        roles: ["PROJECT_OWNER_VIEWER", "PROJECT_OWNER"],
      };
      await ok(`${permissions}/CreateAdministrator`, project, "root");
      const onGrant = { resource: { projectGrant: grant }, userId: "m-owner", roles: ["PROJECT_GRANT_OWNER"] };
      await ok(`${permissions}/CreateAdministrator`, onGrant, "root");
      const list = async (as: "root" | "owner" | "mallory", more: Json = {}) => {
        const { administrators, pagination } = await ok(`${permissions}/ListAdministrators`, more, as);
        const rows = (administrators ?? []) as Record<string, Json>[];
        const shown = rows.map(({ user, roles, instance, organization, project: on, projectGrant: by }) =>
          [(user as Json).id, roles, instance ?? organization?.id ?? on?.id ?? by?.projectId].flat().join(" "),
        );
        return { shown, rows, total: Number((pagination as Json).totalResult) };
      };
      const own = ["m-owner ORG_OWNER acme", `m-mallory PROJECT_OWNER PROJECT_OWNER_VIEWER ${projectId}`];
      const theirs = ["m-mallory ORG_OWNER evil", `m-owner PROJECT_GRANT_OWNER ${projectId}`];
      const [root, owner, mallory] = [await list("root"), await list("owner"), await list("mallory")];
      expect(root.shown).toEqual(
        expect.arrayContaining(["m-root IAM_OWNER true", `m-root ORG_OWNER ${organizationId}`, ...own, ...theirs]),
      );
      // Everyone sees what they manage: both manage the project or its grant by a role of their own.
      expect(owner.shown).toEqual(expect.arrayContaining([...own, `m-owner PROJECT_GRANT_OWNER ${projectId}`]));
      expect(mallory.shown).toEqual(expect.arrayContaining([own[1], ...theirs]));
      for (const { shown } of [owner, mallory]) expect(shown.join()).not.toMatch(/IAM_OWNER|Own/);
      expect([owner.shown.includes(theirs[0] as string), mallory.shown.includes(own[0] as string)]).toEqual([
        false,
        false,
      ]);
      expect(root.rows.find(({ projectGrant }) => projectGrant?.projectId === projectId)?.projectGrant).toMatchObject({
        projectName: version,
        organizationId: "acme",
        grantedOrganizationId: "evil",
      });
      // Pages and filters apply to all of them.
      expect(root.total).toBe(root.shown.length);
      const pages = [];
      for (let offset = 0; offset < root.total; offset += 2)
        pages.push(...(await list("root", { pagination: { offset, limit: 2 } })).shown);
      expect(pages).toEqual(root.shown);
      const one = { filters: [{ inUserIdsFilter: { ids: ["m-mallory"] } }, { role: { roleKey: "PROJECT_OWNER" } }] };
      expect((await list("owner", one)).shown).toContain(own[1]);
      expect((await list("mallory", { filters: [{ role: { roleKey: "IAM_OWNER" } }] })).shown).toEqual([]);
      await ok(`${permissions}/DeleteAdministrator`, { resource: project.resource, userId: "m-mallory" }, "root");
      expect((await list("mallory")).shown).not.toContain(own[1]);
    },
  );

  it("lists find objects of other organizations by their ids, and by filters those of the named one", async () => {
    const { organizationId } = await ok("org.v2.OrganizationService/AddOrganization", { name: "Elsewhere" }, "root");
    const { projectId } = await ok(
      "project.v2.ProjectService/CreateProject",
      { organizationId, name: "There" },
      "root",
    );
    await ok("project.v2.ProjectService/CreateProjectGrant", { projectId, grantedOrganizationId: "evil" }, "root");
    const given = { projectId, organizationId, userId: "m-root" };
    await ok("project.v2.ProjectService/AddProjectRole", { projectId, roleKey: "clerk", displayName: "Clerk" }, "root");
    const { id } = await ok(
      "authorization.v2.AuthorizationService/CreateAuthorization",
      { ...given, roleKeys: ["clerk"] },
      "root",
    );
    for (const [procedure, filter] of [
      ["project.v2.ProjectService/ListProjects", { inProjectIdsFilter: { ids: [projectId] } }],
      ["project.v2beta.ProjectService/ListProjectGrants", { inProjectIdsFilter: { ids: [projectId] } }],
      ["authorization.v2.AuthorizationService/ListAuthorizations", { authorizationIds: { ids: [id] } }],
      ["authorization.v2beta.AuthorizationService/ListAuthorizations", { projectId: { id: projectId } }],
    ] as const) {
      const total = async (as: "root" | "owner") =>
        ((await ok(procedure, { filters: [filter] }, as)).pagination as Json | undefined)?.totalResult ?? "0";
      expect([procedure, await total("root"), await total("owner")]).toEqual([procedure, "1", "0"]);
    }
  });

  it("an update names as ignored what it was sent, not what it keeps", async () => {
    const app = "application.v2.ApplicationService";
    const { projectId } = await ok("project.v2.ProjectService/CreateProject", {
      organizationId: "acme",
      name: "Ignoring",
    });
    const oidcConfiguration = { redirectUris: ["https://app.test/cb"], skipNativeAppSuccessPage: true };
    const made = await call(`${app}/CreateApplication`, { projectId, name: "App", oidcConfiguration });
    const update = (more: Json) =>
      call(`${app}/UpdateApplication`, { projectId, applicationId: made.json.applicationId, ...more });
    const redirectUris = ["https://app.test/other"];
    const kept = await update({ oidcConfiguration: { redirectUris } });
    const sent = await update({ oidcConfiguration: { redirectUris, skipNativeAppSuccessPage: false } });
    expect([made, kept, sent].map(({ status, ignored }) => [status, ignored])).toEqual([
      [200, "skipNativeAppSuccessPage"],
      [200, null],
      [200, "skipNativeAppSuccessPage"],
    ]);
  });

  it("admin.v1.AdminService reads the instance, and a web key that is gone is deleted already", async () => {
    const { instance } = await ok("admin.v1.AdminService/GetMyInstance", {}, "root");
    expect(instance).toMatchObject({ name: "localhost", state: "STATE_RUNNING", domains: [{ domain: "localhost" }] });
    expect(await ok("webkey.v2.WebKeyService/DeleteWebKey", { id: "gone" }, "root")).toEqual({});
    expect((await call("webkey.v2.WebKeyService/DeleteWebKey", { id: "gone" })).status).toBe(403);
  });

  it("a message without an id is refused after the token is asked for", async () => {
    for (const procedure of ["webkey.v2.WebKeyService/DeleteWebKey", "org.v2.OrganizationService/DeleteOrganization"]) {
      const answer = await fetch(`${service.origin}/zitadel.${procedure}`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: "{}",
      });
      expect([procedure, answer.status]).toEqual([procedure, 401]);
    }
    expect((await call("webkey.v2.WebKeyService/DeleteWebKey", {}, "root")).status).toBe(404);
  });
});
