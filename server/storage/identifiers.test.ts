import fs from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { migrationsFolder } from "../root";
import { connectTestDatabase, databaseKinds, emptyDatabaseUrl, temporaryFolder } from "../testing/database";
import { migrate } from "./engine/migrate";

const MIGRATION = "20261122222710_claimed_identifiers";

it.each(databaseKinds)("an older database keeps its rows and claims what it has given, on %s", async (kind) => {
  const url = await emptyDatabaseUrl(kind);
  const before = temporaryFolder();
  fs.cpSync(path.join(migrationsFolder, kind), path.join(before, kind), {
    recursive: true,
    filter: (file) => !/^\d{14}_/.test(path.basename(file)) || path.basename(file) < MIGRATION,
  });
  await migrate(url, before);
  const old = await connectTestDatabase(url);
  const at = (ms: number) => (kind === "sqlite" ? String(ms) : `to_timestamp(${ms / 1000})`);
  const run = (sql: string) => old.prisma.$executeRawUnsafe(sql);
  for (const id of ["acme", "evil"]) {
    await run(
      `INSERT INTO "Organization" ("id", "name", "state", "createdAt") VALUES ('${id}', 'O', 'active', ${at(1)})`,
    );
    await run(`INSERT INTO "Project" ("id", "organizationId", "name", "state", "createdAt")
      VALUES ('P-${id}', '${id}', 'P', 'active', ${at(2)})`);
  }
  await run(`INSERT INTO "App" ("id", "projectId", "name", "state", "kind", "clientId", "settings", "createdAt", "changedAt")
    VALUES ('a', 'P-acme', 'A', 'active', 'oidc', 'Web', '{}', ${at(3)}, ${at(3)})`);
  const user = (id: string, organizationId: string, userName: string, more: { kind?: string; email?: string } = {}) => {
    const { kind: what = "human", email } = more;
    const address = email === undefined ? `NULL, NULL, FALSE` : `'${email}', '${email}', TRUE`;
    return run(`INSERT INTO "User" ("id", "organizationId", "kind", "state", "userName", "loginNameKey", "userNameKey",
        "email", "emailKey", "isEmailVerified", "validFrom", "createdAt", "changedAt")
      VALUES ('${id}', '${organizationId}', '${what}', 'active', '${userName}', '${id}', '${userName}', ${address},
        ${at(4)}, ${at(4)}, ${at(4)})`);
  };
  const event = async (aggregate: string, type: string, by: string, payload: object, owner = "evil", kind = "user") => {
    const sequence = (await old.prisma.event.count({ where: { aggregateId: aggregate } })) + 1;
    await run(`INSERT INTO "Event" ("aggregateType", "aggregateId", "sequence", "type", "resourceOwner", "actor", "payload", "createdAt")
      VALUES ('${kind}', '${aggregate}', ${sequence}, '${type}', '${owner}', '${by}', '${JSON.stringify(payload)}', ${at(5)})`);
  };
  await user("web", "evil", "web", { kind: "machine" });
  await event("gone", "app.added", "x", { clientId: "Gone" }, "acme", "app");
  await event("m-gone", "user.machine.added", "x", { userName: "Old" }, "acme");
  // An id of acme's that evil got after it was removed.
  await user("frank", "evil", "frank2");
  await run(`INSERT INTO "Aggregate" ("type", "id", "resourceOwner", "sequence", "createdAt", "changedAt")
    VALUES ('user', 'frank', 'acme', 3, ${at(1)}, ${at(1)})`);
  for (const type of ["user.added", "user.removed", "user.added", "user.signed_in"]) {
    await event("frank", type, "x", {}, "acme");
  }
  const email = (id: string) => `${id}@mail.example`;
  for (const id of ["asserted", "operator", "self", "self-asserted", "overwritten"])
    await user(id, "evil", id, { email: email(id) });
  const verified = (id: string) => ({ email: email(id), isEmailVerified: true });
  await event("asserted", "user.added", "mallory", verified("asserted"));
  await event("operator", "user.added", "bootstrap", verified("operator"));
  await event("self", "user.added", "mallory", { email: email("self") });
  await event("self", "user.email.verification_requested", "self", { email: email("self") });
  await event("self", "user.changed", "self", { isEmailVerified: { from: false, to: true } });
  await event("self-asserted", "user.changed", "self-asserted", { isEmailVerified: { from: false, to: true } });
  await event("overwritten", "user.added", "bootstrap", verified("overwritten"));
  await event("overwritten", "user.changed", "mallory", {
    email: { from: "old@mail.example", to: email("overwritten") },
  });
  await old.close();

  expect(await migrate(url, migrationsFolder)).toContain(MIGRATION);
  const { prisma } = await connectTestDatabase(url);
  const claims = await prisma.claimedIdentifier.findMany({ orderBy: [{ space: "asc" }, { key: "asc" }] });
  expect(
    claims.map(({ space, key, kind: what, organizationId }) => [space, key, what, organizationId].join(" ")),
  ).toEqual([
    "client gone app acme",
    "client old machine acme",
    "client p-acme project acme",
    "client p-evil project evil",
    "client web app acme", // the older of two that collide
    "subject gone app acme",
    "subject web app acme",
  ]);
  expect((await prisma.event.findMany({ where: { aggregateId: "frank" } })).map((row) => row.resourceOwner)).toEqual([
    ...["acme", "acme", "evil", "evil"],
  ]);
  expect(await prisma.aggregate.findFirst({ where: { id: "frank" } })).toMatchObject({ resourceOwner: "evil" });
  const trusted = await prisma.user.findMany({ where: { isEmailTrusted: true }, orderBy: { id: "asc" } });
  expect(trusted.map(({ id }) => id)).toEqual(["operator", "self"]);
  expect(await prisma.user.count()).toBe(7);
});
