/** Shares between processes which answers with refresh tokens were given (refresh-answers.ts). */
import type { Database } from "../database";

/** The name of an answer that is known to be lost; no process has this name. */
const LOST = "lost:0";

/**
 * Stores until when all answers of a process were given.
 * @param until epoch milliseconds: answers of earlier times were given, too
 */
export async function keepGivenUntil(db: Database, process: string, until: number): Promise<void> {
  await db.run(
    `INSERT INTO "GivenAnswers" ("process", "until") VALUES ($1, $2)
     ON CONFLICT ("process") DO UPDATE SET "until" = excluded."until"`,
    [process, new Date(until)],
  );
}

/** Returns epoch milliseconds; undefined if the process has stored nothing. */
export async function readGivenUntil(db: Database, process: string): Promise<number | undefined> {
  const sql = `SELECT "until" FROM "GivenAnswers" WHERE "process" = $1`;
  return (await db.one<{ until: number }>(sql, [process]))?.until;
}

/** A request that presented a refresh token and got no answer. */
export interface Unanswered {
  grantId: string;
  /** The generation that the answer would have issued. */
  generation: number;
  /** A token that was rotated after this time was within its grace, epoch milliseconds. */
  since: number;
}

/** Marks the answer that issued this generation as lost, unless its grace period was over. */
export async function markLost(db: Database, { grantId, generation, since }: Unanswered): Promise<void> {
  await db.run(
    `UPDATE "Grant" SET "refreshAnswer" = $1 WHERE "id" = $2 AND "refreshGeneration" = $3 AND "refreshedAt" > $4`,
    [LOST, grantId, generation, new Date(since)],
  );
}
