// Preconditions of every command: a supported Node.js, the locked packages, one installation or build at a time. Old
// versions of Node.js must be able to parse this file, because they run it to fetch a newer one.

import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { ended } from "./child-process.mjs";
import { neededPackages } from "./locked-packages.mjs";
import { refuseOldNode } from "./node-version.mjs";

export const root = fileURLToPath(new URL("..", import.meta.url));
export const inProject = (...path) => join(root, ...path);

/** Progress goes to standard error, so that standard output only contains the result of a command. */
export function say(line) {
  process.stderr.write(`${line}\n`);
}

export function fail(line) {
  say(line);
  process.exit(1);
}

/** Ends the process with one line if its Node.js is too old. */
export function requireNode() {
  const command = process.argv.slice(1).map((word) => relative(process.cwd(), word) || word);
  refuseOldNode(` scripts/with-node fetches one: scripts/with-node node ${command.join(" ")}`);
}

const children = new Set();
process.on("exit", () => {
  for (const child of children) child.kill("SIGTERM");
});

/** Stops `child` when a signal stops this process. */
export function ownChild(child) {
  children.add(child);
  child.once("close", () => children.delete(child));
}

/**
 * Makes a signal end this process and its children until the service runs, with the shell's exit code for that signal.
 */
function stopOn(signal, code) {
  const stop = () => process.exit(code);
  process.on(signal, stop);
  return () => process.off(signal, stop);
}
const handlers = [stopOn("SIGINT", 130), stopOn("SIGTERM", 143), stopOn("SIGHUP", 129)];

/** Stops handling signals: from now on the started program handles them. */
export function releaseSignals() {
  for (const remove of handlers.splice(0)) remove();
}

/**
 * Runs one step of the preparation quietly: prints its name, a line every ten seconds, and its output only if it
 * fails. Rejects with an Error that contains the end of that output.
 */
export async function step(name, command, args, env = {}) {
  say(`${name} …`);
  const started = Date.now();
  const seconds = () => `${((Date.now() - started) / 1000).toFixed(0)} s`;
  const alive = setInterval(() => say(`  … ${name}, ${seconds()}`), 10_000);
  try {
    const { code, output } = await capture(command, args, env);
    if (code !== 0) throw new Error(`${name} failed:\n${output.trim().split("\n").slice(-40).join("\n")}`);
    return output;
  } finally {
    clearInterval(alive);
  }
}

/**
 * No step takes a third of this time. Without a limit, a registry that stops responding would block the command
 * forever.
 */
const LONGEST_STEP_MS = 20 * 60_000;
async function capture(command, args, env) {
  const child = spawn(command, args, {
    cwd: root,
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  ownChild(child);
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text) => {
      output += text;
    });
  }
  const { code, late } = await ended(child, { longest: LONGEST_STEP_MS });
  return {
    code,
    output: late ? `${output}\nIt was stopped after ${LONGEST_STEP_MS / 60_000} minutes without a word.` : output,
  };
}

const LOCK_BEAT_MS = 1_000;
const LOCK_ABANDONED_MS = 10_000;

/**
 * Runs `work` while no other process of this checkout does. The owner touches the lock every second; a lock that was
 * not touched for ten seconds belongs to a process that died. (A process id is meaningless across containers.)
 * @param lock its file, for work that may run beside other work
 */
