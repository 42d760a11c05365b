/**
 * What both databases must do alike. conformance.test.ts runs this suite on each: whatever the rest of the service
 * relies on stands here, so that it need not know which database it has.
 */
import { commitsConformance } from "./conformance-commits";
import type { Open } from "./conformance-rows";
import { transactionsConformance } from "./conformance-transactions";
import { valuesConformance } from "./conformance-values";

/** @param open gives a fresh, migrated database for each test */
export function databaseConformance(open: Open): void {
  valuesConformance(open);
  commitsConformance(open);
  transactionsConformance(open);
}
