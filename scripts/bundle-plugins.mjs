// What esbuild is told beside its options: how texts, styles and the database's compiler become part of the bundle.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { isAbsolute, join, resolve } from "node:path";
import { root } from "./environment.mjs";

/** `import css from "./page.css?raw"`: the file's text, as Vite reads it too. */
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
 * The texts of the languages are files beside the bundle, each read when it is first asked for: a process needs those of
 * few languages, and all of them would take a seventh of the time of a start and of its memory.
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
 * Prisma's query compiler is WebAssembly as base64 inside a script, which stays in memory as the script's source and as
 * its value, 9 MB: instead, the bytes lie beside the bundle.
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

/** Nothing is asked of it where operations are only described, so they need not wait for its generated clients. */
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
