/**
 * Statements that share their way to the database. What a round trip costs both sides is mostly not the statement: it is
 * waking up, sending and receiving, and for a write making it durable. So under load those that do the same with
 * different rows go together, in one transaction. Nobody waits for company: a statement leaves with what has come in the
 * same moment, and only those that come while enough are under way go with the next. Each is executed after it was asked
 * for and by itself, so it sees whatever was acknowledged before. If one fails, nothing has happened, and each goes alone.
 */
import type { Value } from "../database";

/** How many trips of one statement are under way at once, so that one that is held up does not hold up all. */
const UNDER_WAY = 2;
/** Passengers of a trip: with more, the first would wait for answers to many others. */
const SEATS = 16;

interface Passenger<Answer> {
  values: readonly Value[];
  resolve(answer: Answer): void;
  reject(error: unknown): void;
}

interface Line<Answer> {
  waiting: Passenger<Answer>[];
  underWay: number;
  /** Whether the next departure has been announced. */
  announced: boolean;
}

/**
 * @param run executes one statement with each of these values, in one trip; answers in the same order
 * @param isOwn whether an error is due to one statement, so that the others deserve a trip of their own
 */
export function sharedTrips<Answer>(
  run: (sql: string, values: readonly (readonly Value[])[]) => Promise<readonly Answer[]>,
  isOwn: (error: unknown) => boolean,
): (sql: string, values: readonly Value[]) => Promise<Answer> {
  const lines = new Map<string, Line<Answer>>();

  function depart(sql: string, line: Line<Answer>): void {
    line.announced = false;
    while (line.waiting.length > 0 && line.underWay < UNDER_WAY) {
      line.underWay++;
      void carry(sql, line.waiting.splice(0, SEATS)).finally(() => {
        line.underWay--;
        depart(sql, line);
      });
    }
  }

  async function carry(sql: string, passengers: readonly Passenger<Answer>[]): Promise<void> {
    try {
      const answers = await run(
        sql,
        passengers.map(({ values }) => values),
      );
      for (const [index, { resolve }] of passengers.entries()) resolve(answers[index] as Answer);
    } catch (error) {
      if (passengers.length > 1 && isOwn(error)) await Promise.all(passengers.map((each) => carry(sql, [each])));
      else for (const { reject } of passengers) reject(error);
    }
  }

  return (sql, values) =>
    new Promise((resolve, reject) => {
      const line = lines.get(sql) ?? { waiting: [], underWay: 0, announced: false };
      lines.set(sql, line);
      line.waiting.push({ values, resolve, reject });
      if (line.announced || line.underWay >= UNDER_WAY) return;
      line.announced = true;
      setImmediate(depart, sql, line); // with all requests that the same look at the sockets has found
    });
}
