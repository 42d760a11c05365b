// npm test: everything that must pass before a change is merged. The last line is the sum over vitest and Playwright; a
// check that fails, or a runner that ends without a result, counts as one failure, so "0 failed" means that everything
// passed. During development, `npm run test:rules` and `npm test -- changed` run the quick unit tests of
// vitest.config.ts.
import { execFileSync, spawn } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { constants, getPriority, setPriority } from "node:os";
import { ensureBuilt, generateSources } from "./build.mjs";
import { ended } from "./child-process.mjs";
import { ensureInstalled, fail, inProject, ownChild, requireNode, root, say } from "./environment.mjs";
import { ensureTestPrograms } from "./machine.mjs";
import { secondTry } from "./second-try.mjs";
import { RUNNER_FLAGS } from "./short-life.mjs";
import { playwrightResult, vitestResult } from "./test-reports.mjs";

const [chosen = "everything"] = process.argv.slice(2);
if (!["everything", "rules", "changed"].includes(chosen)) fail("npm test takes nothing, or one of: rules, changed");

requireNode();
await ensureInstalled();
/** Resolves when the programs are there. Their installation waits for the network, so the build begins beside it. */
const programs = chosen === "rules" ? undefined : ensureTestPrograms();

const results = inProject("test-results");
rmSync(results, { recursive: true, force: true });
mkdirSync(results, { recursive: true });

const total = { passed: 0, failed: 0, skipped: 0 };
/** The tests that failed at first and passed on the second run, by runner. */
const unsteady = [];
/**
 * The failures: a check or runner, with the names of its failed tests. Printed at the end, the part of a log that is
 * kept.
 */
const problems = [];

/**
 * Runs one of the installed tools. Resolves with its exit status (1 if a signal ended it).
 * @param options.turn resolves when its output may be shown, for a tool that runs beside others; until then the output
 *   is kept
 * @param options.yields whether it leaves the processor to others
 */
function show(title, tool, args, { env = {}, turn, yields = false } = {}) {
  const heading = `\n── ${title}\n`;
  if (!turn) process.stdout.write(heading);
  const colours = turn && process.stdout.isTTY ? { FORCE_COLOR: "1" } : {};
  const output = turn ? "pipe" : "inherit";
  const child = spawn(process.execPath, [...RUNNER_FLAGS, inProject(tool), ...args], {
    cwd: root,
    env: { ...process.env, ...colours, ...env },
    stdio: ["ignore", output, output],
  });
  ownChild(child);
  if (yields && child.pid !== undefined) setPriority(child.pid, lowPriority());
  if (turn) showInTurn(heading, [child.stdout, child.stderr], turn);
  return ended(child, { longest: LONGEST_MS }).then(({ code, late }) => {
    if (late) process.stdout.write(`\n${title}: stopped after ${LONGEST_MS / 60_000} minutes without a word\n`);
    return code ?? 1;
  });
}

/**
 * The limit for a time without output. Each check takes less on a busy machine with two cores, and so does a file of
 * tests, which prints its result. A hanging tool ends with its name instead of blocking the run.
 */
const LONGEST_MS = 20 * 60_000;

/**
 * Returns a niceness that leaves a third of the usual share while the processor is busy. With less, a test could exceed
 * its time limit.
 */
const lowPriority = () => Math.min(getPriority() + 5, constants.priority.PRIORITY_LOW);

function showInTurn(heading, streams, turn) {
  let kept = [heading];
  for (const stream of streams) {
    stream.on("data", (chunk) => {
      if (kept) kept.push(chunk);
      else process.stdout.write(chunk);
    });
  }
  turn.then(() => {
    for (const chunk of kept) process.stdout.write(chunk);
    kept = undefined;
  });
}

async function check(title, tool, args, turn) {
  if ((await show(title, tool, args, { turn })) !== 0) problem(title);
}

/**
 * Runs a drill. Exit status 2 means that this machine lacks an optional program, which the drill names: it counts as
 * skipped.
 */
async function drill(title, args, turn) {
  const status = await show(`Drill: ${title}`, "drills/run.mjs", args, { turn });
  if (status === 2) total.skipped += 1;
  else if (status !== 0) problem(`Drill: ${title}`);
}

function problem(title) {
  problems.push({ title, failures: [] });
  total.failed += 1;
}

/**
 * Runs a test runner that writes its result as JSON, and adds what `read` finds in it to the total.
 * @param options.again returns the arguments that run the failed tests of the given result, in CI
 */
async function tests(title, tool, args, { again, ...options }) {
  const first = await result(title, tool, args, options);
  if (!process.env.CI) return count(title, first);
  const repeat = () => {
    for (const kept of [options.report, options.artifacts]) keepFirst(kept);
    return result(`${title} that failed, once more`, tool, again(first), options);
  };
  const tried = await secondTry(first, repeat);
  if (tried.unsteady.length > 0) unsteady.push({ title, failures: tried.unsteady });
  count(title, tried.result);
}

