import { describe, expect, it } from "vitest";
import type { Insert } from "./database";
import { insertStatement, quoteName, toMilliseconds, toPositional } from "./portable-sql";

describe("placeholders for SQLite", () => {
  it.each<[string, string, number[]]>([
    [`SELECT 1`, `SELECT 1`, []],
    [`SELECT $1`, `SELECT +?`, [0]],
    [`"a" = $2 AND "b" = $1`, `"a" = +? AND "b" = +?`, [1, 0]],
    [`"a" = $1 OR "b" = $1 OR "c" = $2`, `"a" = +? OR "b" = +? OR "c" = +?`, [0, 0, 1]],
    [`IN ($9,$10,$11)`, `IN (+?,+?,+?)`, [8, 9, 10]],
    [`'$1' || 'it''s $2' || $1`, `'$1' || 'it''s $2' || +?`, [0]],
    [`"$1" = $1`, `"$1" = +?`, [0]],
    [`$1 -- not $2\n+ $2`, `+? -- not $2\n+ +?`, [0, 1]],
    [`$1 /* nor\n$2 */ + $2`, `+? /* nor\n$2 */ + +?`, [0, 1]],
  ])("%s", (sql, expected, order) => {
    expect(toPositional(sql)).toEqual({ sql: expected, order });
  });
});

describe("inserts", () => {
  it("name their columns in the order of the row", () => {
    const insert: Insert = { table: "WriteProbe", row: { id: "g", content: null, at: 5 } };
    expect(insertStatement(insert)).toEqual({
      sql: `INSERT INTO "WriteProbe" ("id", "content", "at") VALUES ($1, $2, $3)`,
      values: ["g", null, new Date(5)],
    });
  });

  it.each([`x"; DROP TABLE "User`, "a b", "", "1a", "a.b"])("refuse the name %j", (name) => {
    expect(() => quoteName(name)).toThrow("not a table or column name");
    expect(() => insertStatement({ table: "User", row: { [name]: 1 } } as never)).toThrow("not a table or column name");
  });
});

describe("times", () => {
  it("are epoch milliseconds", () => expect(toMilliseconds(new Date(1_700_000_000_123))).toBe(1_700_000_000_123));
  it("refuse an invalid date", () => expect(() => toMilliseconds(new Date("never"))).toThrow("invalid date"));
});
