// node scripts/image.mjs <folder>: copies the built service into an empty folder, with everything that it reads at run
// time and nothing that only builds or tests it. The Dockerfile copies that folder; the service starts with `node
// dist/server.mjs` from any folder.
import { cpSync, existsSync, mkdirSync, readdirSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { ensureStartable } from "./build.mjs";
import { fail, inProject, readLockfile, requireNode } from "./environment.mjs";
import { neededPackages } from "./locked-packages.mjs";

/** Packages that build the service and are not loaded by it: pictures are never resized on demand. */
const FOR_BUILDING =
  /^node_modules\/(@bufbuild\/(protoc-gen-es|protoplugin)|typescript|@typescript\/.*|@types\/.*|esbuild|@prisma\/(client-generator-ts|internals)|sharp|@img\/.*|@next\/swc-.*|@swc\/core.*|@parcel\/watcher.*)$/;
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
/** Parts of Next's output that are not served, such as its build cache. */
const NOT_SERVED = new Set(["cache", "diagnostics", "trace", "trace-build", "types", "dev"]);

function copy(path, folder, filter = () => true) {
  const to = join(folder, path);
  mkdirSync(dirname(to), { recursive: true });
  cpSync(inProject(path), to, { recursive: true, dereference: true, filter });
}

/**
 * Whether a running program reads a file: not the sources of native code, its binaries for other platforms, types and
 * maps.
 */
const isLoaded = (path) =>
  !/\/better-sqlite3\/(deps|src)\b/.test(path) &&
  !(path.includes("/better-sqlite3/prebuilds/") && !path.includes(`/${process.platform}`)) &&
  !/\.d\.[cm]?ts$|\.[cm]?js\.map$/.test(path);

export function assembleImage(folder) {
  if (existsSync(folder) && readdirSync(folder).length > 0) fail(`${folder} is not empty`);
  for (const path of FILES) copy(path, folder);
  for (const name of readdirSync(inProject(".next"))) if (!NOT_SERVED.has(name)) copy(`.next/${name}`, folder);
  const isNeeded = (path) => !FOR_BUILDING.test(path) && existsSync(inProject(path));
  for (const path of neededPackages(readLockfile(), isNeeded)) {
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
