import { expect, it } from "vitest";
import { hotTypes as types } from "../storage/engine/postgresql-values";
import { afterwards, emptyDatabaseUrl, testPool } from "../testing/database";
import { runPrepared } from "./postgresql-prepared";

/** Opens one connection and counts how often the server described columns on it. */
async function connection() {
  const client = await testPool(await emptyDatabaseUrl("postgresql"), 1).connect();
  afterwards(() => client.release());
  await client.query(`CREATE TABLE "Row" ("id" integer PRIMARY KEY, "note" text, "at" timestamp(3), "isOn" boolean)`);
  let descriptions = 0;
  const { connection: wire } = client as unknown as { connection: NodeJS.EventEmitter };
  wire.on("rowDescription", () => descriptions++);
  return { client, descriptions: () => descriptions };
}

it("has the columns of a statement described once on a connection", async () => {
  const { client, descriptions } = await connection();
  const insert = { name: "insert", text: `INSERT INTO "Row" VALUES ($1, $2, $3, $4)` };
  for (const id of [1, 2]) {
    const values = [id, id === 1 ? null : "ñ", "2026-01-01T00:00:00.500", id === 1];
    expect(await runPrepared(client, insert, [values], { types })).toEqual([{ rows: [], count: 1 }]);
  }
  const all = { name: "all", text: `SELECT * FROM "Row" WHERE "id" > $1 ORDER BY "id"` };
  const first = { id: 1, note: null, at: Date.UTC(2026, 0, 1, 0, 0, 0, 500), isOn: true };
  const second = { ...first, id: 2, note: "ñ", isOn: false };
  for (const [above, rows] of [
    [0, [first, second]],
    [1, [second]],
    [2, []],
    [0, [first, second]],
  ] as const) {
    expect(await runPrepared(client, all, [[above]], { types })).toEqual([{ rows, count: rows.length }]);
  }
  const together = await runPrepared(client, all, [[1], [2], [0]], { types });
  expect(together.map(({ rows }) => rows)).toEqual([[second], [], [first, second]]);
  expect(descriptions()).toBe(1);
});

it("is as good as new after an error, whenever it came", async () => {
  const { client } = await connection();
  const read = async (text: string, ...values: string[][]) =>
    (await runPrepared(client, { name: text, text }, values, { types })).flatMap(({ rows }) => rows);
  await expect(read("SELECT nothing", [])).rejects.toThrow(`column "nothing" does not exist`);
  // The statement is prepared but has never run: the next execution must request its columns, and must not prepare it
  // again.
  const text = `SELECT 10 / CAST($1 AS integer) AS "part"`;
  await expect(read(text, ["many"])).rejects.toThrow("invalid input syntax");
  await expect(read(text, ["0"])).rejects.toThrow("division by zero");
  expect(await read(text, ["5"])).toEqual([{ part: 2 }]);
  await expect(read(text, ["1"], ["0"], ["2"])).rejects.toThrow("division by zero");
  expect(await read(text, ["2"], ["1"])).toEqual([{ part: 5 }, { part: 10 }]);
});

it("refuses to read a row whose columns have changed since they were described", async () => {
  const { client } = await connection();
  const read = () => runPrepared(client, { name: "read", text: `SELECT * FROM "Row"` }, [[]], { types });
  await client.query(`INSERT INTO "Row" ("id") VALUES (1)`);
  await read();
  await client.query(`ALTER TABLE "Row" DROP COLUMN "note"`);
  await expect(read()).rejects.toThrow("cached plan must not change result type");
});
