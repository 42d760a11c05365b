import { expect, it } from "vitest";
import { migrationsFolder } from "../../root";
import { connectTestDatabase, emptyDatabaseUrl } from "../../testing/database";
import { migrate } from "../engine/migrate";
import { deleteOrganization } from "./organization";

const SIZE = 1_300;
/** Seconds for each user; the sum of all exceeds the statement timeout. */
const SLOW = 0.005;

it("deletes an organization of more people than one statement has time for on PostgreSQL", async () => {
  const url = await emptyDatabaseUrl("postgresql"); // a separate database, because its schema changes
  await migrate(url, migrationsFolder);
  const db = await connectTestDatabase(url);
  const at = `timestamp '2030-01-01 00:00:00'`;
  await db.run(
    `INSERT INTO "Organization" ("id", "name", "nameKey", "state", "createdAt")
       SELECT id, id, id, 'active', ${at} FROM (VALUES ('large'), ('other')) AS o(id)`,
    [],
  );
  const userOf = (organization: string, number: string) => `
    INSERT INTO "User" ("id", "organizationId", "kind", "state", "userName", "loginNameKey", "userNameKey",
        "displayName", "displayNameKey", "isEmailVerified", "isPhoneVerified", "passwordChangeRequired", "validFrom",
        "createdAt", "changedAt", "lastSignIn")
      SELECT '${organization}-' || n, '${organization}', 'human', 'active', 'n' || n, '${organization}-' || n, 'n' || n,
        'n' || n, 'n' || n, FALSE, FALSE, FALSE, ${at}, ${at}, ${at}, '' FROM generate_series(1, ${number}) AS s(n)`;
  await db.run(userOf("large", String(SIZE)), []);
  await db.run(userOf("other", "1"), []);
  await db.run(
    `CREATE FUNCTION slow() RETURNS trigger LANGUAGE plpgsql AS
       $$ BEGIN PERFORM pg_sleep(${SLOW}); RETURN OLD; END $$`,
    [],
  );
  await db.run(`CREATE TRIGGER slow BEFORE DELETE ON "User" FOR EACH ROW EXECUTE FUNCTION slow()`, []);
  await db.transaction((tx) => deleteOrganization(tx, "large"), { timeout: 10 * 60_000 });
  expect(await db.all(`SELECT "id" FROM "User"`, [])).toEqual([{ id: "other-1" }]);
  expect(await db.all(`SELECT "id" FROM "Organization"`, [])).toEqual([{ id: "other" }]);
}, 120_000);
