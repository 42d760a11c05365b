/** Shares between processes which answers with refresh tokens were given (refresh-answers.ts). */
import type { Database } from "../database";
import { type Params, statement, tables } from "../statement";

/** The name of an answer that is known to be lost; no process has this name. */
const LOST = "lost:0";

const keepUntil = statement(($: Params<{ process: string; until: number }>) =>
  tables
    .insertInto("GivenAnswers")
    .values({ process: $("process"), until: $("until") })
    .onConflict((conflict) => conflict.column("process").doUpdateSet((eb) => ({ until: eb.ref("excluded.until") }))),
);

/**
 * Stores until when all answers of a process were given.
 * @param until epoch milliseconds: answers of earlier times were given, too
 */
export async function keepGivenUntil(db: Database, process: string, until: number): Promise<void> {
  await db.run(keepUntil({ process, until }));
}

const givenUntil = statement(($: Params<{ process: string }>) =>
  tables.selectFrom("GivenAnswers").select("until").where("process", "=", $("process")),
);

/** Returns epoch milliseconds; undefined if the process has stored nothing. */
export async function findGivenUntil(db: Database, process: string): Promise<number | undefined> {
  return (await db.one(givenUntil({ process })))?.until;
}

/** A request that presented a refresh token and got no answer. */
export interface Unanswered {
  grantId: string;
  /** The generation that the answer would have issued. */
  generation: number;
  /** A token that was rotated after this time was within its grace, epoch milliseconds. */
  since: number;
}

const lose = statement(($: Params<Unanswered>) =>
  tables
    .updateTable("Grant")
    .set({ refreshAnswer: LOST })
    .where("id", "=", $("grantId"))
    .where("refreshGeneration", "=", $("generation"))
    .where("refreshedAt", ">", $("since")),
);

/** Marks the answer that issued this generation as lost, unless its grace period was over. */
export async function markLost(db: Database, unanswered: Unanswered): Promise<void> {
  await db.run(lose(unanswered));
}
