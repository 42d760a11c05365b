// node scripts/image.mjs <folder>: puts the built service into an empty folder, with all that it reads when it runs and
// nothing that only builds or tests it. What the Dockerfile copies; it starts with `node dist/server.mjs` in any folder.
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { ensureStartable } from "./build.mjs";
import { fail, inProject, requireNode } from "./environment.mjs";

/** Packages that the service is built with, and that nothing of it loads: pictures are never resized on demand. */
const FOR_BUILDING = /^node_modules\/(esbuild|prisma|sharp|@img\/.*|@next\/swc-.*|@swc\/core.*|@parcel\/watcher.*)$/;
const FILES = [
  "LICENSE",
  "dist",
  "docs",
  "next.config.mjs",
  "package.json",
  "prisma/postgresql/migrations",
  "prisma/sqlite/migrations",
  "proto",
  "public",
];
/** Of Next's output: its cache of builds stays behind. */
const NOT_SERVED = new Set(["cache", "diagnostics", "trace", "trace-build", "types", "dev"]);

const { packages } = JSON.parse(readFileSync(inProject("package-lock.json"), "utf8"));

/** Where Node finds `name` from a package, as a path of the lockfile; undefined if it is not installed. */
function find(name, from) {
  for (let at = from; ; at = at.slice(0, Math.max(0, at.lastIndexOf("node_modules/") - 1))) {
    const path = `${at === "" ? "" : `${at}/`}node_modules/${name}`;
    if (packages[path] && existsSync(inProject(path))) return path;
    if (at === "") return undefined;
  }
}

/** The packages that the service loads, and those that they load, as paths of the lockfile. */
function neededPackages() {
  const found = new Set();
  const open = Object.keys(packages[""].dependencies)
    .map((name) => find(name, ""))
    .filter((path) => !FOR_BUILDING.test(path));
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    if (found.has(path)) continue;
    found.add(path);
    const { dependencies, optionalDependencies, peerDependencies, peerDependenciesMeta = {} } = packages[path];
    const peers = Object.keys(peerDependencies ?? {}).filter((name) => !peerDependenciesMeta[name]?.optional);
    for (const name of [...Object.keys({ ...dependencies, ...optionalDependencies }), ...peers]) {
      const needed = find(name, path);
      if (needed !== undefined && !FOR_BUILDING.test(needed)) open.push(needed);
    }
  }
  return [...found].sort();
}

function copy(path, folder, filter = () => true) {
  const to = join(folder, path);
  mkdirSync(dirname(to), { recursive: true });
  cpSync(inProject(path), to, { recursive: true, dereference: true, filter });
}

/** Not the sources of native code, its binaries for other platforms, types and maps: no running program reads them. */
const isLoaded = (path) =>
  !/\/better-sqlite3\/(deps|src)\b/.test(path) &&
  !(path.includes("/better-sqlite3/prebuilds/") && !path.includes(`/${process.platform}`)) &&
  !/\.d\.[cm]?ts$|\.[cm]?js\.map$/.test(path);

export function assembleImage(folder) {
  if (existsSync(folder) && readdirSync(folder).length > 0) fail(`${folder} is not empty`);
  for (const path of FILES) copy(path, folder);
  for (const name of readdirSync(inProject(".next"))) if (!NOT_SERVED.has(name)) copy(`.next/${name}`, folder);
  for (const path of neededPackages()) {
    const own = inProject(path);
    copy(path, folder, (file) => file === own || (isLoaded(file) && !file.startsWith(join(own, "node_modules"))));
  }
}

if (process.argv[1] === inProject("scripts/image.mjs")) {
  const [folder] = process.argv.slice(2);
  if (!folder) fail("Name the empty folder to put the service into: node scripts/image.mjs <folder>");
  requireNode();
  await ensureStartable();
  assembleImage(resolve(folder));
}
