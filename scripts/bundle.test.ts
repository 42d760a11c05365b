import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type BuildOptions, build, stop } from "esbuild";
import { afterAll, expect, it } from "vitest";
import { loginMessages } from "../messages/login";
import { bundleOptions } from "./build.mjs";

const folder = mkdtempSync(join(tmpdir(), "bundle-"));
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await stop();
});

it("the bundle finds the files that it reads beside it, in any folder", async () => {
  await build(bundleOptions(folder, "development") as BuildOptions);
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" });
  expect(files).toContain("query_compiler_fast_bg.sqlite.wasm");
  expect(files).toContain("query_compiler_fast_bg.postgresql.wasm");
  const texts = files
    .filter((file) => /^texts.login-/.test(file))
    .map((file) => readFileSync(join(folder, file), "utf8"));
  const byTitle = (catalogues: { signIn: { title: string } }[]) => catalogues.map(({ signIn }) => signIn.title).sort();
  expect(byTitle(texts.map((text) => JSON.parse(text)))).toEqual(byTitle(Object.values(loginMessages)));
  const scripts = files.filter((file) => /\.mjs$/.test(file)).map((file) => readFileSync(join(folder, file), "utf8"));
  expect(scripts.filter((script) => script.includes(loginMessages.de.signIn.forgotPassword))).toEqual([]);
});
