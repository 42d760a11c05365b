// npm test: everything that must hold before a change may go in. The last line is the sum over vitest and Playwright;
// a check that fails, or a runner that ends without a result, counts as one failure, so "0 failed" means all is well.
import { spawn } from "node:child_process";
import { mkdirSync, readFileSync, rmSync } from "node:fs";
import { ensureBuilt, generateSources } from "./build.mjs";
import { ensureInstalled, inProject, ownChild, requireNode, root } from "./environment.mjs";
import { ensureTestPrograms } from "./machine.mjs";
import { playwrightResult, vitestResult } from "./test-reports.mjs";

requireNode();
await ensureInstalled();
await ensureTestPrograms();

const results = inProject("test-results");
rmSync(results, { recursive: true, force: true });
mkdirSync(results, { recursive: true });

const total = { passed: 0, failed: 0, skipped: 0 };
/** What failed: a check or runner, and under it the names of its failed tests. Said at the end, which is what a log keeps. */
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
  problems.push({ title, failures: [] });
  total.failed += 1;
}

/** Runs a test runner that writes its result as JSON to `report`, and adds what `read` finds in it to the total. */
async function tests(title, tool, args, env, report, read) {
  const status = await show(title, tool, args, env);
  let result;
  try {
    result = read(JSON.parse(readFileSync(report, "utf8")));
  } catch {
    problem(`${title} (ended without a result)`);
    return;
  }
  total.passed += result.passed;
  total.failed += result.failures.length;
  total.skipped += result.skipped;
  if (result.failures.length > 0) problems.push({ title, failures: result.failures });
  else if (status !== 0) problem(`${title} (exit status ${status})`);
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
  vitestResult,
);
if (built) {
  const browser = `${results}/playwright.json`;
  await tests(
    "Browser tests",
    "node_modules/@playwright/test/cli.js",
    ["test", "--reporter=list,json"],
    { PLAYWRIGHT_JSON_OUTPUT_NAME: browser },
    browser,
    playwrightResult,
  );
}

process.stdout.write("\n");
for (const { title, failures } of problems) {
  process.stdout.write(`Failed: ${title}\n${failures.map((line) => `  ${line}\n`).join("")}`);
}
const skipped = total.skipped > 0 ? `, ${total.skipped} skipped` : "";
process.stdout.write(`${total.passed} passed, ${total.failed} failed${skipped}\n`);
process.exitCode = total.failed > 0 ? 1 : 0;
