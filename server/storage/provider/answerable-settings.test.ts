import fs from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { migrationsFolder } from "../../root";
import { connectTestDatabase, databaseKinds, emptyDatabaseUrl, temporaryFolder } from "../../testing/database";
import { migrate } from "../engine/migrate";

const MIGRATION = "20261122223801_answerable_settings";

it.each(databaseKinds)("finds who set a mail server or a text in the audit trail, on %s", async (kind) => {
  const url = await emptyDatabaseUrl(kind);
  const before = temporaryFolder();
  fs.cpSync(path.join(migrationsFolder, kind), path.join(before, kind), {
    recursive: true,
    filter: (file) => !/^\d{14}_/.test(path.basename(file)) || path.basename(file) < MIGRATION,
  });
  await migrate(url, before);
  const at = kind === "sqlite" ? "1" : "now()";
  let sequence = 0;
  const event = (type: string, id: string, name: string, actor: string) =>
    `INSERT INTO "Event" ("aggregateType", "aggregateId", "sequence", "type", "resourceOwner", "actor", "payload", "createdAt")
     VALUES ('${type}', '${id}', ${++sequence}, '${name}', 'o', '${actor}', '{}', ${at})`;
  const serverSet = (id: string, actor: string) => event("organization", id, "organization.mail_settings.set", actor);
  const textSet = (owner: string, actor: string) =>
    event("message_text", `${owner}/init/en`, "message_text.set", actor);
  const old = await connectTestDatabase(url);
  for (const sql of [
    ...["operators", "mallorys", "unknown", "named"].flatMap((id) => [
      `INSERT INTO "MailSettings" ("organizationId", "sealedSmtpUrl", "sender", "createdAt", "changedAt")
       VALUES ('${id}', 'x', 'y', ${at}, ${at})`,
      `INSERT INTO "MessageText" ("ownerId", "type", "language", "createdAt", "changedAt")
       VALUES ('${id}', 'init', 'en', ${at}, ${at})`,
    ]),
    `INSERT INTO "Aggregate" ("type", "id", "resourceOwner", "sequence", "createdAt", "changedAt")
     VALUES ('user', 'system', 'o', 1, ${at}, ${at})`,
    ...[serverSet("mallorys", "bootstrap"), serverSet("mallorys", "u-mallory"), serverSet("operators", "bootstrap")],
    ...[serverSet("operators", "u-mallory"), serverSet("operators", "operator"), serverSet("named", "system")],
    ...[textSet("mallorys", "u-eve"), textSet("mallorys", "u-mallory"), textSet("mallorys", "bootstrap")],
    ...[textSet("operators", "bootstrap"), textSet("named", "system")],
  ]) {
    await old.prisma.$executeRawUnsafe(sql);
  }
  await old.close();
  expect(await migrate(url, migrationsFolder)).toContain(MIGRATION);
  const db = await connectTestDatabase(url);
  const servers = await db.prisma.emailProvider.findMany();
  const texts = await db.prisma.messageText.findMany();
  const expected = { operators: ":operator", mallorys: "u-mallory", unknown: null, named: "system" };
  expect(Object.fromEntries(servers.map((row) => [row.activeFor, row.changedBy]))).toEqual(expected);
  expect(Object.fromEntries(texts.map((row) => [row.ownerId, row.changedBy]))).toEqual(expected);
});
