/** Used assertions (RFC 7523 §3: jti). The insert decides: whoever inserts the row first may use the assertion. */
import type { Database, Statement } from "./database";

/**
 * The guard of a unit that happens only if the assertion has not been used before.
 * @param assertion.expiresAt epoch milliseconds after which the assertion is refused anyway and the row may go
 */
export function assertionUse({ id, expiresAt }: { id: string; expiresAt: number }): Statement {
  return {
    sql: `INSERT INTO "UsedAssertion" ("id", "expiresAt") VALUES ($1, $2) ON CONFLICT ("id") DO NOTHING`,
    values: [id, new Date(expiresAt)],
  };
}

/**
 * Consumes an assertion.
 * @param expiresAt epoch milliseconds after which the assertion is refused anyway and the row may go
 * @returns false if it has been used before
 */
export async function consumeAssertion(db: Database, id: string, expiresAt: number): Promise<boolean> {
  const { sql, values } = assertionUse({ id, expiresAt });
  return (await db.run(sql, values)) === 1;
}
