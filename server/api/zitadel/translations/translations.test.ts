import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ServiceOnAPort } from "../../../testing/on-a-port";
import { type ZitadelCall, zitadelCalls, zitadelService } from "../../../testing/zitadel-clients";

type Json = Record<string, unknown>;

const AFTER = "TIMESTAMP_FILTER_METHOD_AFTER";

describe("services of version 2 with messages of their own", () => {
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

  it("org.v2beta.OrganizationService finds metadata by the filters of version 1", async () => {
    const of = { organizationId: "acme" };
    const metadata = ["plan", "place"].map((key) => ({ key, value: "eA==" }));
    await ok("org.v2beta.OrganizationService/SetOrganizationMetadata", { ...of, metadata });
    const filter = [{ keyQuery: { key: "PLA", method: "TEXT_QUERY_METHOD_STARTS_WITH_IGNORE_CASE" } }];
    const found = await ok("org.v2beta.OrganizationService/ListOrganizationMetadata", { ...of, filter });
    expect((found.metadata as Json[]).map(({ key }) => key).sort()).toEqual(["place", "plan"]);
    const one = [{ keyQuery: { key: "plan" } }];
    const { metadata: only } = await ok("org.v2beta.OrganizationService/ListOrganizationMetadata", {
      ...of,
      filter: one,
    });
    expect(only).toMatchObject([{ key: "plan" }]);
  });

  /** A list has one row with the first filters, and none with the second. */
  async function expectFound(procedure: string, filters: readonly (readonly [Json | Json[], Json | Json[]])[]) {
    for (const [one, none] of filters) {
      const total = async (some: Json | Json[]) =>
        ((await ok(procedure, { filters: [some].flat() })).pagination as Json).totalResult ?? "0";
      expect([one, await total(one), await total(none)]).toEqual([one, "1", "0"]);
    }
  }

  it.each([
    ["project.v2.ProjectService", "projectId"],
    ["project.v2beta.ProjectService", "id"],
  ])("%s manages projects with their roles and grants", async (name, id) => {
    const p = (method: string) => `${name}/${method}`;
    const made = await ok(p("CreateProject"), { organizationId: "acme", name, authorizationRequired: true });
    expect(made).toMatchObject({ [id]: expect.any(String), creationDate: expect.any(String) });
    const projectId = String(made[id]);
    // An update changes only what it names.
    await ok(p("UpdateProject"), { [id]: projectId, projectRoleAssertion: true });
    const { project } = (await ok(p("GetProject"), { [id]: projectId })) as { project: Json };
    const both = { name, authorizationRequired: true, projectRoleAssertion: true };
    expect(project).toMatchObject({ [id]: projectId, organizationId: "acme", ...both, state: "PROJECT_STATE_ACTIVE" });
    const filters = [
      { projectNameFilter: { projectName: name.slice(0, 12), method: "TEXT_FILTER_METHOD_STARTS_WITH" } },
    ];
    const list = await ok(p("ListProjects"), { pagination: { limit: 5 }, filters });
    expect(list.pagination).toMatchObject({ appliedLimit: "5" });
    expect(list.projects).toContainEqual(expect.objectContaining({ [id]: projectId }));
    await expectFound(p("ListProjects"), [
      [{ inProjectIdsFilter: { ids: [projectId, "none"] } }, { inProjectIdsFilter: { ids: [] } }],
    ]);

    await ok(p("AddProjectRole"), { projectId, roleKey: "reader", displayName: "Reader", group: "g" });
    await ok(p("UpdateProjectRole"), { projectId, roleKey: "reader", displayName: "Readers" });
    const { projectRoles } = await ok(p("ListProjectRoles"), { projectId });
    expect(projectRoles).toMatchObject([{ key: "reader", displayName: "Readers", group: "g" }]);
    const [{ creationDate, changeDate } = {}] = projectRoles as Json[];
    expect(Date.parse(String(changeDate))).toBeGreaterThan(Date.parse(String(creationDate)));

    const grant = { projectId, grantedOrganizationId: "evil" };
    await ok(p("CreateProjectGrant"), { ...grant, roleKeys: ["reader"] });
    await ok(p("DeactivateProjectGrant"), grant);
    const { projectGrants } = await ok(p("ListProjectGrants"), {});
    const shown = {
      ...grant,
      grantedRoleKeys: ["reader"],
      state: "PROJECT_GRANT_STATE_INACTIVE",
      organizationId: "acme",
    };
    expect(projectGrants).toContainEqual(expect.objectContaining(shown));
    await expectFound(p("ListProjectGrants"), [
      [{ inProjectIdsFilter: { ids: [projectId] } }, { inProjectIdsFilter: { ids: ["none"] } }],
      [
        { roleKeyFilter: { key: "READ", method: "TEXT_FILTER_METHOD_STARTS_WITH_IGNORE_CASE" } },
        { roleKeyFilter: { key: "READ", method: "TEXT_FILTER_METHOD_STARTS_WITH" } },
      ],
    ]);
    await ok(p("UpdateProjectGrant"), grant);
    await ok(p("ActivateProjectGrant"), grant);
    expect(await ok(p("ActivateProjectGrant"), grant)).toEqual({});
    const granted =
      id === "id"
        ? { projectGrantResourceOwnerFilter: { id: "evil" } }
        : { organizationIdFilter: { organizationId: "evil", type: "GRANTED" } };
    const received = await ok(p("ListProjects"), { filters: [granted] }, "mallory");
    expect(received.projects).toMatchObject([
      { [id]: projectId, ...both, grantedOrganizationId: "evil", grantedState: "GRANTED_PROJECT_STATE_ACTIVE" },
    ]);
    expect(await call(p("ListProjects"), { filters: [granted] })).toMatchObject({ status: 403 });
    await ok(p("DeleteProjectGrant"), grant);
    expect(await ok(p("DeleteProjectGrant"), grant)).toEqual({}); // it is so already
    await ok(p("RemoveProjectRole"), { projectId, roleKey: "reader" });
    await ok(p("DeactivateProject"), { [id]: projectId });
    await ok(p("ActivateProject"), { [id]: projectId });
    expect(await ok(p("ActivateProject"), { [id]: projectId })).toEqual({});
    expect(await ok(p("DeleteProject"), { [id]: projectId })).toMatchObject({ deletionDate: expect.any(String) });
    expect(await ok(p("DeleteProject"), { [id]: projectId })).toEqual({});
  });

  it("application services manage apps of both kinds, their secrets and keys", async () => {
    const { projectId } = await ok("project.v2.ProjectService/CreateProject", { organizationId: "acme", name: "Apps" });
    const p = (method: string) => `application.v2.ApplicationService/${method}`;
    const oidcConfiguration = {
      redirectUris: ["https://a.example/cb"],
      applicationType: "OIDC_APP_TYPE_WEB",
      responseTypes: ["OIDC_RESPONSE_TYPE_CODE"],
    };
    const made = await ok(p("CreateApplication"), { projectId, name: "A", oidcConfiguration });
    const oidc = made.oidcConfiguration as Json;
    expect(oidc).toMatchObject({ clientId: expect.any(String), clientSecret: expect.any(String) });
    const { applicationId } = made;
    // One request renames it and changes one setting; the others stay.
    const update = { applicationId, projectId, name: "B", oidcConfiguration: { idTokenRoleAssertion: true } };
    await ok(p("UpdateApplication"), update);
    const { application } = (await ok(p("GetApplication"), { applicationId })) as { application: Json };
    expect(application).toMatchObject({ name: "B", projectId, state: "APPLICATION_STATE_ACTIVE" });
    expect(application.oidcConfiguration).toMatchObject({
      redirectUris: oidcConfiguration.redirectUris,
      idTokenRoleAssertion: true,
    });
    await ok(p("UpdateApplication"), { applicationId, name: "C" });
    const other = await ok(p("GenerateClientSecret"), { applicationId, projectId });
    expect(other.clientSecret).not.toBe(oidc.clientSecret);
    const key = await ok(p("CreateApplicationKey"), { applicationId, projectId });
    expect(key).toMatchObject({ keyId: expect.any(String), keyDetails: expect.any(String) });
    const keyFilters = [{ applicationIdFilter: { applicationId } }];
    expect((await ok(p("ListApplicationKeys"), { filters: keyFilters })).keys).toMatchObject([
      { keyId: key.keyId, applicationId, projectId, organizationId: "acme" },
    ]);
    const ofOrganization = [...keyFilters, { organizationIdFilter: { organizationId: "evil" } }];
    expect((await call(p("ListApplicationKeys"), { filters: ofOrganization })).status).toBe(403);
    expect((await call(p("ListApplicationKeys"), { filters: [] })).status).toBe(404);
    await ok(p("GetApplicationKey"), { keyId: key.keyId });
    await ok(p("DeleteApplicationKey"), { keyId: key.keyId, applicationId, projectId });
    const api = { authMethodType: "API_AUTH_METHOD_TYPE_PRIVATE_KEY_JWT" };
    await ok(p("CreateApplication"), { projectId, name: "API", apiConfiguration: api });
    const listed = await ok(p("ListApplications"), { filters: [{ projectIdFilter: { projectId } }] });
    expect(listed.applications).toMatchObject([{ name: "API", apiConfiguration: api }, { name: "C" }]);
    await ok(p("DeactivateApplication"), { applicationId, projectId });
    await ok(p("ReactivateApplication"), { applicationId, projectId });

    const b = (method: string) => `app.v2beta.AppService/${method}`;
    expect(((await ok(b("GetApplication"), { id: applicationId })).app as Json).name).toBe("C");
    expect((await ok(b("ListApplications"), { projectId })).applications).toHaveLength(2);
    await ok(b("DeleteApplication"), { projectId, id: applicationId });
    expect((await call(p("CreateApplication"), { projectId, name: "S", samlConfiguration: {} })).status).toBe(400);
  });

  it("authorization and permission services give roles by the id of the object", async () => {
    const { projectId } = await ok("project.v2.ProjectService/CreateProject", {
      organizationId: "acme",
      name: "Roles",
    });
    await ok("project.v2.ProjectService/AddProjectRole", { projectId, roleKey: "r", displayName: "R" });
    const p = (method: string) => `authorization.v2.AuthorizationService/${method}`;
    const { id } = await ok(p("CreateAuthorization"), { userId: "m-owner", projectId, roleKeys: ["r"] });
    await ok(p("DeactivateAuthorization"), { id });
    await ok(p("ActivateAuthorization"), { id });
    const { authorizations } = await ok(p("ListAuthorizations"), { filters: [{ projectId: { id: projectId } }] });
    expect(authorizations).toMatchObject([
      { id, state: "STATE_ACTIVE", roles: [{ key: "r" }], user: { id: "m-owner" } },
    ]);
    expect(authorizations).toMatchObject([{ organization: { id: "acme" }, project: { organizationId: "acme" } }]);
    const starts = "TEXT_FILTER_METHOD_STARTS_WITH_IGNORE_CASE";
    await expectFound(p("ListAuthorizations"), [
      [{ authorizationIds: { ids: [id] } }, { authorizationIds: { ids: ["none"] } }],
      [{ inUserIds: { ids: ["m-root", "m-owner"] } }, { inUserIds: { ids: ["m-root"] } }],
      [{ userOrganizationId: { id: "acme" } }, { userOrganizationId: { id: "evil" } }],
      [
        { userPreferredLoginName: { loginName: "OWNER@", method: starts } },
        { userPreferredLoginName: { loginName: "own" } },
      ],
      [{ userDisplayName: { displayName: "owner" } }, { userDisplayName: { displayName: "root" } }],
      [{ projectName: { name: "role", method: starts } }, { projectName: { name: "role" } }],
      [{ roleKey: { key: "R", method: starts } }, { roleKey: { key: "R" } }],
    ]);
    await ok(p("UpdateAuthorization"), { id, roleKeys: [] });
    await ok(p("DeleteAuthorization"), { id });
    // A project of another organization is given by its grant.
    const grant = { projectId, grantedOrganizationId: "evil", roleKeys: ["r"] };
    await ok("project.v2.ProjectService/CreateProjectGrant", grant);
    const theirs = { userId: "m-mallory", projectId, organizationId: "evil", roleKeys: ["r"] };
    await ok(p("CreateAuthorization"), theirs, "mallory");

    const a = (method: string) => `internal_permission.v2.InternalPermissionService/${method}`;
    const resource = { projectId };
    await ok(a("CreateAdministrator"), { userId: "m-root", resource, roles: ["PROJECT_OWNER"] }, "root");
    await ok(a("UpdateAdministrator"), { userId: "m-root", resource, roles: ["PROJECT_OWNER_VIEWER"] }, "root");
    const { administrators } = await ok(a("ListAdministrators"), { filters: [{ resource }] });
    expect(administrators).toContainEqual(expect.objectContaining({ roles: ["PROJECT_OWNER_VIEWER"] }));
    expect(administrators).toContainEqual(
      expect.objectContaining({
        user: expect.objectContaining({ id: "m-root", organizationId: "acme" }),
        project: { id: projectId, name: "Roles", organizationId: "acme" },
      }),
    );
    const of = (filter: Json, other: Json): [Json[], Json[]] => [
      [{ resource }, filter],
      [{ resource }, other],
    ];
    const past = { timestamp: "2020-01-01T00:00:00Z" };
    await expectFound(a("ListAdministrators"), [
      of({ inUserIdsFilter: { ids: ["m-root", "m-mallory"] } }, { inUserIdsFilter: { ids: ["m-mallory"] } }),
      of(
        { userPreferredLoginName: { preferredLoginName: "root@", method: starts } },
        { userPreferredLoginName: { preferredLoginName: "nobody" } },
      ),
      of({ userDisplayName: { displayName: "root" } }, { userDisplayName: { displayName: "nobody" } }),
      of({ role: { roleKey: "PROJECT_OWNER_VIEWER" } }, { userOrganizationId: { id: "evil" } }),
      [
        [{ resource }, { role: { roleKey: "PROJECT_OWNER_VIEWER" } }, { creationDate: { ...past, method: AFTER } }],
        [{ resource }, { creationDate: { ...past, method: AFTER.replace("AFTER", "BEFORE") } }],
      ],
    ]);
    await ok(a("DeleteAdministrator"), { userId: "m-root", resource }, "root");
    const bare = await call(a("CreateAdministrator"), { userId: "m-owner", roles: ["IAM_OWNER"] }, "root");
    expect(bare.status).toBe(400); // never the instance by default
  });

  it("organization services manage organizations and their domains", async () => {
    const p = (method: string) => `org.v2.OrganizationService/${method}`;
    const { organizationId } = await ok(p("AddOrganization"), { name: "New" }, "root");
    await ok(p("UpdateOrganization"), { organizationId, name: "Newer" }, "root");
    await ok(p("AddOrganizationDomain"), { organizationId, domain: "new.example" }, "root");
    const type = "DOMAIN_VALIDATION_TYPE_DNS";
    const domain = { organizationId, domain: "new.example" };
    const proof = await ok(p("GenerateOrganizationDomainValidation"), { ...domain, type }, "root");
    expect(proof.token).toEqual(expect.any(String));
    const { domains } = await ok(p("ListOrganizationDomains"), { organizationId }, "root");
    expect(domains).toContainEqual(expect.objectContaining({ domain: "new.example", validationType: type }));
    await ok(p("DeleteOrganizationDomain"), domain, "root");
    await ok(p("DeactivateOrganization"), { organizationId }, "root");
    await ok(p("ActivateOrganization"), { organizationId }, "root");
    const queries = [{ idQuery: { id: organizationId } }, { stateQuery: { state: "ORGANIZATION_STATE_ACTIVE" } }];
    const { result } = await ok(p("ListOrganizations"), { queries }, "root");
    expect(result).toMatchObject([{ id: organizationId, name: "Newer", state: "ORGANIZATION_STATE_ACTIVE" }]);
    await ok(p("DeleteOrganization"), { organizationId }, "root");
  });

  it("answer for objects of others as for objects that do not exist, and change nothing", async () => {
    const { projectId } = await ok("project.v2.ProjectService/CreateProject", { organizationId: "acme", name: "Mine" });
    const app = { projectId, name: "Mine", apiConfiguration: {} };
    const { applicationId } = await ok("application.v2.ApplicationService/CreateApplication", app);
    const { id } = await ok("authorization.v2.AuthorizationService/CreateAuthorization", {
      userId: "m-owner",
      projectId,
    });
    const before = await service.ctx.db.prisma.event.count();
    const attacks: [string, (known: boolean) => Json][] = [
      ["project.v2.ProjectService/UpdateProject", (is) => ({ projectId: is ? projectId : "none", name: "Taken" })],
      ["project.v2.ProjectService/DeactivateProject", (is) => ({ projectId: is ? projectId : "none" })],
      ["application.v2.ApplicationService/GetApplication", (is) => ({ applicationId: is ? applicationId : "none" })],
      [
        "application.v2.ApplicationService/GenerateClientSecret",
        (is) => ({ applicationId: is ? applicationId : "no" }),
      ],
      ["authorization.v2.AuthorizationService/UpdateAuthorization", (is) => ({ id: is ? id : "none" })],
      [
        "internal_permission.v2.InternalPermissionService/CreateAdministrator",
        (is) => ({ userId: "m-mallory", resource: { projectId: is ? projectId : "none" }, roles: ["PROJECT_OWNER"] }),
      ],
      [
        "internal_permission.v2.InternalPermissionService/CreateAdministrator",
        (is) => ({ userId: "m-mallory", resource: { organizationId: is ? "acme" : "no" }, roles: ["ORG_OWNER"] }),
      ],
      ["org.v2.OrganizationService/DeleteOrganization", (is) => ({ organizationId: is ? "acme" : "none" })],
      ["org.v2.OrganizationService/UpdateOrganization", (is) => ({ organizationId: is ? "acme" : "", name: "Taken" })],
    ];
    for (const [procedure, body] of attacks) {
      const real = await call(procedure, body(true), "mallory");
      const none = await call(procedure, body(false), "mallory");
      const isOrganization = /"acme"/.test(JSON.stringify(body(true)));
      expect([procedure, real.status, real.json.message]).toEqual([procedure, none.status, none.json.message]);
      expect([procedure, none.status]).toEqual([procedure, isOrganization ? 403 : 404]);
    }
    expect(await service.ctx.db.prisma.event.count()).toBe(before);
    expect((await call("project.v2.ProjectService/GetProject", { projectId: "none" }, "root")).status).toBe(404);
    expect((await call("project.v2.ProjectService/GetProject", { projectId: "no\u0000ne" })).status).toBe(404);
  });
});
