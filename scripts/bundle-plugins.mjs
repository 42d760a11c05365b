// Plugins for esbuild: how texts, styles and the database's compiler become part of the bundle.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { isAbsolute, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { root } from "./environment.mjs";

/** Imports the text of a file, as Vite does: `import css from "./page.css?raw"`. */
export const rawText = {
  name: "raw text",
  setup(build) {
    build.onResolve({ filter: /\?raw$/ }, ({ path, resolveDir }) => {
      const file = path.slice(0, -"?raw".length);
      return { path: isAbsolute(file) ? file : resolve(resolveDir, file), namespace: "raw" };
    });
    build.onLoad({ filter: /./, namespace: "raw" }, ({ path }) => ({
      contents: readFileSync(path, "utf8"),
      loader: "text",
      watchFiles: [path],
    }));
  },
};

/**
 * Writes the texts of the languages as files beside the bundle, each read when it is first used: a process needs few
 * languages, and all of them would take a seventh of the time and memory of a start.
 */
export const textsBeside = {
  name: "texts as files",
  setup(build) {
    build.onLoad({ filter: /[\\/]messages[\\/]generated[\\/](?:login|mail|refusals)\.ts$/ }, ({ path }) => ({
      contents: readFileSync(path, "utf8").replace(
        /export const catalogue = (\{[^}]*\});/,
        'import { readWhenAsked } from "../read-when-asked";\nexport const catalogue = readWhenAsked($1, import.meta.url);',
      ),
      loader: "ts",
      watchFiles: [path],
    }));
    // The value of such a module is the path of the file that esbuild writes.
    build.onLoad({ filter: /[\\/]messages[\\/].*\.json$/ }, ({ path }) => ({
      contents: JSON.stringify(JSON.parse(readFileSync(path, "utf8"))),
      loader: "file",
      watchFiles: [path],
    }));
  },
};

/**
 * Writes Prisma's query compiler as a file beside the bundle. It is WebAssembly as base64 inside a script, of which
 * both the source and the value would stay in memory, 9 MB.
 */
export const compilerBeside = {
  name: "query compiler as a file",
  setup(build) {
    build.onResolve({ filter: /\/query_compiler_\w+\.\w+\.wasm-base64\.mjs$/ }, ({ path }) => ({
      path,
      namespace: "query-compiler",
    }));
    build.onLoad({ filter: /./, namespace: "query-compiler" }, async ({ path }) => {
      const { wasm } = await import(path);
      const bytes = Buffer.from(wasm, "base64");
      const name = `${path
        .split("/")
        .at(-1)
        ?.replace(/\.wasm-base64\.mjs$/, "")}.wasm`;
      const folder = resolve(root, build.initialOptions.outdir);
      mkdirSync(folder, { recursive: true });
      writeFileSync(join(folder, name), bytes);
      const lines = [
        'import { readFileSync } from "node:fs";',
        `export const wasm = readFileSync(new URL("./${name}", import.meta.url));`,
      ];
      return { contents: lines.join("\n") };
    });
  },
};

/**
 * Bundles Kysely. Its three hundred modules would take five times as long to load as one file with the part that is
 * used.
 */
export const kyselyWithin = {
  name: "kysely within the bundle",
  setup(build) {
    build.onResolve({ filter: /^kysely$/ }, ({ path }) => ({ path: fileURLToPath(import.meta.resolve(path)) }));
  },
};

/**
 * Replaces the database by a stub for bundles that only describe operations, so that they need not wait for its
 * generated clients.
 */
export const withoutDatabase = {
  name: "without the database",
  setup(build) {
    build.onResolve({ filter: /\/generated\/(?:sqlite|postgresql)\// }, ({ path }) => ({
      path,
      namespace: "database",
    }));
    build.onLoad({ filter: /./, namespace: "database" }, () => ({ contents: "module.exports = new Proxy({}, {})" }));
  },
};
