// Runs the few tests that failed in a whole run a second time. A browser test that hangs once in hundreds of runs would
// otherwise fail an unattended run. Tests that pass only the second time are reported by name, because their cause must
// be found.

/** With more failures, they are not random. */
const MOST = 3;

/** Files of tests that kill and cut off: what was lost, or was done twice, is no chance however seldom it shows. */
const NEVER_TWICE = /(?:^|\/)(?:faults|kill)\.(?:spec|test)\.ts /;

/**
 * @typedef {{ passed: number, failures: string[], skipped: number, status: number }} Result
 * @template {Result} R
 * @param {R} first what the whole run found
 * @param {() => Promise<Result>} again runs what failed
 * @returns {Promise<{ result: R, unsteady: string[] }>} the result to be counted, and what failed only at first
 */
export async function secondTry(first, again) {
  const failed = first.failures.length;
  const asItIs = { result: first, unsteady: [] };
  if (failed === 0 || failed > MOST || first.failures.some((line) => NEVER_TWICE.test(line))) return asItIs;
  const second = await again();
  if (second.status !== 0 || second.failures.length > 0 || second.passed < failed) return asItIs;
  return { result: { ...first, passed: first.passed + failed, failures: [], status: 0 }, unsteady: first.failures };
}
