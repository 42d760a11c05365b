// Runs the few tests that failed in a whole run a second time. A browser test that hangs once in hundreds of runs would
// otherwise fail an unattended run. Tests that pass only the second time are reported by name, because their cause must
// be found.

/** More failures than this are not random. */
const MOST = 3;

/** Files of tests that kill and interrupt: a loss or a duplicate is a defect, however rarely it occurs. */
const NEVER_TWICE = /(?:^|\/)(?:faults|kill)\.(?:spec|test)\.ts /;

/**
 * Runs failed tests again.
 * @typedef {{ passed: number, failures: string[], skipped: number, status: number }} Result
 * @template {Result} R
 * @param {R} first the result of the whole run
 * @param {() => Promise<Result>} again runs the failed tests
 * @returns {Promise<{ result: R, unsteady: string[] }>} the result to count, and the tests that only failed at first
 */
export async function secondTry(first, again) {
  const failed = first.failures.length;
  const asItIs = { result: first, unsteady: [] };
  if (failed === 0 || failed > MOST || first.failures.some((line) => NEVER_TWICE.test(line))) return asItIs;
  const second = await again();
  if (second.status !== 0 || second.failures.length > 0 || second.passed < failed) return asItIs;
  return { result: { ...first, passed: first.passed + failed, failures: [], status: 0 }, unsteady: first.failures };
}
