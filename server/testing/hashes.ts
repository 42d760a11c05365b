/** What password hashes cost in tests: next to nothing, but in those of hashes. A run makes tens of thousands. */
import { hashAtCost } from "../crypto/password-hash";

let areReal = true;

/** Before every test file (setup.ts). */
export function cheapHashes(): void {
  areReal = false;
  hashAtCost({ memoryCost: 8, timeCost: 1, parallelism: 1 });
}

/** For the rest of a test file that is about hashes, or the time of an answer: before its first service. */
export function realHashes(): void {
  areReal = true;
  hashAtCost();
}

/** Whether hashes are made as outside of tests. */
export const haveRealHashes = (): boolean => areReal;
