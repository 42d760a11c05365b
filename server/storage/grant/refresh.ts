/**
 * The use of refresh tokens: one conditional statement decides who moves a grant to its next generation (RFC 9700
 * §4.14.2).
 */
import type { Database } from "../database";
import { type Params, statement, tables } from "../statement";
import { type AccessTokenRow, accessTokenInsert } from "./access-tokens";

export interface RefreshUse {
  grantId: string;
  /** The generation of the presented token. */
  generation: number;
  /** The process that gives the answer, see refresh-answers.ts. */
  answer: string;
  accessToken: AccessTokenRow;
}

interface Rotation extends Pick<RefreshUse, "grantId" | "generation" | "answer"> {
  next: number;
  refreshedAt: number;
  refreshIdleUntil: number;
}

const rotate = statement(($: Params<Rotation>) =>
  tables
    .updateTable("Grant")
    .set({
      refreshGeneration: $("next"),
      refreshedAt: $("refreshedAt"),
      refreshIdleUntil: $("refreshIdleUntil"),
      refreshAnswer: $("answer"),
    })
    .where("id", "=", $("grantId"))
    .where("refreshGeneration", "=", $("generation"))
    .where("revokedAt", "is", null),
);

/**
 * Moves a grant to the next generation of refresh tokens. Returns true for at most one caller per generation, or for
 * each if the next generation is the same one, because the client's refresh tokens are not replaced.
 */
export function rotateRefresh(
  db: Database,
  { grantId, generation, answer, accessToken }: RefreshUse,
  { refreshedAt, refreshIdleUntil, next }: { refreshedAt: number; refreshIdleUntil: number; next: number },
): Promise<boolean> {
  return db.commit({
    guard: rotate({ grantId, generation, next, answer, refreshedAt, refreshIdleUntil }),
    inserts: [accessTokenInsert(accessToken)],
  });
}

interface Repetition extends Pick<RefreshUse, "grantId" | "generation" | "answer"> {
  found: number;
  refreshedAt: number;
}

const repeat = statement(($: Params<Repetition>) =>
  tables
    .updateTable("Grant")
    .set({ refreshedAt: $("refreshedAt"), refreshAnswer: $("answer") })
    .where("id", "=", $("grantId"))
    .where("refreshGeneration", "=", $("generation"))
    .where("refreshedAt", "=", $("found"))
    .where("revokedAt", "is", null),
);

/**
 * Issues the successor of a used refresh token again.
 * @param times.found when the grant was rotated, according to its row
 * @param times.refreshedAt the start of the grace period: the same time, or now
 * @returns false if the grant has changed since it was read
 */
export function repeatRefresh(
  db: Database,
  { grantId, generation, answer, accessToken }: RefreshUse,
  { found, refreshedAt }: { found: number; refreshedAt: number },
): Promise<boolean> {
  return db.commit({
    guard: repeat({ grantId, generation: generation + 1, answer, found, refreshedAt }),
    inserts: [accessTokenInsert(accessToken)],
  });
}
