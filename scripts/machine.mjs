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

/** Path of a Chromium or Chrome on this machine, or undefined. CHROMIUM names another one. */
export function findChromium() {
  return (
    process.env.CHROMIUM ??
    onPath("chromium", "chromium-browser", "google-chrome-stable", "google-chrome") ??
    ["/Applications/Google Chrome.app/Contents/MacOS/Google Chrome"].find(isExecutable)
  );
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
    { what: "Chromium", package: "chromium", find: findChromium },
    { what: "PostgreSQL", package: "postgresql", find: findPostgres },
  ];
  const missing = wanted.filter(({ find }) => !find());
  if (missing.length === 0) return;
  const mayInstall = process.getuid?.() === 0 && onPath("apt-get");
  if (mayInstall) {
    const packages = missing.map((program) => program.package);
    const quiet = { DEBIAN_FRONTEND: "noninteractive" };
    await step("Updating the list of Debian packages", "apt-get", ["update"], quiet).catch(() => undefined);
    await step(
      `Installing ${packages.join(" and ")}`,
      "apt-get",
      ["install", "-y", "--no-install-recommends", ...packages],
      quiet,
    ).catch((error) => fail(error.message));
  }
  const still = wanted.filter(({ find }) => !find());
  if (still.length === 0) return;
  for (const program of still.slice(0, -1)) process.stderr.write(`${advice(program)}\n`);
  fail(advice(still[still.length - 1]));
}

function advice({ what, package: name }) {
  if (process.platform === "darwin") return `${what} is missing. Install it with: brew install ${name}`;
  const sudo = spawnSync("sudo", ["-V"]).status === 0 && process.getuid?.() !== 0 ? "sudo " : "";
  return `${what} is missing. Install it with: ${sudo}apt-get install ${name}`;
}
