// The programs that tests need besides packages: Chromium, those of PostgreSQL, OpenLDAP and Firefox. Finds them,
// installs them if permitted (as root on Debian or Ubuntu), and otherwise prints the command that does.
import { spawnSync } from "node:child_process";
import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";
import { fail, step } from "./environment.mjs";
import { findBinaries } from "./postgres.mjs";
import { findSlapd } from "./slapd.mjs";

function onPath(...names) {
  const folders = (process.env.PATH ?? "").split(delimiter).filter(Boolean);
  return names.flatMap((name) => folders.map((folder) => join(folder, name))).find(isExecutable);
}

function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

const WINDOWED = ["chromium", "chromium-browser", "google-chrome-stable", "google-chrome"];
/** Browsers without windows, which use half of the processor time of those with windows. */
const HEADLESS = ["chromium-headless-shell", "chrome-headless-shell"];
/** A limit for a cold disk on a busy machine. */
const VERSION_MS = 60_000;

/**
 * Returns the path of a Chromium or Chrome on this machine, or undefined. One without windows is preferred. CHROMIUM
 * overrides it.
 */
export function findChromium() {
  if (process.env.CHROMIUM) return process.env.CHROMIUM;
  const headless = onPath(...HEADLESS);
  const windowed =
    onPath(...WINDOWED) ?? ["/Applications/Google Chrome.app/Contents/MacOS/Google Chrome"].find(isExecutable);
  // A partially installed browser must not hide one that works.
  const runs = headless && spawnSync(headless, ["--version"], { timeout: VERSION_MS }).status === 0;
  return runs ? headless : windowed;
}

/** Returns the path of a Firefox on this machine, or undefined. */
export function findFirefox() {
  return onPath("firefox-esr", "firefox");
}

/** Returns the folder of PostgreSQL's programs, or undefined. */
function findPostgres() {
  try {
    return findBinaries();
  } catch {
    return undefined;
  }
}

/** Resolves if all programs exist; otherwise ends the process with one line for each missing program. */
export async function ensureTestPrograms() {
  const wanted = [
    { what: "Chromium", packages: ["chromium-headless-shell", "chromium"], find: findChromium },
    { what: "PostgreSQL", packages: ["postgresql"], find: findPostgres },
    // The tests of LDAP and of Firefox are left out without it.
    { what: "OpenLDAP", packages: ["slapd"], find: findSlapd, isOptional: true },
    { what: "Firefox", packages: ["firefox-esr"], find: findFirefox, isOptional: true },
  ];
  const missing = () => wanted.filter(({ find }) => !find());
  if (missing().length === 0) return;
  const mayInstall = process.getuid?.() === 0 && onPath("apt-get");
  if (mayInstall) {
    await aptGet("Updating the list of Debian packages", "update").catch(() => undefined);
    for (const program of missing()) {
      await installFirst(program).catch((error) => program.isOptional || fail(error.message));
    }
  }
  const still = missing();
  for (const program of still) process.stderr.write(`${advice(program)}\n`);
  if (!still.every(({ isOptional }) => isOptional)) fail("Programs for the tests are missing.");
}

function aptGet(title, ...args) {
  return step(title, "apt-get", args, { DEBIAN_FRONTEND: "noninteractive" });
}

/**
 * Installs the first package that this Debian or Ubuntu has and that provides the program. Rejects with the reason of
 * the last failure.
 */
async function installFirst({ packages, find }) {
  let reason;
  for (const name of packages) {
    try {
      await aptGet(`Installing ${name}`, "install", "-y", "--no-install-recommends", name);
      if (find()) return;
    } catch (error) {
      reason = error;
    }
  }
  if (reason) throw reason;
}

function advice({ what, packages }) {
  const name = packages[packages.length - 1];
  if (process.platform === "darwin") return `${what} is missing. Install it with: brew install ${name}`;
  const sudo = spawnSync("sudo", ["-V"]).status === 0 && process.getuid?.() !== 0 ? "sudo " : "";
  return `${what} is missing. Install it with: ${sudo}apt-get install ${name}`;
}
