import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { root } from "../../root";
import { apiToken, callApi, refusalOf } from "../../testing/api";
import { databaseKinds, ruleDatabases } from "../../testing/database";
import { managementToken, tenants } from "../../testing/tenants-example";
import { type TestService, testService } from "../../testing/test-context";
import { changeDirectory } from "../change";
import { addDomain, verifyDomain } from "../organization/domain";

const person = (userName: string) => ({
  userName,
  profile: { firstName: "A", lastName: "B" },
  email: { email: `${Math.random()}@mail.example` },
});
const v2 = () => ({ profile: { givenName: "A", familyName: "B" }, email: { email: `${Math.random()}@v2.example` } });

describe.each(databaseKinds)("login names under a proven domain, on %s (rule ID-5)", (kind) => {
  let service: TestService;
  let token = { iam: "", evil: "" };
  beforeAll(async () => {
    service = await testService(kind, tenants);
    token = { iam: await apiToken(service), evil: await managementToken(service, "mallory") };
  });
  const call = (who: keyof typeof token, method: string, path: string, body?: unknown) =>
    callApi(service, method, path.startsWith("/v2") || path.startsWith("/admin") ? path : `/management/v1${path}`, {
      token: token[who],
      body,
    });

  it("lets the owner use the domain and its subdomains, and others their own subdomains and unclaimed look-alikes", async () => {
    expect((await call("iam", "POST", "/users/human/_import", person("own@acme.test"))).status).toBe(200);
    expect((await call("iam", "POST", "/users/human/_import", person("own@mail.acme.test"))).status).toBe(200);
    for (const name of ["ceo@hr.acme.test", "ceo@a.b.acme.test", "ceo@hr.аcme.test"]) {
      const answer = await call("evil", "POST", "/users/human/_import", person(name));
      expect([name, refusalOf(answer).id]).toEqual([name, "user.domain_taken"]);
    }
    await changeDirectory(service.ctx, async (ctx) => {
      await addDomain({ ...service.ctx, tx: ctx.tx, origin: { actor: "u-ada" } }, "evil", "shop.acme.test", false);
      await verifyDomain({ ...service.ctx, tx: ctx.tx, origin: { actor: "u-ada" } }, "evil", "shop.acme.test");
    });
    expect((await call("evil", "POST", "/users/human/_import", person("x@shop.acme.test"))).status).toBe(200);
    expect((await call("evil", "POST", "/users/human/_import", person("x@bücher.test"))).status).toBe(200);
  });

  it("lets no organization use the domain of temporary names", async () => {
    const answer = await call("evil", "POST", "/users/human/_import", person("x@temporary.localhost"));
    expect(refusalOf(answer)).toMatchObject({ status: 400, id: "user.domain_taken" });
    const { primaryDomain, id } = (await call("iam", "POST", "/orgs", { name: "Temporary" })).body;
    expect(primaryDomain).toBe("temporary-2.localhost");
    await call("iam", "DELETE", `/admin/v1/orgs/${id}`);
  });

  it("frees names of other organizations' machines when a domain is claimed, and the machines keep their client ids", async () => {
    expect((await call("evil", "POST", "/users/machine", { userName: "boss@corp.test", name: "M" })).status).toBe(200);
    await changeDirectory(service.ctx, async (ctx) => {
      await addDomain({ ...service.ctx, tx: ctx.tx, origin: { actor: "u-ada" } }, "acme", "corp.test", false);
      await verifyDomain({ ...service.ctx, tx: ctx.tx, origin: { actor: "u-ada" } }, "acme", "corp.test");
    });
    const rows = await service.ctx.db.prisma.user.findMany({ where: { userNameKey: "boss@corp.test" } });
    expect(rows).toMatchObject([{ kind: "machine", organizationId: "evil" }]);
    expect((await call("iam", "POST", "/users/human/_import", person("boss@corp.test"))).status).toBe(200);
  });

  if (!ruleDatabases.includes(kind)) return; // what follows are rules above storage

  it.each([
    "ceo@acme.test",
    "CEO@ACME.TEST",
    "ceo@acme.test.",
    "ceo@ａｃｍｅ.test",
    "ceo@acme。test",
    "ceo@ac\u00adme.test",
    "ceo@ac\u200dme.test",
    "ceo@acme.test..",
    "ceo@аcme.test",
    "a@b@acme.test",
  ])("rejects %j on all endpoints for other organizations", async (userName) => {
    const answers = [
      await call("evil", "POST", "/users/human", person(userName)),
      await call("evil", "POST", "/users/human/_import", person(userName)),
      await call("evil", "POST", "/users/machine", { userName, name: "M" }),
      await call("evil", "POST", "/v2/users/human", { username: userName, ...v2() }),
      await call("evil", "POST", "/v2/users/new", { username: userName, human: v2() }),
      await call("evil", "POST", "/v2/users/new", { username: userName, machine: { name: "M" } }),
      await call("evil", "PUT", "/users/u-uma/username", { userName }),
      await call("evil", "PUT", "/users/m-mallory/username", { userName }),
    ];
    // Some endpoints reject hidden characters as invalid.
    for (const { status } of answers) expect(status).toBe(400);
    const bulk = await call("evil", "POST", "/users/_bulk_import", { users: [person(userName)] });
    expect(bulk.body).toMatchObject({ created: 0, refused: 1 });
    const first = { org: { name: "X" }, human: person(userName) };
    expect((await call("iam", "POST", "/admin/v1/orgs/_setup", first)).status).toBe(400);
    const isFree = await call("evil", "GET", `/users/_is_unique?userName=${encodeURIComponent(userName)}`);
    expect(isFree.body.isUnique ?? false).toBe(false);
  });
});

describe("the assignment of login names", () => {
  it("happens in one module: every file that writes a user row takes an identity from it", () => {
    const files = readdirSync(join(root, "server"), { recursive: true, encoding: "utf8" });
    const writers = files.filter(
      (file) =>
        /^(?!storage\/generated|testing)[\w/-]+(?<!\.test)\.ts$/.test(file) &&
        /\b(?:insertUsers?|tx\.user\.(?:create|createMany|upsert))\(|INTO "User"/.test(
          readFileSync(join(root, "server", file), "utf8"),
        ),
    );
    expect(writers.sort()).toEqual([
      "directory/user/machine.ts",
      "directory/user/user.ts",
      "storage/user/bulk.ts",
      "storage/user/user.ts",
    ]);
  });
});
