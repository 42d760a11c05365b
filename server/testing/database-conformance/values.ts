/** Conformance: values are read as they were written, by each combination of interfaces. */
import { beforeEach, describe, expect, it } from "vitest";
import type { Database, Insert } from "../../storage/database";
import { NOW, type Open, rowCount, sampleDomain, sampleOrganization, sampleToken } from "./rows";

export function valuesConformance(open: Open): void {
  let db: Database;
  beforeEach(async () => {
    db = (await open()).database;
  });

  describe("reading", () => {
    it("returns undefined or an empty list if there are no rows", async () => {
      expect(await db.one(`SELECT * FROM "User" WHERE "id" = $1`, ["nobody"])).toBeUndefined();
      expect(await db.all(`SELECT * FROM "User"`, [])).toEqual([]);
    });

    it("takes placeholders repeated and out of order, and leaves strings alone", async () => {
      await db.commit({ inserts: [sampleOrganization("a"), sampleOrganization("b"), sampleOrganization("c")] });
      const sql = `SELECT "id", '$1' AS "text" FROM "Organization"
        WHERE ("id" = $2 OR "name" = $1 OR "id" = $2) AND "state" = 'active' ORDER BY "id"`;
      expect(await db.all(sql, ["c", "a"])).toEqual([
        { id: "a", text: "$1" },
        { id: "c", text: "$1" },
      ]);
    });

    it("gives counts and sums as numbers", async () => {
      await db.commit({ inserts: [sampleOrganization("a"), sampleOrganization("b")] });
      const row = await db.one(`SELECT COUNT(*) AS "n", SUM(1) AS "s" FROM "Organization"`, []);
      expect(row).toEqual({ n: 2, s: 2 });
    });

    it("refuses missing values and invalid dates", async () => {
      await expect(db.one(`SELECT * FROM "User" WHERE "id" = $1`, [])).rejects.toThrow();
      await expect(db.run(`DELETE FROM "User" WHERE "id" = $1`, [undefined as never])).rejects.toThrow("undefined");
      await expect(db.commit({ inserts: [sampleToken("t", new Date(Number.NaN))] })).rejects.toThrow("invalid date");
    });

    it("rejects invalid statements, and continues to work", async () => {
      await expect(db.one(`SELECT "nothing" FROM "User"`, [])).rejects.toThrow();
      await expect(db.run(`DELETE FROM "Nowhere"`, [])).rejects.toThrow();
      expect(await rowCount(db, "User")).toBe(0);
    });
  });

  describe("values", () => {
    const texts = ["", "plain", 'O\'Brien "x" \\ $1 ?', "Zoë 漢字 🦊", "42", "null", "x".repeat(20_000)];

    it.each(texts.map((text) => [text.slice(0, 20), text]))("keeps the text %j", async (_, text) => {
      await db.commit({ inserts: [{ table: "Organization", row: { ...sampleOrganization("o").row, name: text } }] });
      expect(await db.one(`SELECT "name" FROM "Organization" WHERE "name" = $1`, [text])).toEqual({ name: text });
      expect((await db.prisma.organization.findFirstOrThrow()).name).toBe(text);
    });

    it("keeps numbers, booleans and null, written by either interface", async () => {
      const head = {
        type: "t",
        id: "hot",
        resourceOwner: "o",
        sequence: 2_147_483_647,
        createdAt: NOW,
        changedAt: NOW,
      };
      await db.commit({ inserts: [{ table: "Aggregate", row: head }] });
      await db.prisma.aggregate.create({ data: { ...head, id: "prisma" } });
      const heads = await db.all<{ sequence: number }>(`SELECT "sequence" FROM "Aggregate"`, []);
      expect(heads.map((row) => row.sequence)).toEqual([head.sequence, head.sequence]);
      expect(await db.prisma.aggregate.count({ where: { sequence: head.sequence } })).toBe(2);

      await db.commit({ inserts: [sampleOrganization("o"), sampleDomain("o", "hot")] });
      await db.prisma.domain.create({
        data: { organizationId: "o", domain: "prisma", isVerified: true, isPrimary: false, createdAt: NOW },
      });
      const sql = `SELECT "isVerified", "isPrimary" FROM "Domain" WHERE "isVerified" = $1 AND "isPrimary" = $2`;
      const rows = await db.all<{ isVerified: unknown; isPrimary: unknown }>(sql, [true, false]);
      expect(rows.map((row) => [Boolean(row.isVerified), Boolean(row.isPrimary)])).toEqual([
        [true, false],
        [true, false],
      ]);
      expect(await db.prisma.domain.count({ where: { isVerified: true, isPrimary: false } })).toBe(2);
      expect(await db.one(`SELECT "defaultLanguage" FROM "Organization"`, [])).toEqual({ defaultLanguage: null });
      expect(await db.run(`UPDATE "Organization" SET "defaultLanguage" = $1`, ["de"])).toBe(1);
      expect(await db.run(`UPDATE "Organization" SET "defaultLanguage" = $1`, [null])).toBe(1);
      expect((await db.prisma.organization.findFirstOrThrow()).defaultLanguage).toBeNull();
    });

    it("keeps JSON written either way", async () => {
      await db.commit({ inserts: [sampleToken("hot")] });
      const { digest: _, ...data } = { ...sampleToken("x").row } as Insert<"OneTimeToken">["row"];
      await db.prisma.oneTimeToken.create({ data: { ...data, digest: "prisma", payload: { n: 1 } } as never });
      const hot = await db.all<{ payload: unknown }>(`SELECT "payload" FROM "OneTimeToken"`, []);
      const parsed = hot.map(({ payload }) => (typeof payload === "string" ? JSON.parse(payload) : payload));
      expect(parsed).toEqual([{ n: 1 }, { n: 1 }]);
      expect((await db.prisma.oneTimeToken.findMany()).map((row) => row.payload)).toEqual([{ n: 1 }, { n: 1 }]);
    });
  });

  describe("times", () => {
    const times = [
      "2026-03-29T01:30:00.123Z",
      "2026-10-25T00:30:00.000Z",
      "1969-12-31T23:59:59.999Z",
      "2999-01-01T00:00:00Z",
    ];

    it.each(times)("%s is the same instant for every combination of writer and reader", async (text) => {
      const at = new Date(text);
      await db.commit({ inserts: [sampleOrganization("o"), sampleDomain("o", "hot", at)] });
      await db.prisma.domain.create({
        data: { organizationId: "o", domain: "prisma", isVerified: true, isPrimary: true, createdAt: at },
      });
      await db.transaction(
        (tx) => tx.$executeRaw`INSERT INTO "Domain" ("organizationId", "domain", "isVerified", "isPrimary", "createdAt")
          VALUES (${"o"}, ${"raw"}, ${true}, ${true}, ${at})`,
      );
      const hot = await db.all<{ createdAt: number }>(`SELECT "createdAt" FROM "Domain"`, []);
      expect(hot.map((row) => row.createdAt)).toEqual([+at, +at, +at]);
      expect((await db.prisma.domain.findMany()).map((row) => row.createdAt)).toEqual([at, at, at]);
      const sameSql = `SELECT COUNT(*) AS "n" FROM "Domain" a JOIN "Domain" b ON a."createdAt" = b."createdAt"`;
      expect(await db.one(sameSql, [])).toEqual({ n: 9 });
    });

    it.each<[string, number, string[]]>([
      ["<", 1, ["early"]],
      ["<", 0, []],
      ["<=", 0, ["early"]],
      [">", 0, ["late"]],
      [">=", 1, ["late"]],
      ["=", 1, ["late"]],
    ])("compares in SQL and in Prisma: %s, %i ms on", async (operator, offset, expected) => {
      const early = +NOW;
      const inserts = [
        sampleOrganization("o"),
        sampleDomain("o", "early", new Date(early)),
        sampleDomain("o", "late", new Date(early + 1)),
      ];
      await db.commit({ inserts });
      const at = new Date(early + offset);
      const sql = `SELECT "domain" FROM "Domain" WHERE "createdAt" ${operator} $1`;
      expect(await db.all(sql, [at])).toEqual(expected.map((name) => ({ domain: name })));
      const filter = { "<": "lt", "<=": "lte", ">": "gt", ">=": "gte", "=": "equals" }[operator] as "lt";
      const found = await db.prisma.domain.findMany({ where: { createdAt: { [filter]: at } } });
      expect(found.map((row) => row.domain)).toEqual(expected);
    });
  });
}
