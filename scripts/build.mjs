// npm run build: generates sources, then builds the bundle of the service (dist/) and the pages of Next (.next/). Other
// commands call ensureBuilt(), which does nothing if the sources are those of the last build; `next build` calls
// ensureBundled().
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { compilerBeside, kyselyWithin, rawText, textsBeside, withoutDatabase } from "./bundle-plugins.mjs";
import { ended } from "./child-process.mjs";
import {
  ensureInstalled,
  exclusively,
  fail,
  inProject,
  ownChild,
  requireNode,
  root,
  say,
  step,
} from "./environment.mjs";
import { generateExamples } from "./examples.mjs";
import { generateCatalogues } from "./languages.mjs";

const SOURCES = [
  ...["app", "components", "examples", "messages", "prisma", "proto", "server", "shared"],
  ...["build", "bundle-plugins", "examples", "languages", "node-version", "operations", "procedures"].map(
    (name) => `scripts/${name}.mjs`,
  ),
  ...["public", "instrumentation.ts", "proxy.ts"],
  ...["next.config.mjs", "package-lock.json", "package.json", "tsconfig.json"],
];
const stampPath = inProject("dist", "built-from");
const self = fileURLToPath(import.meta.url);
/** The argument that runs `ensureBuilt` with the installed packages. */
const IF_NEEDED = "--if-needed";
/** No build takes a third of this time, and each of its steps has its own limit. */
const LONGEST_BUILD_MS = 60 * 60_000;

/** Returns a digest of the names and contents of `paths`, except generated code and tests. */
function digestOf(paths) {
  const hash = createHash("sha256");
  const visit = (path) => {
    if (/(^|\/)(generated|testing)$|\.test\.tsx?$/.test(path)) return;
    if (!existsSync(inProject(path))) return;
    const children = childrenOf(path);
    if (children) for (const name of children) visit(`${path}/${name}`);
    else
      hash
        .update(`${path}\0`)
        .update(readFileSync(inProject(path)))
        .update("\0");
  };
  for (const path of paths) visit(path);
  return hash.digest("hex");
}

function childrenOf(path) {
  try {
    return readdirSync(inProject(path)).sort();
  } catch (error) {
    if (error.code === "ENOTDIR") return undefined;
    throw error;
  }
}

const contentOf = (path) => (existsSync(path) ? readFileSync(path, "utf8") : undefined);

const isBuilt = () =>
  existsSync(inProject("dist/server.mjs")) &&
  existsSync(inProject(".next/BUILD_ID")) &&
  contentOf(stampPath) === digestOf(SOURCES);

/** Installs and builds what a start needs. Ends the process with a message on failure. */
export async function ensureStartable() {
  await ensureInstalled("service");
  if (!isBuilt()) await buildApart();
}

/**
 * Builds in a separate process: a build allocates 30 MB that the service, which is loaded into this process next,
 * would keep. The process prints its own errors.
 */
async function buildApart() {
  const child = spawn(process.execPath, [self, IF_NEEDED], { cwd: root, stdio: ["ignore", "inherit", "inherit"] });
  ownChild(child);
  const { code } = await ended(child, { longest: LONGEST_BUILD_MS });
  if (code !== 0) process.exit(1);
}

/** Builds unless the last build was made from the same sources. Rejects with an Error that contains the reason. */
export async function ensureBuilt() {
  if (isBuilt()) return;
  await exclusively(async () => {
    if (!isBuilt()) await build();
  });
}

async function build() {
  const started = Date.now();
  const sources = digestOf(SOURCES);
  rmSync(stampPath, { force: true });
  await generateSources();
  await Promise.all([
    bundle(),
    step("Building the pages", process.execPath, [inProject("node_modules/next/dist/bin/next"), "build"], {
      NODE_ENV: "production",
      NEXT_TELEMETRY_DISABLED: "1",
      SERVICE_BUNDLED_ELSEWHERE: "by npm run build", // see next.config.mjs
    }),
  ]);
  writeFileSync(stampPath, sources);
  say(`Built in ${((Date.now() - started) / 1000).toFixed(1)} s`);
}

/** Builds everything except the pages of Next, unless the last build was made from the same sources. */
export async function ensureBundled() {
  if (existsSync(inProject("dist/hosted.mjs")) && contentOf(stampPath) === digestOf(SOURCES)) return;
  await exclusively(async () => {
    rmSync(stampPath, { force: true });
    await generateSources();
    await bundle();
  });
}

/** Generates the sources that are not in the repository. */
export async function generateSources() {
  generateCatalogues(inProject("messages"));
  generateExamples();
  await generateClients(); // the operations are bundled with the types of the tables
  await Promise.all([declareOperations(), generateProcedures()]);
}

/** Generates the declarations of the operations for the console, unless they were made from the same sources. */
async function declareOperations() {
  const stamp = inProject("shared/generated/made-from");
  const key = digestOf(["server", "messages", "prisma/models.prisma", "package-lock.json", "scripts/operations.mjs"]);
  if (contentOf(stamp) === key) return;
  rmSync(stamp, { force: true });
  const outfile = inProject("dist", "operations.mjs");
  const options = bundleOptions(undefined, "production");
  await bundleTo({
    ...options,
    entryPoints: ["server/api/all.ts"],
    outfile,
    splitting: false,
    sourcemap: false,
    plugins: [...options.plugins, withoutDatabase],
  });
  // In a separate process, because this one loads another bundle of the same modules next.
  await step("Declaring the operations", process.execPath, [inProject("scripts/operations.mjs"), outfile]);
  rmSync(outfile);
  writeFileSync(stamp, key);
}