/** Keeps a file or folder that the second run overwrites. */
function keepFirst(path) {
  if (path && existsSync(path)) cpSync(path, `${path}-first`, { recursive: true });
}

/** @returns what the runner found; a runner that ends without a result counts as one failure */
async function result(title, tool, args, { report, read, ...options }) {
  rmSync(report, { force: true });
  const status = await show(title, tool, args, options);
  try {
    return { ...read(JSON.parse(readFileSync(report, "utf8"))), status };
  } catch {
    return { passed: 0, skipped: 0, failures: [], status, isWithout: true };
  }
}

function count(title, { passed, failures, skipped, status, isWithout }) {
  if (isWithout) return problem(`${title} (ended without a result)`);
  total.passed += passed;
  total.failed += failures.length;
  total.skipped += skipped;
  if (failures.length > 0) problems.push({ title, failures });
  else if (status !== 0) problem(`${title} (exit status ${status})`);
}

/**
 * Returns the changes since the main branch, or since its last commit: one path a line, including deleted and new
 * files.
 */
function changedFiles() {
  const git = (...args) =>
    execFileSync("git", args, { cwd: root, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
  const base = () => {
    try {
      return git("merge-base", "HEAD", "main").trim();
    } catch {
      return "HEAD"; // a clone without a branch of that name
    }
  };
  return git("diff", "--name-only", "--no-renames", base()) + git("ls-files", "--others", "--exclude-standard");
}

/** The unit and integration tests, or some of them. */
function unitTests(title, args = [], options = {}) {
  const report = `${results}/vitest.json`;
  const all = ["run", "--reporter=default", "--reporter=json", `--outputFile.json=${report}`, ...args];
  const again = ({ files }) => [...all, ...files];
  return tests(title, "node_modules/vitest/vitest.mjs", all, { report, read: vitestResult, again, ...options });
}

function browserTests(turn) {
  const report = `${results}/playwright.json`;
  const env = { PLAYWRIGHT_JSON_OUTPUT_NAME: report };
  const args = ["test", "--reporter=list,json"];
  const again = () => [...args, "--last-failed"];
  const options = { env, report, artifacts: `${results}/browser`, read: playwrightResult, again, turn };
  return tests("Browser tests", "node_modules/@playwright/test/cli.js", args, options);
}

/** Runs drills sequentially. The other ones are for `npm run drill`. */
async function drills(turn) {
  await check("Drill: kill -9 under load", "drills/run.mjs", ["crash", "--times=1"], turn);
  // Takes half a minute. A clone without tags uses the last commit that changed the version; a shallow one has neither.
  await drill("rolling upgrade from the previous release", ["rolling-upgrade", "--seconds=3"], turn);
}

/**
 * Runs all checks and tests. The browser tests take longest and wait much of the time, for browsers and for services,
 * so they begin as soon as the build has ended, and all else runs beside them. The unit tests, which need no build and
 * rarely wait, run from the beginning and take the processor time that the others leave. The drills, which measure no
 * time, run when the first runner has ended. The output keeps its order.
 */
async function everything() {
  let endChecks = () => {};
  const checked = new Promise((resolve) => {
    endChecks = resolve;
  });
  const building = ensureBuilt().then(
    () => true,
    (error) => {
      process.stdout.write(`${error.message}\n`);
      problem("Build");
      return false;
    },
  );
  await programs;
  const unitTested = unitTests("Unit and integration tests", [], { turn: checked, yields: true });
  const built = await building;
  const browserTested = built ? browserTests(Promise.all([checked, unitTested])) : undefined;
  await check("Format and lint", "node_modules/@biomejs/biome/bin/biome", ["check"]);
  await check("Types", "node_modules/typescript/bin/tsc", ["--noEmit"]);
  await check("Migrations follow the models", "scripts/migration.mjs", []);
  endChecks();
  const tested = Promise.all([unitTested, browserTested]);
  if (built) await Promise.race([unitTested, browserTested]).then(() => drills(tested));
  await tested;
}

await generateSources();
if (chosen === "everything") await everything();
if (chosen === "rules") await unitTests("Rules", ["--project", "rules"]);
if (chosen === "changed") {
  await programs;
  say("The rules this change reaches, the tests beside it, and a few of the whole service; npm test runs the rest.");
  await unitTests("Tests of the change", [], { env: { TEST_CHANGED: changedFiles() } });
}

process.stdout.write("\n");
const tell = (what, { title, failures }) =>
  process.stdout.write(`${what}: ${title}\n${failures.map((line) => `  ${line}\n`).join("")}`);
for (const one of unsteady) tell("Failed at first, passed when tried again", one);
for (const one of problems) tell("Failed", one);
const skipped = total.skipped > 0 ? `, ${total.skipped} skipped` : "";
process.stdout.write(`${total.passed} passed, ${total.failed} failed${skipped}\n`);
process.exitCode = total.failed > 0 ? 1 : 0;
