/**
 * Deletes expired rows, a few hundred at a time, so that no sweep holds a lock for long. Each statement is complete in
 * itself, so a sweep may be interrupted and continued by any process. Every search uses an index.
 */

import type { Expression, SqlBool } from "kysely";
import { firstIdOf } from "../../crypto/random";
import type { TableName } from "../columns";
import type { Bound, Database } from "../database";
import type { Tables } from "../generated/tables";
import { bind, columnsIn, type Params, statement, tables } from "../statement";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

interface SweepOf<Table extends TableName> {
  table: Table;
  key: keyof Tables[Table] & string;
  /** The indexed column with the time after which a row may be deleted. */
  column: keyof Tables[Table] & string;
  /** Milliseconds that the row is kept after that time. */
  keep: number;
  /** An additional condition; `x` is the row. */
  only?: () => Expression<SqlBool>;
}

type Sweep = { [Table in TableName]: SweepOf<Table> }[TableName];

export interface SweepOptions {
  /** Rows per statement. */
  batch?: number;
  /** Ends the run after the current statement. */
  signal?: AbortSignal;
}

/** The sweeps. Dependent rows are deleted before those they depend on. */
export const sweeps: readonly Sweep[] = [
  { table: "AccessToken", key: "id", column: "expiresAt", keep: 5 * MINUTE },
  // A redeemed code is kept as long as its tokens are valid: if it is presented again, it must revoke them (RFC 6749
  // §4.1.2).
  {
    table: "Grant",
    key: "id",
    column: "expiresAt",
    keep: HOUR,
    only: () => {
      const eb = columnsIn<{ x: "Grant"; t: "AccessToken" }>();
      const tokens = tables.selectFrom("AccessToken as t").select("t.id");
      return eb.not(eb.exists(tokens.where(eb("t.grantId", "=", eb.ref("x.id")))));
    },
  },
  { table: "DeviceAuthorization", key: "id", column: "expiresAt", keep: HOUR }, // the device should hear expired_token
  { table: "Session", key: "id", column: "expiresAt", keep: DAY }, // its apps may still have to be notified
  { table: "ProviderSession", key: "id", column: "expiresAt", keep: 5 * MINUTE },
  // Longer than the lifetime of refresh tokens: without its row an answer counts as lost.
  { table: "GivenAnswers", key: "process", column: "until", keep: 730 * DAY },
  { table: "PushedRequest", key: "id", column: "expiresAt", keep: 5 * MINUTE },
  { table: "RegistrationToken", key: "id", column: "expiresAt", keep: 5 * MINUTE },
  { table: "UsedAssertion", key: "id", column: "expiresAt", keep: 5 * MINUTE },
  {
    table: "LogoutNotification",
    key: "id",
    column: "createdAt",
    keep: 30 * DAY, // kept as a log
    only: () => {
      const eb = columnsIn<{ x: "LogoutNotification" }>();
      return eb.or([eb("x.deliveredAt", "is not", null), eb("x.failedAt", "is not", null)]);
    },
  },
];

/** Returns the statement that deletes up to `limit` rows whose time is before `before`, epoch milliseconds. */
export function sweepStatement(
  kind: Database["kind"],
  { table, key, column, only }: Sweep,
  { before, limit }: { before: number; limit: number },
): Bound<unknown> {
  // The names are those of one table, which the type of a union of tables cannot express.
  const alias = table as "Session";
  const names = { key: key as "id", column: column as "expiresAt" };
  const old = tables
    .selectFrom(`${alias} as x`)
    .select(`x.${names.key}`)
    .where(`x.${names.column}`, "<", before)
    .orderBy(`x.${names.column}`)
    .limit(limit);
  const some = only ? old.where(only()) : old;
  // Concurrent sweeps take different rows instead of waiting for each other.
  const free = kind === "postgresql" ? some.forUpdate("x").skipLocked() : some;
  return bind(tables.deleteFrom(alias).where(names.key, "in", free));
}

const unredeemed = statement(($: Params<{ from: string; until: string; now: number }>) =>
  tables
    .deleteFrom("Grant")
    .where("id", ">=", $("from"))
    .where("id", "<", $("until"))
    .where("codeDigest", "is not", null)
    .where("codeConsumedAt", "is", null)
    .where("codeExpiresAt", "<", $("now"))
    // With the response type `code token`, an access token was issued beside the code.
    .where((eb) =>
      eb.not(
        eb.exists(
          tables
            .selectFrom("AccessToken as t")
            .select((of) => of.lit(1).as("one"))
            .whereRef("t.grantId", "=", eb.ref("Grant.id")),
        ),
      ),
    ),
);

/**
 * Deletes the grants of codes that were not redeemed, by the time that their ids begin with.
 * @param made when they were created, epoch milliseconds, the end excluded
 * @returns the number of deleted rows
 */
export function deleteUnredeemed(db: Database, made: { from: number; until: number }, now: number): Promise<number> {
  return db.run(unredeemed({ from: firstIdOf(made.from), until: firstIdOf(made.until), now }));
}

/**
 * Deletes one batch.
 * @returns the number of deleted rows; fewer than `limit` if none are left
 */
export function sweepBatch(db: Database, sweep: Sweep, now: number, limit: number): Promise<number> {
  return db.run(sweepStatement(db.kind, sweep, { before: now - sweep.keep, limit }));
}
