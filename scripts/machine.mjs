// What the tests need besides packages: Chromium and PostgreSQL's programs. Finds them, installs them where it may
// (root on Debian or Ubuntu), and otherwise says in one line which command does.
import { spawnSync } from "node:child_process";
import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";
import { fail, step } from "./environment.mjs";
import { findBinaries } from "./postgres.mjs";

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
/** The same engine without windows around its pages: these cost as much processor time as the pages. */
const HEADLESS = ["chromium-headless-shell", "chrome-headless-shell"];
/** A cold disk on a busy machine. */
const VERSION_MS = 60_000;

/** Path of a Chromium or Chrome on this machine, or undefined; one without windows before others. CHROMIUM names another one. */
export function findChromium() {
  if (process.env.CHROMIUM) return process.env.CHROMIUM;
  const headless = onPath(...HEADLESS);
  const windowed =
    onPath(...WINDOWED) ?? ["/Applications/Google Chrome.app/Contents/MacOS/Google Chrome"].find(isExecutable);
  // What was half installed must not stand in the way of one that works.
  const runs = headless && spawnSync(headless, ["--version"], { timeout: VERSION_MS }).status === 0;
  return runs ? headless : windowed;
}

/** Folder of PostgreSQL's programs, or undefined. */
function findPostgres() {
  try {
    return findBinaries();
  } catch {
    return undefined;
  }
}

/** Resolves if everything is there; otherwise ends the process with one line for each missing program. */
export async function ensureTestPrograms() {
  const wanted = [
    { what: "Chromium", packages: ["chromium-headless-shell", "chromium"], find: findChromium },
    { what: "PostgreSQL", packages: ["postgresql"], find: findPostgres },
  ];
  const missing = () => wanted.filter(({ find }) => !find());
  if (missing().length === 0) return;
  const mayInstall = process.getuid?.() === 0 && onPath("apt-get");
  if (mayInstall) {
    await aptGet("Updating the list of Debian packages", "update").catch(() => undefined);
    for (const program of missing()) await installFirst(program).catch((error) => fail(error.message));
  }
  const still = missing();
  if (still.length === 0) return;
  for (const program of still.slice(0, -1)) process.stderr.write(`${advice(program)}\n`);
  fail(advice(still[still.length - 1]));
}

function aptGet(title, ...args) {
  return step(title, "apt-get", args, { DEBIAN_FRONTEND: "noninteractive" });
}

/** The first of its packages that this Debian or Ubuntu has, and that is found afterwards. Rejects with why the last is not. */
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
