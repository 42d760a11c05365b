/** Conformance: Prisma transactions that run concurrently with hot statements, and the lifetime of a connection. */
import { beforeEach, describe, expect, it } from "vitest";
import type { Database } from "../../storage/database";
import { isUniqueViolation } from "../../storage/engine/violations";
import { NOW, type Open, rowCount, sampleDomain, sampleOrganization } from "./rows";

export function transactionsConformance(open: Open): void {
  let db: Database;
  let other: Database;
  beforeEach(async () => {
    ({ database: db, other } = await open());
  });

  describe("transaction", () => {
    const create = (id: string) => ({ data: { id, name: id, state: "active", createdAt: NOW } });

    it("returns the result of its work, which is visible from then on", async () => {
      const [created, mayCommit] = [createSignal(), createSignal()];
      const seen = db.transaction(async (tx) => {
        await tx.organization.create(create("o"));
        created.give();
        await mayCommit.given;
        return tx.organization.count();
      });
      await created.given;
      expect(await rowCount(db, "Organization")).toBe(0); // not committed, so not visible to others
      expect(await db.prisma.organization.count()).toBe(0);
      mayCommit.give();
      expect(await seen).toBe(1);
      expect(await rowCount(db, "Organization")).toBe(1);
    });

    it("undoes everything when its work throws, and rejects with that", async () => {
      const reason = new Error("no");
      const failing = db.transaction(async (tx) => {
        await tx.organization.create(create("o"));
        throw reason;
      });
      await expect(failing).rejects.toBe(reason);
      expect(await rowCount(db, "Organization")).toBe(0);
    });

    it("undoes everything when a statement fails", async () => {
      const failing = db.transaction(async (tx) => {
        await tx.organization.create(create("o"));
        await tx.organization.create(create("o"));
      });
      await expect(failing).rejects.toSatisfy(isUniqueViolation);
      expect(await rowCount(db, "Organization")).toBe(0);
      await db.transaction((tx) => tx.organization.create(create("o")));
      expect(await rowCount(db, "Organization")).toBe(1);
    });

    it("does not undo what was acknowledged beside it", async () => {
      const failing = db.transaction(async (tx) => {
        await tx.organization.create(create("transaction"));
        await new Promise((resolve) => setImmediate(resolve));
        throw new Error("no");
      });
      const beside = [
        db.commit({ inserts: [sampleOrganization("hot")] }),
        db.prisma.organization.create(create("prisma")),
      ];
      const results = await Promise.allSettled([failing, ...beside]);
      expect(results.map(({ status }) => status)).toEqual(["rejected", "fulfilled", "fulfilled"]);
      const rows = await db.all(`SELECT "id" FROM "Organization" ORDER BY "id"`, []);
      expect(rows).toEqual([{ id: "hot" }, { id: "prisma" }]);
    });

    const round: Record<string, (db: Database) => unknown> = {
      "a write": (db) => db.run(`DELETE FROM "User"`, []),
      "a unit": (db) => db.commit({ inserts: [sampleOrganization("p")] }),
      "a transaction": (db) => db.transaction((tx) => tx.organization.create(create("p"))),
      "a write of Prisma": (db) => db.prisma.organization.create(create("p")),
      "a read": (db) => db.one(`SELECT 1 AS "one"`, []),
      "a look-up": (db) => db.lookUp(`SELECT 1 AS "one"`, []),
      "a list": (db) => db.all(`SELECT 1 AS "one"`, []),
      "a read of Prisma": (db) => db.prisma.organization.count(),
      "SQL through Prisma": (db) => db.prisma.$queryRaw`SELECT 1`,
      "what a cache knows": (db) => db.refuseInTransaction("a cached read"),
    };
    it.each(Object.keys(round))("refuses %s that goes round it", async (what) => {
      const nested = db.transaction(async (tx) => {
        await tx.organization.create(create("o"));
        await round[what]?.(db);
      });
      await expect(nested).rejects.toThrow("inside a transaction");
      expect(await rowCount(db, "Organization")).toBe(0);
    });

    it("does not affect statements outside it, even at the same moment", async () => {
      await db.prisma.organization.create(create("o"));
      const find = { where: { id: "o" } };
      const [begun, moment] = [createSignal(), createSignal()];
      const inside = db.transaction(async (tx) => {
        begun.give();
        await moment.given;
        return tx.organization.findUnique(find);
      });
      await begun.given;
      const beside = moment.given.then(() => db.prisma.organization.findUnique(find));
      moment.give();
      expect(await Promise.all([inside, beside])).toMatchObject([{ id: "o" }, { id: "o" }]);
    });

    it("counts without gaps or repetitions when 40 count at once", async () => {
      const next = (on: Database) =>
        on.transaction(async (tx) => {
          const [row] = await tx.$queryRaw<{ sequence: number | bigint }[]>`
            INSERT INTO "Aggregate" ("type", "id", "resourceOwner", "sequence", "createdAt", "changedAt")
            VALUES ('t', 'i', 'o', 1, ${NOW}, ${NOW})
            ON CONFLICT ("type", "id") DO UPDATE SET "sequence" = "Aggregate"."sequence" + 1 RETURNING "sequence"`;
          return Number(row?.sequence);
        });
      const numbers = await Promise.all(Array.from({ length: 40 }, (_, i) => next(i % 2 ? db : other)));
      expect(numbers.sort((a, b) => a - b)).toEqual(Array.from({ length: 40 }, (_, i) => i + 1));
    });

    it("loses nothing when 200 transactions, commits and single writes come at once", async () => {
      const writers: ((id: string) => Promise<unknown>)[] = [
        (id) => db.transaction((tx) => tx.organization.create(create(id))),
        (id) => db.commit({ inserts: [sampleOrganization(id), sampleDomain(id, id)] }),
        (id) => db.prisma.organization.create(create(id)),
        (id) => other.commit({ inserts: [sampleOrganization(id)] }),
      ];
      await Promise.all(Array.from({ length: 200 }, (_, i) => writers[i % 4]?.(`o${i}`)));
      expect(await rowCount(db, "Organization")).toBe(200);
      expect(await rowCount(db, "Domain")).toBe(50);
    });
  });

  describe("the connection", () => {
    it("answers", () => expect(db.ping()).resolves.toBeUndefined());

    it("finishes pending work before it closes, and rejects later work", async () => {
      const pending = [
        db.commit({ inserts: [sampleOrganization("a")] }),
        db.commit({ inserts: [sampleOrganization("b")] }),
      ];
      await Promise.all([...pending, db.close()]);
      await expect(db.one("SELECT 1", [])).rejects.toThrow();
      await expect(db.commit({ inserts: [sampleOrganization("c")] })).rejects.toThrow();
      await expect(db.prisma.organization.count()).rejects.toThrow();
      await expect(db.ping()).rejects.toThrow();
      await db.close();
    });
  });
}

/** Creates a promise that is resolved by a function. */
function createSignal(): { given: Promise<void>; give(): void } {
  let give = () => {};
  const given = new Promise<void>((resolve) => {
    give = resolve;
  });
  return { given, give };
}
