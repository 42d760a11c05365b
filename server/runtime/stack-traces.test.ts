import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";
import { afterAll, describe, expect, it } from "vitest";
import { projectFolder } from "../testing/repository";

describe("stack traces of a bundle", () => {
  const folder = mkdtempSync(join(tmpdir(), "stacks-"));
  afterAll(() => rmSync(folder, { recursive: true }));

  // Another process: the runner has its own.
  async function stackOf(fails: string): Promise<string> {
    writeFileSync(join(folder, "fails.ts"), fails);
    const entry = [
      `import { traceToSources } from ${JSON.stringify(`${projectFolder}server/runtime/stack-traces`)};`,
      `traceToSources(new URL("./", import.meta.url).href);`,
      'const { fail } = await import("./fails");',
      "try { fail(); } catch (error) { process.stdout.write(error.stack); }",
    ];
    writeFileSync(join(folder, "entry.ts"), entry.join("\n"));
    const outdir = join(folder, "out");
    await build({
      ...{ entryPoints: [join(folder, "entry.ts")], outdir, outExtension: { ".js": ".mjs" }, logLevel: "silent" },
      ...{ bundle: true, splitting: true, platform: "node", format: "esm", sourcemap: true, minifyWhitespace: true },
    });
    return execFileSync(process.execPath, [join(outdir, "entry.mjs")], { encoding: "utf8" });
  }

  it("name the source, its line and its column", async () => {
    const stack = await stackOf(
      "// a comment that is no code\n\nexport function fail() {\n  throw new TypeError('no');\n}\n",
    );
    expect(stack.split("\n").slice(0, 2)).toEqual(["TypeError: no", `    at fail (${join(folder, "fails.ts")}:4:9)`]);
    expect(stack).not.toContain(pathToFileURL(join(folder, "out")).href);
  });

  it("are printed even for an error that cannot be", async () => {
    const fails = "export function fail() {\n  throw Object.assign(new Error(), { toString() { throw 1; } });\n}\n";
    expect(await stackOf(fails)).toMatch(/^<error>\n {4}at fail \(.*fails\.ts:2:23\)/);
  });
});
