// Reads the reports of the test runners: the number of passed tests and the names of the failed ones, for the end of
// npm test.
import { relative } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { root } from "./environment.mjs";

const HOOK_FAILED = "a beforeAll or afterAll failed, as shown under “Failed Suites” above";

/**
 * What vitest's JSON report says. A file that cannot be loaded has no failed test in it, but is a failure.
 * @returns {{ passed: number, failures: string[], files: string[], skipped: number }} a line for each failure, and the files
 *   they are in
 */
export function vitestResult(report) {
  const broken = report.testResults.filter(({ status }) => status === "failed");
  const failures = broken.flatMap(({ name, message, assertionResults }) => {
    const file = relative(root, name);
    const failed = assertionResults.filter(({ status }) => status === "failed");
    // The report has no words for a hook that failed; the runner's own output does.
    if (failed.length === 0) return [failure(file, message || HOOK_FAILED)];
    return failed.map(({ fullName, failureMessages }) => failure(`${file} › ${fullName}`, failureMessages[0]));
  });
  const skipped = report.numPendingTests + report.numTodoTests;
  return { passed: report.numPassedTests, failures, files: broken.map(({ name }) => relative(root, name)), skipped };
}

/**
 * What Playwright's JSON report says. A test that passes only when tried again in the same run has failed.
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

/** One line: where, and the first line of why, without the colours of a terminal. */
function failure(where, message = "") {
  return `${where}: ${stripVTControlCharacters(message).trim().split("\n")[0]}`;
}
