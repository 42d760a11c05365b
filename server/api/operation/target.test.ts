import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { changeUser } from "../../directory/user/change";
import { apiToken, callApi, refusalOf } from "../../testing/api";
import { everyCell } from "../../testing/cells";
import { ruleDatabases } from "../../testing/database";
import { exampleBootstrap, PASSWORD } from "../../testing/example";
import { type TestService, testService } from "../../testing/test-context";
import { operations } from "../all";
import type { Operation } from "./operation";
import { PERMISSIONS_ON_PEOPLE } from "./target";

const person = (id: string, roles: string[] = []) => ({
  id: `u-${id}`,
  userName: id,
  password: PASSWORD,
  roles,
  profile: { firstName: id, lastName: "Example" },
});
const [acme] = exampleBootstrap.organizations;
/** In `acme` ada owns the service; `evil` is a tenant; in `mixed` a powerful machine lives among weaker people. */
const bootstrap = {
  organizations: [
    {
      ...acme,
      users: [
        ...(acme?.users ?? []),
        ...[
          person("boss", ["ORG_OWNER"]),
          person("uma", ["ORG_USER_MANAGER"]),
          person("sett", ["ORG_SETTINGS_MANAGER"]),
        ],
        person("orgs", ["IAM_ORG_MANAGER"]),
      ],
      machines: [{ id: "u-robot", userName: "robot", roles: ["IAM_OWNER"] }],
    },
    {
      id: "evil",
      name: "Evil",
      domains: [{ domain: "evil.test", verified: true, primary: true }],
      users: [person("mallory", ["ORG_OWNER"]), person("carl"), person("setter", ["ORG_SETTINGS_MANAGER"])],
    },
  ],
};

const permissionOf = ({ scope }: Operation) => (scope.level === "caller" ? "" : scope.permission);
const onUser = operations.filter(({ scope }) => scope.target === "user");
const named = (some: readonly Operation[]) => some.map((one) => [one.id, one] as const);
const HIGHER = { status: 403, code: 7, id: "access.higher_role" };

describe("the target of an operation", () => {
  const acting = operations.filter((operation) => {
    const permission = permissionOf(operation);
    const isAbout = /:userId\b|\/users\/:|\/sessions?\/:|\/orgs\/(me$|:)/.test(operation.path);
    const mayActOn = (PERMISSIONS_ON_PEOPLE as readonly string[]).includes(permission) || isAbout;
    return mayActOn && !permission.endsWith(".read");
  });
  it("is declared by each operation that writes", () =>
    everyCell(named(acting), (operation) => {
      const permission = permissionOf(operation);
      expect(operation.scope.target).toBeDefined();
      const { target } = operation.scope;
      // An account is only left out where it is its project that is acted on.
      if (/^(user|session)\./.test(permission) && operation.path.includes(":userId")) {
        expect(target).toBe(permission.startsWith("user.grant.") ? "nobody" : "user");
      }
    }));

  it("is of each kind at least once", () => {
    const kinds = operations.map(({ scope }) => (typeof scope.target === "function" ? "found" : scope.target));
    for (const kind of ["user", "found", "everybody", "all", "roles", "nobody"]) expect(kinds).toContain(kind);
    expect(onUser.length).toBeGreaterThan(30);
  });
});

