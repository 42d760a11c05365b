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
