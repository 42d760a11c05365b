// npm test: everything that must hold before a change may go in. The last line is the sum over vitest and Playwright;
// a check that fails, or a runner that ends without a result, counts as one failure, so "0 failed" means all is well.
import { spawn } from "node:child_process";
import { mkdirSync, readFileSync, rmSync } from "node:fs";
import { ensureBuilt, generateSources } from "./build.mjs";
import { ensureInstalled, inProject, ownChild, requireNode, root } from "./environment.mjs";
import { ensureTestPrograms } from "./machine.mjs";

requireNode();
await ensureInstalled();
await ensureTestPrograms();

const results = inProject("test-results");
rmSync(results, { recursive: true, force: true });
mkdirSync(results, { recursive: true });

const total = { passed: 0, failed: 0, skipped: 0 };
const problems = [];

/** Runs one of the installed tools with its output shown; resolves with its exit status (1 if a signal ended it). */
function show(title, tool, args, env = {}) {
  process.stdout.write(`\n── ${title}\n`);
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [inProject(tool), ...args], {
      cwd: root,
      env: { ...process.env, ...env },
      stdio: ["ignore", "inherit", "inherit"],
    });
    ownChild(child);
    child.on("error", () => resolve(1));
    child.on("close", (code) => resolve(code ?? 1));
  });
}

async function check(title, tool, args) {
  if ((await show(title, tool, args)) !== 0) problem(title);
}

function problem(title) {
  problems.push(title);
  total.failed += 1;
}

/** Runs a test runner that writes its result as JSON to `report`, and adds what `count` reads from it to the total. */
async function tests(title, tool, args, env, report, count) {
  const status = await show(title, tool, args, env);
  let counted;
  try {
    counted = count(JSON.parse(readFileSync(report, "utf8")));
  } catch {
    problem(`${title} (ended without a result)`);
    return;
  }
  for (const key of ["passed", "failed", "skipped"]) total[key] += counted[key];
  if (status !== 0 && counted.failed === 0) problem(`${title} (exit status ${status})`);
  else if (counted.failed > 0) problems.push(title);
}

/** A file that cannot be loaded has no failed test in it, but is a failure. */
function countVitest(report) {
  const broken = report.testResults.filter(
    (file) => file.status === "failed" && !file.assertionResults.some(({ status }) => status === "failed"),
  );
  return {
    passed: report.numPassedTests,
    failed: report.numFailedTests + broken.length,
    skipped: report.numPendingTests + report.numTodoTests,
  };
}

function countPlaywright({ stats, errors }) {
  return { passed: stats.expected, failed: stats.unexpected + stats.flaky + errors.length, skipped: stats.skipped };
}

await generateSources();
await check("Format and lint", "node_modules/@biomejs/biome/bin/biome", ["check"]);
const built = await ensureBuilt().then(
  () => true,
  (error) => {
    process.stdout.write(`${error.message}\n`);
    problem("Build");
    return false;
  },
);
await check("Types", "node_modules/typescript/bin/tsc", ["--noEmit"]);
await check("Migrations follow the models", "scripts/migration.mjs", []);

const unit = `${results}/vitest.json`;
await tests(
  "Unit and integration tests",
  "node_modules/vitest/vitest.mjs",
  ["run", "--reporter=default", "--reporter=json", `--outputFile.json=${unit}`],
  {},
  unit,
  countVitest,
);
if (built) {
  const browser = `${results}/playwright.json`;
  await tests(
    "Browser tests",
    "node_modules/@playwright/test/cli.js",
    ["test", "--reporter=list,json"],
    { PLAYWRIGHT_JSON_OUTPUT_NAME: browser },
    browser,
    countPlaywright,
  );
}

process.stdout.write(problems.length > 0 ? `\nFailed: ${problems.join("; ")}\n` : "\n");
const skipped = total.skipped > 0 ? `, ${total.skipped} skipped` : "";
process.stdout.write(`${total.passed} passed, ${total.failed} failed${skipped}\n`);
process.exitCode = total.failed > 0 ? 1 : 0;
