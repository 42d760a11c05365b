/** What processes know of their answers with refresh tokens, for all processes (refresh-answers.ts). */
import type { Database } from "./database";

/** The name of an answer that is known to be lost; no process is called so. */
const LOST = "lost:0";

/** @param until epoch milliseconds: the answers of earlier times were given, too */
export async function keepGivenUntil(db: Database, process: string, until: number): Promise<void> {
  await db.run(
    `INSERT INTO "GivenAnswers" ("process", "until") VALUES ($1, $2)
     ON CONFLICT ("process") DO UPDATE SET "until" = excluded."until"`,
    [process, new Date(until)],
  );
}

/** Epoch milliseconds; undefined of a process that has written nothing. */
export async function readGivenUntil(db: Database, process: string): Promise<number | undefined> {
  const sql = `SELECT "until" FROM "GivenAnswers" WHERE "process" = $1`;
  return (await db.one<{ until: number }>(sql, [process]))?.until;
}

/** A request that presented a refresh token and got no answer. */
export interface Unanswered {
  grantId: string;
  /** The generation that the answer would have given out. */
  generation: number;
  /** A token that was rotated after this time was within its grace, epoch milliseconds. */
  since: number;
}

/** Takes the answer that gave out this generation for lost, unless its grace was over. */
export async function markLost(db: Database, { grantId, generation, since }: Unanswered): Promise<void> {
  await db.run(
    `UPDATE "Grant" SET "refreshAnswer" = $1 WHERE "id" = $2 AND "refreshGeneration" = $3 AND "refreshedAt" > $4`,
    [LOST, grantId, generation, new Date(since)],
  );
}
