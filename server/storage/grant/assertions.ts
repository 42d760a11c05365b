/** Used assertions (RFC 7523 §3: jti). Only the caller who inserts the row may use the assertion. */
import type { Database } from "../database";
import { type Params, statement, tables } from "../statement";

/**
 * The guard of a unit that is carried out only if the assertion was not used before.
 * @param assertion.expiresAt epoch milliseconds after which the assertion is refused anyway and the row may be deleted
 */
export const assertionUse = statement(($: Params<{ id: string; expiresAt: number }>) =>
  tables
    .insertInto("UsedAssertion")
    .values({ id: $("id"), expiresAt: $("expiresAt") })
    .onConflict((conflict) => conflict.column("id").doNothing()),
);

/**
 * Marks an assertion as used.
 * @param expiresAt epoch milliseconds after which the assertion is refused anyway and the row may be deleted
 * @returns false if it was used before
 */
export async function consumeAssertion(db: Database, id: string, expiresAt: number): Promise<boolean> {
  return (await db.run(assertionUse({ id, expiresAt }))) === 1;
}