export async function exclusively(work, lock = inProject("dist", "lock")) {
  mkdirSync(dirname(lock), { recursive: true });
  for (let told = false; !acquire(lock); told = true) {
    if (!told) say("Another process prepares this checkout; waiting for it …");
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  const beat = setInterval(() => utimesSync(lock, new Date(), new Date()), LOCK_BEAT_MS);
  const release = () => rmSync(lock, { force: true });
  process.on("exit", release);
  try {
    return await work();
  } finally {
    clearInterval(beat);
    process.off("exit", release);
    release();
  }
}

function acquire(lock) {
  try {
    writeFileSync(lock, String(process.pid), { flag: "wx" });
    return true;
  } catch (error) {
    if (error.code !== "EEXIST") throw error;
  }
  const age = Date.now() - (statSync(lock, { throwIfNoEntry: false })?.mtimeMs ?? Date.now());
  if (age < LOCK_ABANDONED_MS) return false;
  try {
    renameSync(lock, `${lock}.${process.pid}`); // if several processes find it abandoned, only one can rename it
    rmSync(`${lock}.${process.pid}`);
  } catch (error) {
    if (error.code !== "ENOENT") throw error;
  }
  return false;
}

/**
 * The extents of an installation: the packages that run and build the service, or those of tests and checks as well.
 */
const EXTENTS = ["service", "everything"];

/**
 * Returns the key of an installation. Packages with native code fit one lockfile and one platform; Node-API is equal
 * in all versions.
 */
function installationKey() {
  const lockfile = createHash("sha256")
    .update(readFileSync(inProject("package-lock.json")))
    .digest("hex");
  return `${lockfile} ${process.platform}-${process.arch}`;
}

const stampPath = inProject("node_modules", ".installed-from");
const contentOf = (path) => (existsSync(path) ? readFileSync(path, "utf8") : undefined);

function isInstalled(extent) {
  const stamp = contentOf(stampPath);
  if (stamp !== undefined) {
    return EXTENTS.some((installed) => covers(installed, extent) && stamp === stampOf(installed));
  }
  const byHand = ["everything", "service"].find(installedByHand);
  if (byHand === undefined || !covers(byHand, extent)) return false;
  writeFileSync(stampPath, stampOf(byHand));
  return true;
}

const covers = (installed, wanted) => installed === "everything" || installed === wanted;
const stampOf = (extent) => `${installationKey()} ${extent}`;

export const readLockfile = () => JSON.parse(readFileSync(inProject("package-lock.json"), "utf8"));

/**
 * Whether the installed packages agree with our lockfile, package by package. npm records the installed versions in
 * its own lockfile, which lists omitted packages as well.
 */
function installedByHand(extent) {
  const hidden = inProject("node_modules", ".package-lock.json");
  if (!existsSync(hidden)) return false;
  const present = JSON.parse(readFileSync(hidden, "utf8")).packages;
  const lockfile = readLockfile();
  const locked = lockfile.packages;
  const wanted = extent === "service" ? neededPackages(lockfile) : Object.keys(locked).filter((path) => path !== "");
  const isThere = (path) => present[path]?.version === locked[path].version && existsSync(inProject(path));
  return (
    wanted.every((path) => isThere(path) || locked[path].optional) && Object.keys(present).every((path) => locked[path])
  );
}

/**
 * Installs the locked packages if they are missing, including those for building, because the service is built where
 * it runs. Install scripts do not run: native code is part of the packages.
 * @param wanted `service`, or `everything`, which tests and checks need
 */
export async function ensureInstalled(wanted = "everything") {
  if (isInstalled(wanted)) return;
  await exclusively(async () => {
    const extent = hadEverything() ? "everything" : wanted;
    if (isInstalled(extent)) return;
    // An installation of the service is extended; any other is replaced.
    const add = contentOf(stampPath) === stampOf("service");
    const install = extent === "service" ? installService : () => npm(TITLE, [...(add ? ADD : ["ci"]), ...EVERYTHING]);
    await install().catch((error) => fail(error.message));
    writeFileSync(stampPath, stampOf(extent));
  });
}

const TITLE = "Installing the locked packages";
const ADD = ["install", "--no-save"];
const EVERYTHING = ["--include=dev", "--ignore-scripts"];

/**
 * Installs the packages of the service from a lockfile that contains no others. With `--omit=dev`, npm would also
 * install development packages that are optional peers, for example Playwright. The folder appears in one step.
 */
async function installService() {
  const folder = inProject("dist", "packages");
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const lockfile = readLockfile();
  const needed = neededPackages(lockfile).map((path) => [path, lockfile.packages[path]]);
  const withoutDevelopment = ({ devDependencies, ...project }) => project;
  const packages = { "": withoutDevelopment(lockfile.packages[""]), ...Object.fromEntries(needed) };
  const project = withoutDevelopment(JSON.parse(readFileSync(inProject("package.json"), "utf8")));
  writeFileSync(join(folder, "package.json"), JSON.stringify(project));
  writeFileSync(join(folder, "package-lock.json"), JSON.stringify({ ...lockfile, packages }));
  await npm(TITLE, ["ci", "--prefix", folder, "--ignore-scripts"]);
  rmSync(inProject("node_modules"), { recursive: true, force: true });
  renameSync(join(folder, "node_modules"), inProject("node_modules"));
  rmSync(folder, { recursive: true });
}

/** Whether development packages are installed. A start does not remove them, even if the lockfile has changed. */
function hadEverything() {
  return Object.entries(readLockfile().packages).some(([path, { dev }]) => dev && existsSync(inProject(path)));
}

/** Runs npm as a step (see `step`). */
export function npm(name, args) {
  const [command, ...script] = npmCommand();
  return step(name, command, [...script, ...args, "--loglevel=error", "--no-audit", "--no-fund"]);
}

/** Returns the command of the npm that runs this script, otherwise that of the one in PATH. */
function npmCommand() {
  const running = process.env.npm_execpath;
  if (running && basename(running) === "npm-cli.js") return [process.execPath, running];
  return ["npm"];
}
