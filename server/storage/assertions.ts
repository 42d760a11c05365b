/**
 * Assertions that were seen (RFC 7523 §3: jti). The insert is the decision: who inserts first may use it.
 */
import type { Database, Statement } from "./database";

/**
 * Guard of a unit: it happens if the assertion was not used before.
 * @param assertion.expiresAt epoch milliseconds after which the assertion is refused anyway and the row may go
 */
export function assertionUse({ id, expiresAt }: { id: string; expiresAt: number }): Statement {
  return {
    sql: `INSERT INTO "UsedAssertion" ("id", "expiresAt") VALUES ($1, $2) ON CONFLICT ("id") DO NOTHING`,
    values: [id, new Date(expiresAt)],
  };
}

/**
 * Uses an assertion up.
 * @param expiresAt epoch milliseconds after which the assertion is refused anyway and the row may go
 * @returns false when it was used before
 */
export async function consumeAssertion(db: Database, id: string, expiresAt: number): Promise<boolean> {
  const { sql, values } = assertionUse({ id, expiresAt });
  return (await db.run(sql, values)) === 1;
}
