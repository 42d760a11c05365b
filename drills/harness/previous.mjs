// The previous release, built in a folder of its own, as it runs where an upgrade begins.
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { root } from "../../scripts/environment.mjs";
import { cannotRun, say } from "./report.mjs";
import { atEnd, temporaryFolder } from "./service.mjs";

const gitIn =
  (clone) =>
  (...args) =>
    execFileSync("git", args, { cwd: clone, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] }).trim();

/**
 * The last commit before this one with a tag of a release; where there is none, the last that changed the version.
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

/** The version in package.json at a commit; undefined before the first one, or before there was that file. */
const versionsOf = (git) => (commit) => {
  try {
    return JSON.parse(git("show", `${commit}:package.json`)).version;
  } catch {
    return undefined;
  }
};

/**
 * Checks it out beside this one, installs its packages and builds it, which takes minutes.
 * @param {string} [built] a folder where somebody has done so; empty to do it
 * @returns {{ name: string, folder: string }}
 */
export function buildPrevious(built) {
  const { commit, name } = previousRelease();
  if (built) {
    if (!existsSync(join(built, "dist", "server.mjs"))) throw cannotRun(`${built} holds no built service`);
    return { name, folder: built };
  }
  const folder = join(temporaryFolder(), "previous");
  const git = gitIn(root);
  git("worktree", "add", "--detach", folder, commit);
  atEnd(() => git("worktree", "remove", "--force", folder));
  say(`  installing and building ${name} …`);
  const options = { cwd: folder, stdio: ["ignore", "ignore", "inherit"] };
  try {
    execFileSync("npm", ["ci", "--no-audit", "--no-fund", "--loglevel=error"], options);
    execFileSync(process.execPath, [join("scripts", "build.mjs")], options);
  } catch (error) {
    throw cannotRun(`the previous release could not be installed and built: ${error.message}`);
  }
  return { name, folder };
}
