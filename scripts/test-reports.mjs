// Reads the reports of the test runners: the number of passed tests and the names of the failed ones, for the end of
// npm test.
import { relative } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { root } from "./environment.mjs";

const HOOK_FAILED = "a beforeAll or afterAll failed, as shown under “Failed Suites” above";

/**
 * Reads vitest's JSON report. A file that cannot be loaded contains no failed test, but counts as a failure.
 * @returns {{ passed: number, failures: string[], files: string[], skipped: number }} a line for each failure, and the
 *   files of the failures
 */
export function vitestResult(report) {
  const broken = report.testResults.filter(({ status }) => status === "failed");
  const failures = broken.flatMap(({ name, message, assertionResults }) => {
    const file = relative(root, name);
    const failed = assertionResults.filter(({ status }) => status === "failed");
    // The report does not describe a hook that failed; the runner's own output does.
    if (failed.length === 0) return [failure(file, message || HOOK_FAILED)];
    return failed.map(({ fullName, failureMessages }) => failure(`${file} › ${fullName}`, failureMessages[0]));
  });
  const skipped = report.numPendingTests + report.numTodoTests;
  return { passed: report.numPassedTests, failures, files: broken.map(({ name }) => relative(root, name)), skipped };
}

/**
 * Reads Playwright's JSON report. A test that passes only on a retry in the same run counts as failed.
 * @returns {{ passed: number, failures: string[], skipped: number }} a line for each failure
 */
export function playwrightResult({ stats, errors, suites }) {
  const inside = ({ specs = [], suites: inner = [] }) => [...specs, ...inner.flatMap(inside)];
  const failures = inside({ suites })
    .flatMap(({ file, title, tests: runs }) =>
      runs.map(({ status, results: [first] }) => ({ file, title, status, first })),
    )
    .filter(({ status }) => status === "unexpected" || status === "flaky")
    .map(({ file, title, first }) => failure(`${file} › ${title}`, first?.error?.message));
  return {
    passed: stats.expected,
    failures: [...failures, ...errors.map(({ message }) => failure("Playwright", message))],
    skipped: stats.skipped,
  };
}

/** Returns one line: the place, and the first line of the reason, without the colours of a terminal. */
function failure(where, message = "") {
  return `${where}: ${stripVTControlCharacters(message).trim().split("\n")[0]}`;
}
