/** The cost of password hashes in tests: minimal, except in tests about hashes. A run makes tens of thousands. */
import { hashAtCost } from "../crypto/password-hash";

let areReal = true;

/** Makes hashes cheap. Called before every test file (setup.ts). */
export function cheapHashes(): void {
  areReal = false;
  hashAtCost({ memoryCost: 8, timeCost: 1, parallelism: 1 });
}

/**
 * Makes hashes at their real cost for the rest of a test file, before its first service: for tests of hashes or of
 * response times.
 */
export function realHashes(): void {
  areReal = true;
  hashAtCost();
}

/** Whether hashes are made at their real cost. */
export const haveRealHashes = (): boolean => areReal;
