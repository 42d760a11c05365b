/**
 * Builds ONE PostgreSQL statement from a unit, so that it takes one round trip: the guard, the inserts and the updates
 * are data-modifying CTEs. A statement is atomic, and foreign keys are checked at its end, so it may insert a row
 * together with its parent.
 */
import type { Guard, Statement, Unit } from "../database";
import {
  insertEnd,
  insertShape,
  insertTarget,
  movePlaceholders,
  quoteName,
  rowPlaceholders,
  rowValues,
} from "../portable-sql";

/** The texts of statements, by the shape of their unit. */
const texts = new Map<string, string>();
const MAX_TEXTS = 500;

/** Returns the statement. It returns one row with `happened`: whether the guard matched, or true without a guard. */
export function unitStatement({ guard, inserts, updates = [] }: Unit): Statement {
  const rest = [...inserts.map(insertShape), ...updates.map(({ sql }) => sql)];
  const shape = `${guard ? guardSql(guard) : ""}\n${rest.join("\n")}`;
  let sql = texts.get(shape);
  if (sql === undefined) {
    sql = unitSql({ guard, inserts, updates });
    if (texts.size >= MAX_TEXTS) texts.clear();
    texts.set(shape, sql);
  }
  const values = updates.flatMap((update) => update.values);
  return { sql, values: [...(guard?.values ?? []), ...inserts.flatMap(rowValues), ...values] };
}

function unitSql({ guard, inserts, updates = [] }: Unit): string {
  const ctes = guard ? [`"guard" AS (${guardSql(guard)})`] : [];
  let placed = guard?.values.length ?? 0;
  inserts.forEach((insert, index) => {
    // PostgreSQL gives the placeholders of INSERT … SELECT the types of their columns, as with VALUES.
    const source = guard
      ? `SELECT ${rowPlaceholders(insert, placed + 1)} WHERE EXISTS (SELECT 1 FROM "guard")`
      : `VALUES (${rowPlaceholders(insert, placed + 1)})`;
    ctes.push(`"insert${index}" AS (INSERT INTO ${insertTarget(insert)} ${source}${insertEnd(insert)})`);
    placed += rowValues(insert).length;
  });
  updates.forEach(({ sql, values }, index) => {
    const condition = guard ? ` AND EXISTS (SELECT 1 FROM "guard")` : "";
    ctes.push(`"update${index}" AS (${movePlaceholders(sql, placed)}${condition})`);
    placed += values.length;
  });
  const happened = guard ? `EXISTS (SELECT 1 FROM "guard")` : "true";
  return `${ctes.length > 0 ? `WITH ${ctes.join(", ")} ` : ""}SELECT ${happened} AS "happened"`;
}

function guardSql({ sql, returning }: Guard): string {
  return `${sql} RETURNING ${returning?.map(quoteName).join(", ") ?? "1"}`;
}