/** Generates the clients of both databases and the types of tables from the one set of models. */
function generateClients() {
  const schemas = ["models.prisma", "sqlite/schema.prisma", "postgresql/schema.prisma"].map((name) => `prisma/${name}`);
  const sources = [...schemas, "node_modules/@prisma/client-generator-ts/package.json"];
  return generate("server/storage/generated", sources, "Generating the database clients", "database-clients.mjs");
}

/** Generates the messages and services of gRPC from their descriptors. */
function generateProcedures() {
  const sources = [
    "proto/descriptors.binpb",
    "proto/zitadel.binpb",
    "node_modules/@bufbuild/protoc-gen-es/package.json",
  ];
  return generate("server/api/grpc/generated", sources, "Generating the gRPC messages", "procedures.mjs");
}

/** Runs a script that fills `folder`, unless its content was made from the same sources. */
async function generate(folder, sources, title, script) {
  const stamp = inProject(folder, "made-from");
  const key = digestOf([...sources, `scripts/${script}`]);
  if (contentOf(stamp) === key) return;
  rmSync(stamp, { force: true });
  await step(title, process.execPath, [inProject("scripts", script)]);
  writeFileSync(stamp, key);
}

/**
 * The entries of the bundle: the service with its own listener, the service inside Next, the operator's tool, and the
 * thread of slow digests.
 */
const PROGRAMS = {
  server: "./server/main",
  hosted: "./server/process/hosted",
  admin: "./server/admin",
  "digest-worker": "./server/crypto/digest-worker",
};

/** Returns the options for esbuild, for the build and for the development server. */
export function bundleOptions(outdir, environment) {
  return {
    absWorkingDir: root,
    entryPoints: Object.keys(PROGRAMS).map((name) => ({ in: `entry:${name}`, out: name })),
    outdir,
    outExtension: { ".js": ".mjs" },
    chunkNames: "[name]-[hash]",
    assetNames: "texts/[name]-[hash]",
    bundle: true,
    splitting: true,
    platform: "node",
    format: "esm",
    target: "node22",
    packages: "external",
    jsx: "automatic",
    sourcemap: true,
    sourcesContent: false, // the map is read at every start, and the sources are available beside it
    metafile: true,
    logLevel: "silent",
    charset: "utf8",
    plugins: [entries(environment), rawText, textsBeside, compilerBeside, kyselyWithin],
  };
}

/**
 * Sets NODE_ENV in each entry before it loads the program: React and Next choose their build when they are loaded, and
 * static imports run before any statement.
 */
function entries(environment) {
  return {
    name: "entries",
    setup(build) {
      build.onResolve({ filter: /^entry:/ }, ({ path }) => ({ path: path.slice("entry:".length), namespace: "entry" }));
      build.onLoad({ filter: /./, namespace: "entry" }, ({ path }) => ({
        contents: [
          `process.env.NODE_ENV ||= ${JSON.stringify(environment)};`,
          'import { refuseOldNode } from "./scripts/node-version.mjs";',
          'import { keepTicksFast } from "./server/runtime/fast-ticks";',
          'import { traceToSources } from "./server/runtime/stack-traces";',
          'import { spareMemory } from "./server/runtime/start-memory";',
          "refuseOldNode();",
          "keepTicksFast();",
          "spareMemory();",
          'traceToSources(new URL("./", import.meta.url).href);',
          `await import(${JSON.stringify(PROGRAMS[path])});`,
        ].join("\n"),
        resolveDir: root,
      }));
    },
  };
}

async function bundle() {
  say("Bundling the service …");
  const { metafile } = await bundleTo(bundleOptions("dist", "production"));
  removeAllBut(Object.keys(metafile.outputs));
}

async function bundleTo(options) {
  const esbuild = await import("esbuild");
  mkdirSync(inProject("dist"), { recursive: true });
  try {
    return await esbuild.build(options);
  } catch (error) {
    throw new Error(`Bundling the service failed:\n${error.message}`);
  } finally {
    await esbuild.stop(); // otherwise its process would run as long as the service that is loaded next
  }
}

/** Removes the files of earlier builds, which have other names because names contain a hash. */
function removeAllBut(outputs) {
  for (const name of readdirSync(inProject("dist"), { recursive: true })) {
    if (/\.(?:mjs|mjs\.map|json)$/.test(name) && !outputs.includes(`dist/${name}`)) rmSync(join(root, "dist", name));
  }
}

if (process.argv[1] && realpathSync(process.argv[1]) === realpathSync(self)) {
  requireNode();
  const preparation = async () => {
    if (process.argv.includes(IF_NEEDED)) return ensureBuilt();
    await ensureInstalled("service");
    await exclusively(build);
  };
  await preparation().catch((error) => fail(error.message));
}
