// The previous release, bundled in its own folder: the version that an upgrade replaces.
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { root } from "../../scripts/environment.mjs";
import { cannotRun, say } from "./report.mjs";
import { temporaryFolder } from "./service.mjs";

const gitIn =
  (clone) =>
  (...args) =>
    execFileSync("git", args, { cwd: clone, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] }).trim();

/**
 * Returns the last commit before this one with a release tag; without a tag, the last one that changed the version.
 * @returns {{ commit: string, name: string }}
 */
export function previousRelease(clone = root) {
  const git = gitIn(clone);
  if (!existsSync(join(clone, ".git"))) throw cannotRun("this is no clone: the previous release is found by git");
  const here = git("rev-parse", "HEAD");
  const tags = git("tag", "--merged", "HEAD", "--list", "v*", "--sort=-version:refname").split("\n").filter(Boolean);
  const tag = tags.find((name) => git("rev-parse", `${name}^{commit}`) !== here);
  if (tag) return { commit: git("rev-parse", `${tag}^{commit}`), name: tag };
  if (git("rev-parse", "--is-shallow-repository") === "true") {
    throw cannotRun("this clone has neither a release's tag nor its history: git fetch --tags --unshallow");
  }
  const commits = git("log", "--format=%H", "-G", '^  "version": ', "--", "package.json").split("\n").filter(Boolean);
  const versionAt = versionsOf(git);
  const isBump = (one) => versionAt(`${one}~`) !== undefined && versionAt(one) !== versionAt(`${one}~`);
  const commit = commits.find((one) => one !== here && isBump(one));
  if (!commit) throw cannotRun("there is neither a tag of a release nor a commit that changed the version");
  return { commit, name: `${versionAt(commit)} (${commit.slice(0, 7)}, which has no tag)` };
}

/** Returns the version in package.json at a commit; undefined if the commit or the file does not exist. */
const versionsOf = (git) => (commit) => {
  try {
    return JSON.parse(git("show", `${commit}:package.json`)).version;
  } catch {
    return undefined;
  }
};

/**
 * Whether the installed packages are those of a checkout. Then the previous release runs with the packages of this
 * one, which saves a minute: an upgrade fails by what the two versions do with one database.
 */
export function sharesPackages(folder, here = root) {
  const { dependencies } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const installed = (name) => {
    const manifest = join(here, "node_modules", name, "package.json");
    return existsSync(manifest) ? JSON.parse(readFileSync(manifest, "utf8")).version : undefined;
  };
  return Object.entries(dependencies).every(([name, version]) => installed(name) === version);
}

/**
 * Writes its files into a temporary folder and bundles its service there.
 * @param {string} [built] a folder with the result of an earlier call
 * @returns {{ name: string, folder: string }}
 */
export function buildPrevious(built) {
  const { commit, name } = previousRelease();
  if (built) {
    if (!existsSync(join(built, "dist", "server.mjs"))) throw cannotRun(`${built} holds no built service`);
    return { name, folder: built };
  }
  const folder = join(temporaryFolder(), "previous");
  mkdirSync(folder);
  const archive = `${folder}.tar`;
  gitIn(root)("archive", `--output=${archive}`, commit);
  execFileSync("tar", ["-xf", archive, "-C", folder]);
  const isShared = sharesPackages(folder);
  say(`  building ${name}, with ${isShared ? "the packages of this checkout" : "packages of its own"} …`);
  const options = { cwd: folder, stdio: ["ignore", "ignore", "inherit"] };
  if (isShared) symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
  else {
    const quiet = ["--omit=dev", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];
    execFileSync("npm", ["ci", ...quiet], options);
  }
  execFileSync(process.execPath, [join(root, "drills", "harness", "bundle.mjs"), folder], options);
  return { name, folder };
}
