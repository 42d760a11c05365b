/**
 * The behaviour that both databases must share. conformance.test.ts runs this suite on each of them. Everything that
 * the rest of the service relies on is tested here, so that it need not know which database it uses.
 */
import { commitsConformance } from "./commits";
import type { Open } from "./rows";
import { transactionsConformance } from "./transactions";
import { valuesConformance } from "./values";

/**
 * Defines the suite for one kind of database.
 * @param open returns a new, migrated database for each test
 */
export function databaseConformance(open: Open): void {
  valuesConformance(open);
  commitsConformance(open);
  transactionsConformance(open);
}
