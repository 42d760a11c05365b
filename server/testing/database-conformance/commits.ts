/** Conformance: single statements and units, whole or not at all. */
import { beforeEach, describe, expect, it } from "vitest";
import type { Database, Unit } from "../../storage/database";
import { isUniqueViolation } from "../../storage/engine/violations";
import {
  consume,
  grant,
  NOW,
  type Open,
  rowCount,
  sampleDomain,
  sampleOrganization,
  sampleSession,
  sampleToken,
  sampleUser,
} from "./rows";

export function commitsConformance(open: Open): void {
  let db: Database;
  let other: Database;
  beforeEach(async () => {
    ({ database: db, other } = await open());
  });
  const domains = async () =>
    (await db.all<{ domain: string }>(`SELECT "domain" FROM "Domain" ORDER BY "domain"`, [])).map((row) => row.domain);

  describe("run", () => {
    it("returns the number of changed rows", async () => {
      await db.commit({ inserts: [sampleOrganization("a"), sampleOrganization("b")] });
      const rename = `UPDATE "Organization" SET "name" = $1 WHERE "id" = $2 OR $2 = 'all'`;
      expect(await db.run(rename, ["x", "nobody"])).toBe(0);
      expect(await db.run(rename, ["x", "a"])).toBe(1);
      expect(await db.run(rename, ["x", "all"])).toBe(2);
    });

    it("does nothing on a conflict with ON CONFLICT DO NOTHING", async () => {
      const sql = `INSERT INTO "UsedAssertion" ("id", "expiresAt") VALUES ($1, $2) ON CONFLICT ("id") DO NOTHING`;
      expect(await db.run(sql, ["a", NOW])).toBe(1);
      expect(await db.run(sql, ["a", NOW])).toBe(0);
    });

    it("deletes children with their parent, and forgets optional parents", async () => {
      await db.commit({
        inserts: [
          sampleOrganization("o"),
          sampleDomain("o", "d"),
          sampleUser("u", "o"),
          sampleSession("s", "u"),
          grant("g", "u", "s"),
        ],
      });
      expect(await db.run(`DELETE FROM "Session" WHERE "id" = $1`, ["s"])).toBe(1);
      expect(await db.one(`SELECT "id", "sessionId" FROM "Grant"`, [])).toEqual({ id: "g", sessionId: null });
      expect(await db.run(`DELETE FROM "Organization" WHERE "id" = $1`, ["o"])).toBe(1);
      for (const table of ["Domain", "User", "Grant"]) expect(await rowCount(db, table)).toBe(0);
    });
  });

  describe("commit", () => {
    it("writes parents and children in one unit", async () => {
      expect(
        await db.commit({ inserts: [sampleOrganization("o"), sampleDomain("o", "a"), sampleDomain("o", "b")] }),
      ).toBe(true);
      expect(await domains()).toEqual(["a", "b"]);
      expect(await db.commit({ inserts: [] })).toBe(true);
    });

    it("writes nothing when one of the inserts fails", async () => {
      const twice = [sampleOrganization("o"), sampleDomain("o", "a"), sampleDomain("o", "a")];
      await expect(db.commit({ inserts: twice })).rejects.toSatisfy(isUniqueViolation);
      await expect(db.commit({ inserts: [sampleOrganization("o"), sampleDomain("nobody", "a")] })).rejects.toThrow();
      expect(await rowCount(db, "Organization")).toBe(0);
    });

    it("inserts only if the guard changed a row", async () => {
      await db.commit({ inserts: [sampleToken("t"), sampleOrganization("o")] });
      expect(await db.commit({ guard: consume("unknown"), inserts: [sampleDomain("o", "a")] })).toBe(false);
      expect(await db.commit({ guard: consume("t"), inserts: [sampleDomain("o", "b"), sampleDomain("o", "c")] })).toBe(
        true,
      );
      expect(await db.commit({ guard: consume("t"), inserts: [sampleDomain("o", "d")] })).toBe(false);
      expect(await domains()).toEqual(["b", "c"]);
    });

    it("takes a guard alone, and a guard that inserts", async () => {
      const guard = {
        sql: `INSERT INTO "UsedAssertion" ("id", "expiresAt") VALUES ($1, $2) ON CONFLICT ("id") DO NOTHING`,
        values: ["a", NOW],
      };
      expect(await db.commit({ guard, inserts: [sampleOrganization("o")] })).toBe(true);
      expect(await db.commit({ guard, inserts: [sampleOrganization("p")] })).toBe(false);
      expect(await db.commit({ guard, inserts: [] })).toBe(false);
      expect(await rowCount(db, "Organization")).toBe(1);
    });

    it("updates with the inserts, and with the guard alone; an update without a match is not a failure", async () => {
      const rename = (to: string, id: string) => ({
        sql: `UPDATE "Organization" SET "name" = $1 WHERE "id" = $2 AND "name" <> $1`,
        values: [to, id],
      });
      const nameOf = async (id: string) =>
        (await db.one<{ name: string }>(`SELECT "name" FROM "Organization" WHERE "id" = $1`, [id]))?.name;
      await db.commit({ inserts: [sampleToken("t"), sampleOrganization("o")] });
      const updates = [rename("first", "o"), rename("first", "nobody")];
      expect(await db.commit({ inserts: [sampleDomain("o", "a")], updates })).toBe(true);
      expect(await nameOf("o")).toBe("first");
      const second = { inserts: [sampleDomain("o", "b")], updates: [rename("second", "o")] };
      expect(await db.commit({ guard: consume("unknown"), ...second })).toBe(false);
      expect(await nameOf("o")).toBe("first");
      expect(await db.commit({ guard: consume("t"), ...second })).toBe(true);
      expect(await nameOf("o")).toBe("second");
      await expect(db.commit({ inserts: [sampleDomain("o", "a")], updates: [rename("third", "o")] })).rejects.toThrow();
      expect(await nameOf("o")).toBe("second");
    });

    it("rolls back the guard when an insert fails", async () => {
      await db.commit({ inserts: [sampleToken("t"), sampleOrganization("o"), sampleDomain("o", "a")] });
      await expect(db.commit({ guard: consume("t"), inserts: [sampleDomain("o", "a")] })).rejects.toSatisfy(
        isUniqueViolation,
      );
      expect(await db.one(`SELECT "consumedAt" FROM "OneTimeToken"`, [])).toEqual({ consumedAt: null });
      expect(await db.commit({ guard: consume("t"), inserts: [sampleDomain("o", "b")] })).toBe(true);
    });

    it("gives inserts the columns that the guard returns", async () => {
      const count = (id: string, owner: string): Unit => ({
        guard: {
          sql: `INSERT INTO "Aggregate" ("type", "id", "resourceOwner", "sequence", "createdAt", "changedAt")
                VALUES ($1, $2, $3, 1, $4, $4)
                ON CONFLICT ("type", "id") DO UPDATE SET "sequence" = "Aggregate"."sequence" + 1`,
          values: ["t", id, owner, NOW],
          returning: ["sequence", "resourceOwner"],
        },
        inserts: [
          { table: "UsedAssertion", row: { id: owner, expiresAt: NOW } },
          {
            table: "Event",
            row: {
              aggregateType: "t",
              aggregateId: id,
              sequence: { returned: "sequence" },
              type: "x",
              resourceOwner: { returned: "resourceOwner" },
              actor: owner,
              payload: "{}",
              createdAt: NOW,
            },
          },
        ],
      });
      expect(await db.commit(count("i", "first"))).toBe(true);
      await Promise.all(Array.from({ length: 20 }, (_, n) => (n % 2 ? db : other).commit(count("i", `later${n}`))));
      const events = await db.all<{ sequence: number; resourceOwner: string }>(
        `SELECT "sequence", "resourceOwner" FROM "Event" ORDER BY "sequence"`,
        [],
      );
      expect(events.map(({ sequence }) => Number(sequence))).toEqual(Array.from({ length: 21 }, (_, n) => n + 1));
      expect(new Set(events.map(({ resourceOwner }) => resourceOwner))).toEqual(new Set(["first"]));
    });

    it("keeps values of every type in inserts behind a guard", async () => {
      await db.commit({ inserts: [sampleToken("t"), sampleOrganization("o")] });
      const event = {
        ...{ aggregateType: "t", aggregateId: "i", sequence: 7, type: "x", resourceOwner: "o", actor: "a" },
        ...{ requestId: null, payload: `{"a":[1]}`, createdAt: NOW },
      };
      expect(
        await db.commit({ guard: consume("t"), inserts: [{ table: "Event", row: event }, sampleDomain("o", "a")] }),
      ).toBe(true);
      const read = await db.prisma.event.findFirstOrThrow();
      expect(read).toMatchObject({ ...event, payload: { a: [1] }, position: 1 });
    });

    it("lets one of 100 through a guard", async () => {
      await db.commit({ inserts: [sampleToken("t"), sampleOrganization("o")] });
      const attempt = (_: unknown, i: number) =>
        (i % 2 ? db : other).commit({ guard: consume("t"), inserts: [sampleDomain("o", `d${i}`)] });
      const results = await Promise.all(Array.from({ length: 100 }, attempt));
      expect(results.filter((happened) => happened)).toHaveLength(1);
      expect(await domains()).toEqual([`d${results.indexOf(true)}`]);
    });

    it("keeps what succeeds apart from what fails beside it", async () => {
      await db.commit({ inserts: [sampleOrganization("o"), sampleDomain("o", "d0")] });
      const units = Array.from({ length: 30 }, (_, i) =>
        db.commit({ inserts: [sampleDomain("o", i % 3 ? `d${i}` : "d0"), sampleOrganization(`o${i}`)] }),
      );
      const statuses = (await Promise.allSettled(units)).map(({ status }) => status);
      expect(statuses).toEqual(statuses.map((_, i) => (i % 3 ? "fulfilled" : "rejected")));
      expect(await rowCount(db, "Domain")).toBe(21);
      expect(await rowCount(db, "Organization")).toBe(21);
    });
  });

  describe("a row that exists already", () => {
    const row = { id: "o", name: "o", state: "active", createdAt: NOW };
    const again: Record<string, (db: Database) => Promise<unknown>> = {
      "by run": (db) =>
        db.run(`INSERT INTO "Organization" ("id", "name", "state", "createdAt") VALUES ($1, $1, $1, $2)`, ["o", NOW]),
      "by commit": (db) => db.commit({ inserts: [sampleOrganization("o")] }),
      "by Prisma": (db) => db.prisma.organization.create({ data: row }),
      "by raw SQL of Prisma": (db) =>
        db.prisma.$executeRaw`INSERT INTO "Organization" ("id", "name", "state", "createdAt")
          VALUES ('o', 'o', 'active', ${NOW})`,
      "in a transaction": (db) => db.transaction((tx) => tx.organization.create({ data: row })),
    };

    it.each(Object.entries(again))("is recognised %s", async (_, write) => {
      await db.commit({ inserts: [sampleOrganization("o")] });
      await expect(write(db)).rejects.toSatisfy(isUniqueViolation);
    });

    it("is distinguished from other errors", async () => {
      const refused = [
        () => db.commit({ inserts: [sampleDomain("nobody", "d")] }),
        () => db.run("DELETE FROM nowhere", []),
      ];
      for (const write of refused) {
        await expect(write()).rejects.toSatisfy((error) => !isUniqueViolation(error));
      }
    });
  });
}
