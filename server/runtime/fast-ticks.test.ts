import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "esbuild";
import { afterAll, describe, expect, it } from "vitest";
import { projectFolder } from "../testing/repository";

describe("the shape of Node's deferred calls", () => {
  const folder = mkdtempSync(join(tmpdir(), "ticks-"));
  afterAll(() => rmSync(folder, { recursive: true }));

  // Another process: in the runner's, others have deferred calls before.
  it("outlives a collection while none is deferred", async () => {
    const script = `
      import { createHook } from "node:async_hooks";
      import { keepTicksFast } from ${JSON.stringify(`${projectFolder}server/runtime/fast-ticks`)};
      const kept = keepTicksFast();
      setTimeout(() => {
        for (let times = 0; times < 3; times++) gc();
        let later;
        const hook = createHook({ init: (id, type, trigger, resource) => { if (type === "TickObject") later = resource; } });
        hook.enable();
        process.nextTick(() => {});
        hook.disable();
        process.stdout.write(String(Boolean(kept) && new Function("a", "b", "return %HaveSameMap(a, b)")(kept, later)));
      }, 50);`;
    writeFileSync(join(folder, "script.ts"), script);
    const outfile = join(folder, "script.mjs");
    await build({
      ...{ entryPoints: [join(folder, "script.ts")], outfile, bundle: true, platform: "node", format: "esm" },
      logLevel: "silent",
    });
    const flags = ["--expose-gc", "--allow-natives-syntax"];
    expect(execFileSync(process.execPath, [...flags, outfile], { encoding: "utf8" })).toBe("true");
  });
});