describe.each(ruleDatabases)("power over the targets of an operation, on %s", (kind) => {
  let service: TestService;
  const tokens: Record<string, string> = {};
  beforeAll(async () => {
    service = await testService(kind, bootstrap);
    for (const name of ["ada", "uma", "boss", "sett", "orgs", "bob"]) {
      tokens[name] = await apiToken(service, `${name}@acme.test`);
    }
    for (const name of ["mallory", "setter"]) tokens[name] = await apiToken(service, `${name}@evil.test`);
  });
  afterAll(() => service.close());

  const send = (who: string, { method, path }: Operation, userId: string, organizationId = "acme") => {
    const address = path.replace(/:(\w+)/g, (_, name: string) => (name === "userId" ? userId : "nothing"));
    const headers = { "x-service-orgid": organizationId };
    const body = method === "GET" || method === "DELETE" ? undefined : {};
    return callApi(service, method, address, { token: tokens[who], body, headers });
  };
  const operationNamed = (id: string) => operations.find((one) => one.id === id) as Operation;
  const events = () => service.ctx.db.prisma.event.count();

  it("is required by each operation on a user", () =>
    everyCell(named(onUser), async (operation) => {
      const before = await events();
      for (const [who, userId] of [
        ["uma", "u-ada"],
        ["uma", "u-boss"],
        ["uma", "u-robot"],
        ["boss", "u-ada"],
      ] as const) {
        expect(refusalOf(await send(who, operation, userId))).toEqual(HIGHER);
      }
      expect(await events()).toBe(before);
    }));

  it("does not reveal the organization of a user", () =>
    everyCell(named(onUser), async (operation) => {
      const told = async (userId: string) => JSON.stringify((await send("mallory", operation, userId, "evil")).body);
      expect(await told("u-ada")).toBe(await told("u-none"));
    }));

  it.each([
    ["ListUserTokens", "u-ada"],
    ["ListUserMetadata", "u-ada"],
  ])("%s only reads, which takes none", async (id, userId) => {
    expect((await send("uma", operationNamed(id), userId)).status).toBe(200);
  });

  it("covers the caller and users without more permissions", async () => {
    const profile = { firstName: "U", lastName: "M" };
    for (const userId of ["u-uma", "u-bob"]) {
      const path = `/management/v1/users/${userId}/profile`;
      expect((await callApi(service, "PUT", path, { token: tokens.uma, body: profile })).status).toBe(200);
    }
    expect((await send("uma", operationNamed("RevokeUserTokens"), "u-carl", "acme")).status).toBe(404);
    expect((await send("ada", operationNamed("RevokeUserTokens"), "u-bob")).status).toBe(200);
  });

  it("is required to end another user's session, and reveals nothing about sessions in other organizations", async () => {
    const sessionOf = async (userId: string) =>
      (await service.ctx.db.prisma.session.findFirst({ where: { userId } }))?.id ?? "";
    const end = async (who: string, id: string) =>
      callApi(service, "DELETE", `/v2/sessions/${id}`, { token: tokens[who] });
    expect(refusalOf(await end("uma", await sessionOf("u-ada")))).toEqual(HIGHER);
    const [theirs, none] = [await end("mallory", await sessionOf("u-ada")), await end("mallory", "none")];
    expect(theirs.body).toEqual(none.body);
    expect((await end("uma", await sessionOf("u-bob"))).status).toBe(200);
  });

  it.each(["DeactivateOrg", "ReactivateOrg", "RemoveOrg", "SetPrimaryOrgDomain"])(
    "%s takes power over everybody there",
    async (id) => {
      const operation = operationNamed(id);
      const before = await events();
      for (const who of ["boss", "sett", "orgs"]) {
        const { status } = await send(who, operation, "");
        expect(status).toBe(403);
      }
      expect(refusalOf(await send("boss", operation, ""))).toEqual(HIGHER);
      // A settings manager may not change a single user, so not all of them at once either.
      expect((await send("setter", operation, "", "evil")).status).toBe(403);
      expect(await events()).toBe(before);
    },
  );

  it("is not required for a primary domain that renames no user with a role", async () => {
    const { prisma } = service.ctx.db;
    const roles = await prisma.membership.findMany({ where: { user: { organizationId: "evil" } } });
    await prisma.membership.deleteMany({ where: { userId: "u-mallory" } });
    await prisma.user.update({ where: { id: "u-setter" }, data: { userNameKey: "setter@evil.test" } });
    expect((await send("setter", operationNamed("SetPrimaryOrgDomain"), "", "evil")).status).toBe(404); // no such domain
    await prisma.membership.createMany({
      data: roles.filter(({ userId }) => userId === "u-mallory").map(({ languages: _, ...row }) => row),
    });
  });

  it("covers an organization for its owner and for managers of organizations", async () => {
    for (const [who, id] of [
      ["mallory", "DeactivateOrg"],
      ["orgs", "ReactivateOrg"],
    ] as const) {
      expect((await send(who, operationNamed(id), "", "evil")).status).toBe(200);
    }
  });

  it("ends for an organization when one of its users gets a role elsewhere", async () => {
    const body = { userId: "u-carl", roles: ["ORG_OWNER_VIEWER"] };
    const path = "/management/v1/orgs/me/members";
    expect((await callApi(service, "POST", path, { token: tokens.ada, body })).status).toBe(200);
    expect(refusalOf(await send("mallory", operationNamed("RemoveOrg"), "", "evil"))).toEqual(HIGHER);
    expect(refusalOf(await send("mallory", operationNamed("LockUser"), "u-carl", "evil"))).toEqual(HIGHER);
    expect((await callApi(service, "DELETE", `${path}/u-carl`, { token: tokens.ada })).status).toBe(200);
    expect((await send("orgs", operationNamed("RemoveOrg"), "", "evil")).status).toBe(200);
  });

  it("is checked again if a role was given in the meantime", async () => {
    const give = { userId: "u-bob", roles: ["IAM_OWNER"] };
    let given: Promise<unknown> | undefined;
    const { db } = service.ctx;
    const slow = {
      ...service.ctx,
      // The role is given after the check, before the transaction.
      db: {
        ...db,
        transaction: async (...work: Parameters<typeof db.transaction>) => {
          given ??= callApi(service, "POST", "/admin/v1/members", { token: tokens.ada, body: give });
          await given;
          return db.transaction(...work);
        },
      },
    } as typeof service.ctx;
    let done = false;
    const answer = await changeUser(
      { ...slow, origin: { actor: "u-uma" } },
      { organizationId: "acme", userId: "u-bob" },
      async () => {
        done = true;
        return undefined;
      },
    );
    expect(answer).toMatchObject({ id: "request.overtaken" });
    expect(done).toBe(false);
  });
});
