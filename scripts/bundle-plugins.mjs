// What esbuild is told beside its options: how texts, styles and the database's compiler become part of the bundle.
import { readFileSync, writeFileSync } from "node:fs";
import { isAbsolute, resolve } from "node:path";
import { inProject } from "./environment.mjs";

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

/** Texts as JSON inside a string, which V8 reads in a fraction of the time it takes to compile an object. */
export const jsonText = {
  name: "JSON as text",
  setup(build) {
    build.onLoad({ filter: /[\\/]messages[\\/].*\.json$/ }, ({ path }) => ({
      contents: `export default JSON.parse(${JSON.stringify(JSON.stringify(JSON.parse(readFileSync(path, "utf8"))))});`,
      loader: "js",
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
      writeFileSync(inProject("dist", name), bytes);
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
