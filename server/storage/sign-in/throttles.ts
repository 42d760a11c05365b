/**
 * Rows that count failures. Counting is one conditional statement: of many concurrent attempts, in any number of
 * processes, exactly the allowed ones are counted and the rest are rejected (attack: parallel guesses that all read a
 * count of zero). Counters expire and are swept.
 */
import type { Database, Insert } from "../database";
import { bind, listStatement, type Params, statement, tables } from "../statement";

export interface ThrottleRow {
  id: string;
  failures: number;
  /** Epoch milliseconds. */
  blockedUntil: number;
}

const counters = listStatement(($: Params<{ now: number }>, ids) =>
  tables
    .selectFrom("Throttle")
    .select(["id", "failures", "blockedUntil"])
    .where("expiresAt", ">", $("now"))
    .where("id", "in", ids),
);

/** Returns these counters at `now`; expired ones are left out. */
export function listThrottles(db: Database, ids: readonly string[], now: number): Promise<ThrottleRow[]> {
  return db.all(counters({ now }, ids));
}

/** Five delays in milliseconds; the last one also applies to all further failures. */
export type Delays = readonly [number, number, number, number, number];

export interface CountedFailure {
  id: string;
  /** The key for `deleteThrottlesOf`; undefined for counters that are only deleted by their id. */
  subject?: string;
  /** Epoch milliseconds. */
  now: number;
  /** The number of the first failure that blocks. */
  blockAt: number;
  delays: Delays;
  /** Milliseconds without a failure after which the counter expires. */
  resetAfter: number;
}

const STEPS = [0, 1, 2, 3, 4] as const;
type Step = (typeof STEPS)[number];

type Counting = { id: string; subject: string | null; now: number; expiry: number; blockAt: number } & {
  /**
   * The epoch and not `now`: of two concurrent attempts, the one whose clock was read first may be counted last, and
   * the other's `now` would be ahead of its own.
   */
  unblocked: number;
} & Record<`until${Step}` | `expiry${Step}`, number>;

const counting = statement(($: Params<Counting>) =>
  tables
    .insertInto("Throttle")
    .values({
      id: $("id"),
      failures: 1,
      blockedUntil: $("unblocked"),
      expiresAt: $("expiry"),
      subject: $("subject"),
    })
    .onConflict((conflict) =>
      conflict
        .column("id")
        .doUpdateSet((eb) => {
          const isForgotten = eb("Throttle.expiresAt", "<=", $("now"));
          const isAt = (change: number) => eb(eb("Throttle.failures", "+", change), "=", $("blockAt"));
          const step = (name: "until" | "expiry", otherwise: "unblocked" | "expiry") =>
            eb
              .case()
              .when(eb.or([isForgotten, eb(eb("Throttle.failures", "+", 1), "<", $("blockAt"))]))
              .then($.time(otherwise))
              .when(isAt(1))
              .then($.time(`${name}0`))
              .when(isAt(0))
              .then($.time(`${name}1`))
              .when(isAt(-1))
              .then($.time(`${name}2`))
              .when(isAt(-2))
              .then($.time(`${name}3`))
              .else($.time(`${name}4`))
              .end();
          return {
            failures: eb
              .case()
              .when(isForgotten)
              .then(1)
              .else(eb("Throttle.failures", "+", 1))
              .end(),
            blockedUntil: step("until", "unblocked"),
            expiresAt: step("expiry", "expiry"),
          };
        })
        .where((eb) => eb.or([eb("Throttle.blockedUntil", "<=", $("now")), eb("Throttle.expiresAt", "<=", $("now"))])),
    ),
);

/**
 * Counts a failure and stores rows with it, in one commit. Returns false, without doing either, while the counter is
 * blocked.
 */
export function countFailure(db: Database, failure: CountedFailure, inserts: readonly Insert[]): Promise<boolean> {
  const { id, now, blockAt, delays, resetAfter, subject = null } = failure;
  // A block outlasts the counter's expiry.
  const times = STEPS.flatMap((step) => [
    [`until${step}`, now + delays[step]],
    [`expiry${step}`, now + Math.max(delays[step], resetAfter)],
  ]);
  const values = { id, subject, now, expiry: now + resetAfter, blockAt, unblocked: 0 };
  return db.commit({ guard: counting({ ...values, ...Object.fromEntries(times) }), inserts });
}

export async function deleteThrottles(db: Database, ids: readonly string[]): Promise<void> {
  if (ids.length > 0) await db.run(bind(tables.deleteFrom("Throttle").where("id", "in", ids)));
}

/**
 * Deletes all counters of this subject that have not expired.
 * @returns the number of deleted rows
 */
export function deleteThrottlesOf(db: Database, subject: string, now: number): Promise<number> {
  return db.run(bind(tables.deleteFrom("Throttle").where("subject", "=", subject).where("expiresAt", ">", now)));
}

/**
 * Deletes up to `most` expired counters.
 * @returns the number of deleted rows
 */
export function deleteForgottenThrottles(db: Database, now: number, most: number): Promise<number> {
  const expired = tables.selectFrom("Throttle").select("id").where("expiresAt", "<=", now).limit(most);
  return db.run(bind(tables.deleteFrom("Throttle").where("id", "in", expired)));
}
