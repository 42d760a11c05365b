/**
 * Assertions that were seen (RFC 7523 §3: jti). The insert is the decision: who inserts first may use it.
 */
import type { Database } from "./database";

/**
 * Uses an assertion up.
 * @param expiresAt epoch milliseconds after which the assertion is refused anyway and the row may go
 * @returns false when it was used before
 */
export async function consumeAssertion(db: Database, id: string, expiresAt: number): Promise<boolean> {
  const inserted = await db.run(
    `INSERT INTO "UsedAssertion" ("id", "expiresAt") VALUES ($1, $2) ON CONFLICT ("id") DO NOTHING`,
    [id, new Date(expiresAt)],
  );
  return inserted === 1;
}
