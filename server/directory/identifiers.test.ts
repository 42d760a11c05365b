import { beforeAll, describe, expect, it } from "vitest";
import { applyBootstrap } from "../bootstrap/apply";
import { listOwnActivity } from "../login/account/activity";
import { listSharedClientIds } from "../storage/machine-user/clients";
import { apiToken, callApi, refusalOf } from "../testing/api";
import { databaseKinds } from "../testing/database";
import { SECRET } from "../testing/example";
import { basic, postToken, type Tokens } from "../testing/flow";
import { managementToken, tenants } from "../testing/tenants-example";
import { type TestService, testService } from "../testing/test-context";

const API = "/management/v1";
const person = (userName: string, more: object = {}) => ({
  userName,
  profile: { firstName: "A", lastName: "B" },
  email: { email: `${userName}@mail.example` },
  ...more,
});

describe.each(databaseKinds)("identifiers are assigned only once, on %s (OIDC Core §2, §5.7)", (kind) => {
  let service: TestService;
  let token = { iam: "", evil: "" };
  beforeAll(async () => {
    service = await testService(kind, tenants);
    token = { iam: await apiToken(service), evil: await managementToken(service, "mallory") };
  });
  type Who = keyof typeof token;
  const call = (who: Who, method: string, path: string, body?: unknown) =>
    callApi(service, method, path.startsWith("/v2") || path.startsWith("/admin") ? path : `${API}${path}`, {
      token: token[who],
      body,
    });
  const idOf = async (...request: Parameters<typeof call>) => {
    const result = await call(...request);
    return result.status === 200 ? "200" : `${result.status} ${refusalOf(result).id}`;
  };

  it("rejects the id of any existing or removed user of any organization, on all endpoints with the same message", async () => {
    for (const who of ["iam", "evil"] as const) {
      const userId = `removed-by-${who}`;
      expect(await idOf(who, "POST", "/users/human/_import", person(userId, { userId }))).toBe("200");
      expect(await idOf(who, "DELETE", `/users/${userId}`)).toBe("200");
    }
    const refusals = new Set<string>();
    for (const userId of [
      "u-ada",
      "removed-by-iam",
      "removed-by-evil",
      "m-mallory",
      "System",
      "CONSOLE",
      "anonymous",
    ]) {
      const named = person(`new-${userId}`, { userId });
      const v2 = { profile: { givenName: "A", familyName: "B" }, email: { email: `${userId}@v2.example` } };
      const answers = [
        await call("evil", "POST", "/users/human", named),
        await call("evil", "POST", "/users/human/_import", named),
        await call("evil", "POST", "/users/machine", { userId, userName: `m-${userId}`, name: "M" }),
        await call("evil", "POST", "/v2/users/human", { userId, username: `v-${userId}`, ...v2 }),
        await call("evil", "POST", "/v2/users/new", { userId, username: `w-${userId}`, human: v2 }),
        await call("evil", "POST", "/v2/users/new", { userId, username: `x-${userId}`, machine: { name: "M" } }),
      ];
      expect(answers.map(refusalOf)).toEqual(answers.map(() => ({ status: 409, code: 6, id: "user.id_taken" })));
      for (const { body } of answers) refusals.add(body.message);
      const bulk = await call("evil", "POST", "/users/_bulk_import", { mode: "EACH_BY_ITSELF", users: [named] });
      expect(bulk.body.results).toMatchObject([{ error: { id: "user.id_taken" } }]);
      const apply = { organizations: [{ id: "evil", name: "Evil", users: [{ id: userId, userName: "applied" }] }] };
      if (userId.startsWith("removed")) {
        expect(await idOf("iam", "POST", "/admin/v1/_apply", apply)).toBe("400 apply.mistake");
      }
    }
    expect(refusals.size).toBe(1);
  });

  it("rejects ids repeated within one import or in other letter case, and a dry run or a rejected import claims none", async () => {
    const users = ["twin", "TWIN"].map((userId) => person(`name-${userId}`.replace("TWIN", "other"), { userId }));
    const dryRun = { dryRun: true, mode: "EACH_BY_ITSELF", users };
    expect((await call("evil", "POST", "/users/_bulk_import", dryRun)).body).toMatchObject({ created: 1, refused: 1 });
    expect((await call("evil", "POST", "/users/_bulk_import", { users })).body).toMatchObject({ created: 0 });
    const taken = person("mallory", { userId: "kept" });
    expect(await idOf("evil", "POST", "/users/human/_import", taken)).toBe("409 user.already_exists");
    expect(await idOf("evil", "POST", "/users/human/_import", { ...taken, userName: "kept" })).toBe("200");
    expect(await idOf("evil", "POST", "/users/human/_import", users[0])).toBe("200");
    expect(await idOf("evil", "POST", "/users/human/_import", users[1])).toBe("409 user.id_taken");
  });

  it("rejects the ids of existing and removed organizations, and the id of the instance", async () => {
    const { id: instanceId } = await service.ctx.db.prisma.instance.findFirstOrThrow();
    expect(await idOf("iam", "POST", "/orgs", { id: "short", name: "Short" })).toBe("200");
    expect(await idOf("iam", "DELETE", "/admin/v1/orgs/short")).toBe("200");
    const human = person("first", { userId: "first-of-all" });
    for (const id of ["short", "evil", "acme", instanceId, instanceId.toUpperCase(), "Service", "system"]) {
      expect(await idOf("iam", "POST", "/orgs", { id, name: "Again" })).toBe("409 organization.id_taken");
      const setUp = { org: { id, name: "Again" }, human: person(`first-of-${id}`) };
      expect(await idOf("iam", "POST", "/admin/v1/orgs/_setup", setUp)).toBe("409 organization.id_taken");
    }
    // The rejected requests claimed no ids.
    const refused = { org: { id: "fresh", name: "Fresh" }, human: { ...human, userId: "u-ada" } };
    expect(await idOf("iam", "POST", "/admin/v1/orgs/_setup", refused)).toBe("409 user.id_taken");
    expect(await idOf("iam", "POST", "/admin/v1/orgs/_setup", { ...refused, human })).toBe("200");
  });

  it("rejects a client id, project id or machine name that another of them has, in any letter case (RFC 8707 §2)", async () => {
    const api = (clientId: string) => ["evil", "POST", "/projects/pe/apps/api", { name: "x", clientId }] as const;
    const machine = (userName: string) => ["evil", "POST", "/users/machine", { userName, name: "M" }] as const;
    const project = (id: string) => ["evil", "POST", "/projects", { id, name: "P" }] as const;
    const app = (await call("iam", "POST", "/projects/p1/apps/api", { name: "short" })).body;
    expect(await idOf("iam", "DELETE", `/projects/p1/apps/${app.appId}`)).toBe("200");
    await call("iam", "POST", "/projects", { id: "short-project", name: "P" });
    await call("iam", "DELETE", "/projects/short-project");
    for (const name of ["web", "p1", "WEB", "P1", app.clientId.toUpperCase(), "short-project"]) {
      expect([name, await idOf(...api(name))]).toEqual([name, "409 app.client_id_taken"]);
      expect([name, await idOf(...machine(name))]).toEqual([name, "409 user.client_id_taken"]);
      expect([name, await idOf(...project(name))]).toEqual([name, "409 project.id_taken"]);
      expect([name, await idOf("evil", "PUT", "/users/m-mallory/username", { userName: name })]).toEqual([
        name,
        "409 user.client_id_taken",
      ]);
    }
    for (const name of ["ci", "CI"]) {
      expect(await idOf(...api(name))).toBe("409 app.client_id_taken");
      expect(await idOf(...project(name))).toBe("409 project.id_taken");
    }
    for (const name of ["service", "Console", "CONSOLE"]) {
      expect(await idOf(...api(name))).toBe("400 app.reserved_client_id");
      expect(await idOf(...machine(name))).toBe("400 user.reserved_name");
      expect(await idOf(...project(name))).toBe("400 project.reserved_name");
    }
    // The name of a machine before it was renamed is not available to apps either.
    expect(await idOf(...machine("before"))).toBe("200");
    const { id } = await service.ctx.db.prisma.user.findFirstOrThrow({ where: { userName: "before" } });
    expect(await idOf("evil", "PUT", `/users/${id}/username`, { userName: "after" })).toBe("200");
    expect(await idOf(...api("before"))).toBe("409 app.client_id_taken");
  });

  it("rejects a user's id as client id, because an app's own tokens have its client id as subject (RFC 9700 §4.15)", async () => {
    const made = (await call("iam", "POST", "/users/machine", { userName: "generated-id", name: "M" })).body.userId;
    for (const clientId of ["u-ada", "U-Ada".toLowerCase(), "removed-by-iam", made]) {
      const body = { name: "x", clientId };
      expect(await idOf("evil", "POST", "/projects/pe/apps/oidc", body)).toBe("409 app.client_id_taken");
    }
    const userId = "WEB";
    expect(await idOf("evil", "POST", "/users/human/_import", person("web", { userId }))).toBe("409 user.id_taken");
  });

  it("gives an id to only one of two concurrent requests", async () => {
    const asks = ["iam", "evil"] as const;
    const users = asks.map((who) =>
      idOf(who, "POST", "/users/human/_import", person(`race-${who}`, { userId: "race" })),
    );
    expect((await Promise.all(users)).sort()).toEqual(["200", "409 user.id_taken"]);
    const machines = { iam: "/projects/p1/apps/api", evil: "/projects/pe/apps/api" };
    const apps = asks.map((who, index) => {
      return idOf(who, "POST", machines[who], { name: "x", clientId: ["raced", "RACED"][index] });
    });
    expect((await Promise.all(apps)).sort()).toEqual(["200", "409 app.client_id_taken"]);
  });

  it("lets machines of two organizations have the same name without affecting each other", async () => {
    const form = { grant_type: "client_credentials", scope: "openid" };
    const tokenOf = async (name: string, secret: string) =>
      (await postToken(service, form, basic(name, secret))).json();
    const [ours, theirs] = [(await tokenOf("ci", SECRET)) as Tokens, (await tokenOf("CI", `evil-${SECRET}`)) as Tokens];
    const alive = async ({ access_token }: Tokens) => {
      const body = new URLSearchParams({ token: access_token });
      const about = { method: "POST", body, headers: { authorization: basic("ci", SECRET) } };
      await service.fetch("/oauth/v2/revoke", about);
      return service.ctx.db.prisma.accessToken.count({
        where: { revokedAt: null, userId: { in: ["m-ci", "m-evil-ci"] }, expiresAt: { gt: new Date() } },
      });
    };
    expect(await alive(theirs)).toBe(2); // another machine of the same name does not revoke it
    expect(await alive(ours)).toBe(1);
    expect((await postToken(service, form, basic("ci", "wrong".repeat(8)))).status).toBe(401);
    // An app with exactly that name would take precedence; a machine with a similar spelling does not block it.
    expect((await postToken(service, { ...form, grant_type: "refresh_token", refresh_token: "x" })).status).toBe(400);
  });

  it("reports machines that have shared a client id since before this rule", async () => {
    const { prisma } = service.ctx.db;
    expect(await listSharedClientIds(service.ctx.db)).toEqual([]);
    await prisma.user.update({ where: { id: "m-evil-ci" }, data: { clientId: null } });
    expect(await listSharedClientIds(service.ctx.db)).toMatchObject([{ userNameKey: "ci" }]);
    await prisma.user.update({ where: { id: "m-evil-ci" }, data: { clientId: "m-evil-ci" } });
  });

  it("shows events and activity only to the owner, also if an id was assigned twice before this rule", async () => {
    const { prisma } = service.ctx.db;
    // As left by an older version: the id of a user that acme removed was given to a user of evil.
    await prisma.aggregate.update({
      where: { type_id: { type: "user", id: "u-uma" } },
      data: { resourceOwner: "acme" },
    });
    await prisma.event.updateMany({ where: { aggregateId: "u-uma" }, data: { resourceOwner: "acme" } });
    expect(await idOf("evil", "POST", "/users/u-uma/_lock")).toBe("200");
    await prisma.user.update({ where: { id: "u-uma" }, data: { displayName: "Renamed since" } });
    const trail = async (organizationId: string) => {
      const headers = { "x-service-orgid": organizationId };
      const body = { aggregateId: "u-uma" };
      const found = await callApi(service, "POST", `${API}/events/_search`, { token: token.iam, body, headers });
      return found.body.result.map(({ type, aggregate }: { type: string; aggregate: { name?: string } }) => [
        type,
        aggregate.name,
      ]);
    };
    expect(await trail("evil")).toEqual([["user.locked", "Renamed since"]]);
    // Its own event contains the name of that time; the current name in the other organization is not disclosed.
    expect(await trail("acme")).toEqual([["user.added", "Uma User"]]);
    const { entries } = await listOwnActivity(service.ctx, { id: "u-uma", organizationId: "evil" });
    expect(entries.map((entry) => entry.kind)).toEqual(["locked"]);
    const { body } = await call("evil", "GET", "/users/u-uma");
    expect(body.user.details.resourceOwner).toBe("evil");
  });

  it("lets the operator's file recreate what was removed from the same organization", async () => {
    expect(await idOf("evil", "DELETE", "/users/u-uma")).toBe("200");
    expect((await applyBootstrap(service.ctx, tenants)).created).toContain("user uma");
  });
});
