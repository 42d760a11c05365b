/**
 * Lets statements share round trips to the database. Most of the cost of a round trip is not the statement but waking
 * up, sending and receiving, and making a write durable. Under load, executions of the same statement with different
 * values are sent together in one transaction. No statement waits for others: it is sent with those that arrived at the
 * same moment, and only if enough trips are under way does it wait for the next one. Each is executed separately and
 * after the call, so it sees everything that was acknowledged before. If one fails, none has had an effect, and each is
 * executed alone.
 */
import type { Value } from "../database";

/** The number of concurrent trips of a statement, so that a delayed trip does not delay all others. */
const UNDER_WAY = 2;
/** The maximum number of executions in a trip. With more, the first would wait for the answers to many others. */
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
 * Creates the shared trips of a connection pool.
 * @param run executes one statement with each of these values in one trip; answers in the same order
 * @param isOwn whether an error is caused by one statement, so that the others are tried alone
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
      setImmediate(depart, sql, line); // with all requests that the same poll of the sockets has found
    });
}
