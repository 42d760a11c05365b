// Makes a release: `npm run release -- 1.2.3`. Moves the unreleased part of CHANGELOG.md below the new version, sets
// the version in package.json, package-lock.json and the Helm chart, commits and tags. All checks run before anything
// changes, including one for languages that lack texts. Nothing is pushed.
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gapsIn } from "./languages.mjs";

const VERSION = /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)$/;
const CHART = "deploy/helm/identity-service/Chart.yaml";
const UNRELEASED = "## [Unreleased]\n";

const root = process.cwd();
const git = (...args) => execFileSync("git", args, { cwd: root, encoding: "utf8" }).trim();
const numbers = (version) => version.split(".").map(Number);

/** Whether `version` comes after `other` (Semantic Versioning 2.0.0 §11, without pre-releases). */
function isNewer(version, other) {
  const [before, after] = [numbers(other), numbers(version)];
  const at = after.findIndex((number, index) => number !== before[index]);
  return at >= 0 && after[at] > before[at];
}

/** Returns the changelog with its unreleased part below the version, or undefined if that part is empty. */
function released(changelog, version, date) {
  const start = changelog.indexOf(UNRELEASED);
  if (start < 0) return undefined;
  const from = start + UNRELEASED.length;
  const next = changelog.indexOf("\n## [", from);
  const part = changelog.slice(from, next < 0 ? undefined : next);
  if (!/^- /m.test(part)) return undefined;
  return `${changelog.slice(0, from)}\n## [${version}] - ${date}\n${changelog.slice(from)}`;
}

function refuse(reason) {
  console.error(reason);
  process.exit(1);
}

const version = process.argv[2] ?? "";
if (!VERSION.test(version)) refuse("Say which version: npm run release -- 1.2.3");
const path = (name) => join(root, name);
const manifest = JSON.parse(readFileSync(path("package.json"), "utf8"));
const lock = JSON.parse(readFileSync(path("package-lock.json"), "utf8"));
if (!isNewer(version, manifest.version)) refuse(`${version} does not come after ${manifest.version}.`);
if (git("status", "--porcelain") !== "") refuse("There are changes that are not committed.");
if (git("tag", "--list", `v${version}`) !== "") refuse(`The tag v${version} exists.`);
const incomplete = Object.keys(gapsIn(path("messages")));
if (incomplete.length > 0) refuse(`Texts are missing in ${incomplete.join(", ")}. See npm run languages.`);
const changelog = released(readFileSync(path("CHANGELOG.md"), "utf8"), version, new Date().toISOString().slice(0, 10));
if (changelog === undefined) refuse("CHANGELOG.md lists nothing under Unreleased.");

const json = (value) => `${JSON.stringify(value, null, 2)}\n`;
lock.version = version;
if (lock.packages?.[""]) lock.packages[""].version = version;
writeFileSync(path("CHANGELOG.md"), changelog);
writeFileSync(path("package.json"), json({ ...manifest, version }));
writeFileSync(path("package-lock.json"), json(lock));
const chart = readFileSync(path(CHART), "utf8");
writeFileSync(path(CHART), chart.replace(/^(version: |appVersion: ")[\d.]+/gm, `$1${version}`));
git(
  "commit",
  "--quiet",
  "-m",
  `chore(release): ${version}`,
  "--",
  "CHANGELOG.md",
  "package.json",
  "package-lock.json",
  CHART,
);
git("tag", "--annotate", `v${version}`, "-m", version);
console.log(`Released ${version}. Publish it with: git push --follow-tags`);
