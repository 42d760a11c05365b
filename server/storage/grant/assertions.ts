/** Used assertions (RFC 7523 §3: jti). Only the caller who inserts the row may use the assertion. */
import type { Database, Statement } from "../database";

/**
 * The guard of a unit that is carried out only if the assertion was not used before.
 * @param assertion.expiresAt epoch milliseconds after which the assertion is refused anyway and the row may be deleted
 */
export function assertionUse({ id, expiresAt }: { id: string; expiresAt: number }): Statement {
  return {
    sql: `INSERT INTO "UsedAssertion" ("id", "expiresAt") VALUES ($1, $2) ON CONFLICT ("id") DO NOTHING`,
    values: [id, new Date(expiresAt)],
  };
}

/**
 * Marks an assertion as used.
 * @param expiresAt epoch milliseconds after which the assertion is refused anyway and the row may be deleted
 * @returns false if it was used before
 */
export async function consumeAssertion(db: Database, id: string, expiresAt: number): Promise<boolean> {
  const { sql, values } = assertionUse({ id, expiresAt });
  return (await db.run(sql, values)) === 1;
}
