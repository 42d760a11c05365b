import { sql } from "kysely";
import { describe, expect, it } from "vitest";
import { fromPrisma, fromSqlite } from "./compile";
import { bind, columnsIn, jsonOf, type Params, statement, tables, time, truth } from "./statement";

const NOW = Date.UTC(2026, 0, 31);

describe("a statement that is compiled once", () => {
  it("has constants in its text and one placeholder for a value that is used twice", () => {
    const find = statement(($: Params<{ id: string; now: number }>) =>
      tables
        .selectFrom("Session as s")
        .innerJoin("User as u", "u.id", "s.userId")
        .select("s.id")
        .where("u.state", "=", "it's")
        .where("s.id", "=", $("id"))
        .where("s.userId", "=", $("id"))
        .where("s.expiresAt", ">", $("now"))
        .limit(2),
    );
    expect(find({ id: "a", now: NOW })).toEqual({
      sql:
        'select "s"."id" from "Session" as "s" inner join "User" as "u" on "u"."id" = "s"."userId" ' +
        `where "u"."state" = 'it''s' and "s"."id" = $1 and "s"."userId" = $1 and "s"."expiresAt" > $2 limit 2`,
      values: ["a", new Date(NOW)],
      results: {},
    });
  });

  it("is composed once", () => {
    let composed = 0;
    const list = statement(() => {
      composed++;
      return tables.selectFrom("User").select("id");
    });
    expect(list().sql).toBe(list().sql);
    expect(composed).toBe(1);
  });
});

describe("values", () => {
  it("of time columns are times in inserts, updates and comparisons", () => {
    const row = { id: "a", at: NOW, content: "x" };
    const upsert = tables
      .insertInto("WriteProbe")
      .values([row, { ...row, at: new Date(NOW) }])
      .onConflict((conflict) => conflict.column("id").doUpdateSet({ at: NOW + 1 }));
    expect(bind(upsert).values).toEqual(["a", new Date(NOW), "x", "a", new Date(NOW), "x", new Date(NOW + 1)]);

    const eb = columnsIn<{ s: "Session" }>();
    const after = eb(eb.refTuple("s.createdAt", "s.id"), "<", eb.tuple(NOW, "a"));
    const query = tables
      .selectFrom("Session as s")
      .select(time(NOW).as("now"))
      .where(after)
      .where("s.createdAt", "in", [NOW])
      .where((of) => of.between("s.expiresAt", NOW, NOW))
      .where((of) => of(of.fn.coalesce("s.endedAt", of.val(NOW)), ">", NOW));
    expect(bind(query).values).toEqual([NOW, NOW, "a", NOW, NOW, NOW, NOW, NOW].map(dated));
  });

  it("of JSON columns are JSON", () => {
    const update = tables.updateTable("User").set({ claims: { website: "w" }, address: null, firstName: "f" });
    expect(bind(update).values).toEqual(['{"website":"w"}', null, "f"]);
  });

  it("of columns whose type differs between tables need the name of the table", () => {
    const query = tables.selectFrom(["MachineKey as m", "SigningKey as s"]);
    expect(bind(query.select("m.publicJwk")).results).toEqual({ publicJwk: "json" });
    expect(() => bind(query.select("publicJwk"))).toThrow("name its table");
  });
});

describe("rows", () => {
  const { results } = bind(
    tables
      .selectFrom("User as u")
      .selectAll("u")
      .select(["u.isEmailVerified as verified", "u.createdAt as since"])
      .select((eb) => [truth(eb("u.state", "=", "active")).as("isActive"), eb.fn.max("u.claims").as("most")])
      .select(jsonOf<string[]>(sql`json_array(1)`).as("list")),
  );

  it("of SQLite get booleans and JSON", () => {
    const row = { verified: 1, isPhoneVerified: 0, isActive: 0, claims: "{}", address: null, list: "[1]", id: "a" };
    fromSqlite(row, results);
    expect(row).toEqual({
      ...{ verified: true, isPhoneVerified: false, isActive: false, claims: {}, address: null, list: [1], id: "a" },
    });
  });

  it("of Prisma get times in milliseconds and numbers", () => {
    const row = { since: new Date(NOW), verified: false, many: 3n, claims: {} };
    fromPrisma(row, results);
    expect(row).toEqual({ since: NOW, verified: false, many: 3, claims: {} });
  });
});

/** Times as the values of a statement have them. */
const dated = (value: unknown) => (value === NOW ? new Date(NOW) : value);
