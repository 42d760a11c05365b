import { hash } from "@node-rs/argon2";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { apiToken, callApi, refusalOf } from "../../testing/api";
import { databaseKinds, ruleDatabases } from "../../testing/database";
import { PASSWORD, SECRET } from "../../testing/example";
import { basic, userinfo } from "../../testing/flow";
import { lastMailTo } from "../../testing/mailed";
import { scenarioBootstrap } from "../../testing/scenarios/all";
import { type TestService, testService } from "../../testing/test-context";

const USERS = "/management/v1/users";
const person = (userName: string, more: object = {}) => ({
  userName,
  profile: { firstName: "Grace", lastName: "Hopper" },
  email: { email: `${userName.replace("@", "-")}@mail.test` },
  ...more,
});

describe.each(databaseKinds)("users over the API on %s", (kind) => {
  let service: TestService;
  const tokens: Record<string, string> = {};
  beforeAll(async () => {
    service = await testService(kind, scenarioBootstrap);
    tokens.owner = await apiToken(service);
    for (const name of ["colleague", "nobody"]) tokens[name] = await apiToken(service, `${name}@acme.test`);
  });
  afterAll(() => service.close());

  const call = (method: string, path: string, body?: unknown, as = "colleague") =>
    callApi(service, method, path, { token: tokens[as], body });
  const refused = async (...request: Parameters<typeof call>) => refusalOf(await call(...request));
  const add = async (userName: string, more?: object) =>
    (await call("POST", `${USERS}/human`, person(userName, more))).body;

  it("refuses names, ids and domains that belong to others", async () => {
    const twice = (userName: string, more?: object) =>
      refused("POST", `${USERS}/human/_import`, person(userName, more));
    const taken = { status: 409, code: 6, id: "user.already_exists" };
    for (const userName of ["bob", "BOB", "bob@acme.test"]) expect(await twice(userName)).toEqual(taken);
    expect(await twice("new", { userId: "u-bob" })).toEqual({ ...taken, id: "user.id_taken" });
    expect(await twice("new", { userId: "system" })).toEqual({ ...taken, id: "user.id_taken" });
    expect(await twice("eve@foreign.test")).toEqual({ status: 400, code: 9, id: "user.domain_taken" });
    for (const userName of ["service", "console"]) {
      expect(await refused("POST", `${USERS}/machine`, { userName, name: "M" })).toMatchObject({ status: 400 });
    }
    expect(await refused("POST", `${USERS}/machine`, { userName: "web", name: "M" })).toMatchObject({ status: 409 });
  });

  it("sends a link that sets the first password and verifies the address", async () => {
    const { userId } = await add("mailed");
    const { type, path } = await lastMailTo(service, "mailed@mail.test");
    expect(type).toBe("init");
    await setPassword(`${service.config.baseUrl}${path}`);
    expect((await call("GET", `${USERS}/${userId}/email`)).body.email.isEmailVerified).toBe(true);
    expect(await apiToken(service, "mailed@acme.test")).toMatch(/./);
  });

  it("returns a link instead, which does not verify the address", async () => {
    const { userId } = await add("grace");
    const older = await lastMailTo(service, "grace@mail.test");
    const invite = await call("POST", `/v2/users/${userId}/invite_code`, { returnCode: {} });
    expect(invite.body.inviteLink).toContain(invite.body.inviteCode);
    expect((await service.browser().get(older.path)).status).not.toBe(200); // the newer one is the one
    await setPassword(invite.body.inviteLink);
    const shown = (await call("GET", `${USERS}/${userId}`)).body.user.human;
    expect([shown.email.isEmailVerified, typeof shown.passwordChanged]).toEqual([false, "string"]);
    expect(await apiToken(service, "grace@acme.test")).toMatch(/./);
    expect((await refused("POST", `/v2/users/${userId}/invite_code`, {})).id).toBe("user.already_initialized");
  });

  it("keeps a role of the bootstrap file while others change", async () => {
    const { prisma } = service.ctx.db;
    const given = { userId: "u-bob", level: "organization", levelId: "acme" };
    await prisma.membership.create({ data: { ...given, role: "PROJECT_OWNER_GLOBAL", createdAt: new Date() } });
    const member = "/management/v1/orgs/me/members/u-bob";
    const both = ["ORG_OWNER_VIEWER", "PROJECT_OWNER_GLOBAL"];
    expect((await call("PUT", member, { roles: both })).status).toBe(200);
    const held = await prisma.membership.findMany({ where: given, orderBy: { role: "asc" } });
    expect(held.map(({ role }) => role)).toEqual(both);
    expect((await call("DELETE", member)).status).toBe(200);
    expect((await refused("PUT", member, { roles: both })).id).toBe("member.unknown_role");
  });

  it("keeps at least one owner of the instance", async () => {
    const last = { status: 400, code: 9, id: "instance.last_owner" };
    expect(await refused("DELETE", "/admin/v1/members/u-ada", undefined, "owner")).toEqual(last);
    expect(await refused("PUT", "/admin/v1/members/u-ada", { roles: ["IAM_OWNER_VIEWER"] }, "owner")).toEqual(last);
    expect(await refused("DELETE", `${USERS}/u-ada`, undefined, "owner")).toEqual(last);
    expect(await refused("POST", `${USERS}/u-ada/_lock`, {}, "owner")).toEqual(last);
    expect((await call("POST", "/admin/v1/members", { userId: "u-bob", roles: ["IAM_OWNER"] }, "owner")).status).toBe(
      200,
    );
    expect((await call("DELETE", "/admin/v1/members/u-ada", undefined, "owner")).status).toBe(200);
    // Permissions are read at the moment of use: the token is the same.
    expect((await call("POST", "/admin/v1/orgs/_search", {}, "owner")).status).toBe(403);
    const bob = await apiToken(service, "bob@acme.test");
    const back = await callApi(service, "POST", "/admin/v1/members", {
      token: bob,
      body: { userId: "u-ada", roles: ["IAM_OWNER"] },
    });
    expect(back.status).toBe(200);
    await call("DELETE", "/admin/v1/members/u-bob", undefined, "owner");
  });

  it("creates long-lived tokens for machines", async () => {
    const { userId } = (await call("POST", `${USERS}/machine`, { userName: "robot", name: "Robot" })).body;
    const { token, tokenId } = (await call("POST", `${USERS}/${userId}/pats`, {})).body;
    await call("POST", "/management/v1/orgs/me/members", { userId, roles: ["ORG_OWNER_VIEWER"] });
    const read = () => callApi(service, "GET", "/management/v1/orgs/me", { token });
    const introspect = async () =>
      (
        await service.fetch("/oauth/v2/introspect", {
          method: "POST",
          body: new URLSearchParams({ token }),
          headers: { authorization: basic("web", SECRET) },
        })
      ).json();
    expect((await read()).status).toBe(200);
    expect(await (await userinfo(service, token)).json()).toMatchObject({ sub: userId, name: "Robot" });
    expect(await introspect()).toMatchObject({ active: true, sub: userId });
    await call("PUT", `${USERS}/${userId}/username`, { userName: "rocket" });
    expect((await read()).status).toBe(200);
    expect(JSON.stringify(await service.ctx.db.prisma.event.findMany({}))).not.toContain(token);
    const list = await call("POST", `${USERS}/${userId}/pats/_search`, {});
    expect(JSON.stringify(list.body)).not.toContain(token);
    await call("DELETE", `${USERS}/${userId}/pats/${tokenId}`);
    expect((await read()).status).toBe(401);
    expect(await introspect()).toEqual({ active: false });
    const past = { expirationDate: "2020-01-01T00:00:00Z" };
    expect((await refused("POST", `${USERS}/${userId}/pats`, past)).id).toBe("machine.token_expired");
    expect((await refused("POST", `${USERS}/u-bob/pats`, {})).id).toBe("user.not_machine");
  });

  it("imports many users at once, or returns the reasons", async () => {
    const path = `${USERS}/_bulk_import`;
    const users = [
      person("bulk-1"),
      person("bulk-2", { userId: "b2" }),
      person("bulk-1"),
      person("bob"),
      { userName: 1 },
    ];
    const count = () => service.ctx.db.prisma.user.count();
    const before = await count();
    const dry = (await call("POST", path, { dryRun: true, mode: "EACH_BY_ITSELF", users })).body;
    expect([dry.created, dry.refused, await count()]).toEqual([2, 3, before]);
    const whole = (await call("POST", path, { users })).body;
    expect([whole.created, whole.refused, await count()]).toEqual([0, 3, before]);
    const each = (await call("POST", path, { mode: "EACH_BY_ITSELF", users })).body;
    expect([each.created, each.refused, await count()]).toEqual([2, 3, before + 2]);
    expect(
      each.results.map(({ userId, error }: { userId?: string; error?: { id: string } }) => error?.id ?? typeof userId),
    ).toEqual([...["string", "string", "user.already_exists", "user.already_exists", "request.invalid"]]);
    const fields = each.results.map(({ errors = [] }: { errors?: { field?: string }[] }) =>
      errors.map(({ field }) => field),
    );
    expect(fields.at(-1)).toEqual(expect.arrayContaining(["userName", "profile"]));
    expect(fields.at(-1).length).toBeGreaterThan(1);
    expect((await call("GET", `${USERS}/b2`)).body.user.userName).toBe("bulk-2");
    expect((await refused("POST", path, { users: [] })).status).toBe(400);
    expect((await refused("POST", path, { users }, "nobody")).status).toBe(403);
  });

  it("imports 1000 users at once", async () => {
    const path = `${USERS}/_bulk_import`;
    const many = 1_000;
    // Statements have fifty or three hundred rows each: how they are grouped is the same from a thousand on.
    const { body } = await call("POST", path, { users: Array.from({ length: many }, (_, n) => person(`many-${n}`)) });
    expect([body.created, body.refused]).toEqual([many, 0]);
    const found = await call("POST", `${USERS}/_search`, { queries: [{ textQuery: { text: `many ${many - 1}` } }] });
    expect(found.body.result.map(({ userName }: { userName: string }) => userName)).toEqual([`many-${many - 1}`]);
  });

  it("finds users by typed text, and refuses unknown filters", async () => {
    await add("umlaut", { profile: { firstName: "Jürgen", lastName: "Möller-Straße", displayName: "Jürgen" } });
    const find = async (text: string) =>
      (await call("POST", `${USERS}/_search`, { queries: [{ textQuery: { text } }] })).body.result.map(
        ({ userName }: { userName: string }) => userName,
      );
    expect(await find("jur moll")).toEqual(["umlaut"]);
    expect(await find("STRASSE")).toEqual([]);
    expect(await find("umlaut@mail")).toEqual(["umlaut"]);
    expect(await find("@")).toEqual([]);
    expect(await find("' OR 1=1 --")).toEqual([]);
    for (const body of [
      { sortingColumn: "USER_FIELD_NAME_EMAIL" },
      { queries: [{ passwordQuery: {} }] },
      { query: { pageToken: "e30" } },
      { query: { limit: 100_000 } },
    ]) {
      expect((await refused("POST", `${USERS}/_search`, body)).status).toBe(400);
    }
  });

  if (!ruleDatabases.includes(kind)) return; // what follows are rules above storage
  it("limits the emails to one address", async () => {
    const { userId } = await add("often");
    const statuses: number[] = [];
    for (let round = 0; round < 6; round++) {
      statuses.push((await call("POST", `${USERS}/${userId}/_resend_initialization`, {})).status);
    }
    expect(statuses.at(-1)).toBe(429);
    expect(statuses[0]).toBe(200);
  });

  async function setPassword(link: string) {
    const browser = service.browser();
    const { pathname, search } = new URL(link);
    const page = await (await browser.get(pathname + search)).text();
    const field = (name: string) => new RegExp(`name="${name}"[^>]*value="([^"]*)"`).exec(page)?.[1] ?? "";
    const form = { token: field("token"), flow: field("flow"), password: PASSWORD, newPassword: PASSWORD };
    const done = await browser.post("/login/reset-password/submit", form);
    expect(done.status).toBe(303);
  }

  it("imports argon2id hashes and no others", async () => {
    const value = await hash(PASSWORD, { memoryCost: 19_456, timeCost: 2, parallelism: 1 });
    await call("POST", `${USERS}/human/_import`, person("hashed", { hashedPassword: { value } }));
    expect(await apiToken(service, "hashed@acme.test")).toMatch(/./);
    for (const wrong of ["$2b$10$abcdefghijklmnopqrstuv", value.replace("m=19456", "m=9999999"), `${value}$`, ""]) {
      const body = person("other", { hashedPassword: { value: wrong } });
      expect(await refused("POST", `${USERS}/human/_import`, body)).toMatchObject({ status: 400, code: 3 });
    }
    const both = person("other", { hashedPassword: { value }, password: PASSWORD });
    expect((await refused("POST", `${USERS}/human/_import`, both)).status).toBe(400);
  });

  it("prevents users from gaining permissions through other users", async () => {
    // Ada owns the instance, the colleague the organization alone.
    const denied = { status: 403, code: 7, id: "access.higher_role" };
    const email = { email: "mine@mail.test", isEmailVerified: true };
    const attempts: [string, string, unknown?][] = [
      ["POST", `${USERS}/u-ada/password`, { password: PASSWORD }],
      ["PUT", `${USERS}/u-ada/email`, email],
      ["PUT", `${USERS}/u-ada/username`, { userName: "other" }],
      ["POST", `${USERS}/u-ada/_lock`, {}],
      ["POST", `${USERS}/u-ada/_deactivate`, {}],
      ["POST", "/v2/users/u-ada/deactivate", {}],
      ["POST", "/v2/users/u-ada/invite_code", { returnCode: {} }],
      ["POST", `${USERS}/u-ada/password/_reset_notification`, {}],
      ["DELETE", `${USERS}/u-ada/recovery_codes`],
      ["DELETE", `${USERS}/u-ada/passwordless/x`],
      ["DELETE", `${USERS}/u-ada/auth_factors/x`],
      ["DELETE", `${USERS}/u-ada`],
    ];
    const before = await service.ctx.db.prisma.event.count();
    for (const attempt of attempts) expect(await refused(...attempt)).toEqual(denied);
    expect(await service.ctx.db.prisma.event.count()).toBe(before);
    const members = "/management/v1/orgs/me/members";
    const admin = { userId: "u-bob", roles: ["ORG_ADMIN_IMPERSONATOR"] };
    expect(await refused("POST", members, admin)).toEqual(denied);
    expect((await call("POST", members, admin, "owner")).status).toBe(200);
    expect(await refused("POST", `${USERS}/u-bob/password`, { password: PASSWORD })).toEqual(denied);
    expect((await call("DELETE", `${members}/u-bob`, undefined, "owner")).status).toBe(200);
    expect((await refused("POST", members, { userId: "u-bob", roles: ["IAM_OWNER"] })).id).toBe("member.unknown_role");
  });

  it("responds for users of other organizations as for unknown users", async () => {
    const made = await callApi(service, "POST", `${USERS}/human/_import`, {
      token: tokens.owner,
      headers: { "x-service-orgid": "foreign" },
      body: person("far", { userId: "u-far" }),
    });
    expect(made.status).toBe(200);
    for (const [method, path, body] of [
      ["GET", ""],
      ["DELETE", ""],
      ["GET", "/email"],
      ["PUT", "/username", { userName: "x" }],
      ["POST", "/_lock", {}],
      ["POST", "/metadata/_search", {}],
      ["POST", "/keys/_search", {}],
      ["POST", "/tokens/_search", {}],
    ] as [string, string, unknown?][]) {
      const [far, unknown] = [
        await call(method, `${USERS}/u-far${path}`, body),
        await call(method, `${USERS}/u-none${path}`, body),
      ];
      expect([far.status, far.body]).toEqual([404, unknown.body]);
    }
    const v2 = await call("GET", "/v2/users/u-far");
    expect([v2.status, v2.body]).toEqual([403, (await call("GET", "/v2/users/u-none")).body]);
    const create = (organizationId: string) =>
      refused("POST", "/v2/users/human", {
        profile: { givenName: "E", familyName: "E" },
        email: { email: "e@mail.test" },
        organization: { orgId: organizationId },
      });
    expect(await create("foreign")).toEqual({ status: 403, code: 7, id: "access.denied" });
    expect(await create("unknown")).toEqual(await create("foreign"));
  });

  it("checks the 10000 users that an import may contain", async () => {
    const most = Array.from({ length: 10_000 }, (_, n) => person(`most-${n}`));
    const tried = await call("POST", `${USERS}/_bulk_import`, { dryRun: true, users: most });
    expect([tried.body.created, tried.body.refused]).toEqual([most.length, 0]);
    const more = { dryRun: true, users: [...most, person("most")] };
    expect((await refused("POST", `${USERS}/_bulk_import`, more)).status).toBe(400);
  });
});
