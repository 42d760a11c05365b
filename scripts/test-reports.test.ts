import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { inProject } from "./environment.mjs";
import { playwrightResult, vitestResult } from "./test-reports.mjs";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "reports-"));
  symlinkSync(inProject("node_modules"), join(folder, "node_modules"));
});
afterEach(() => rmSync(folder, { recursive: true }));

const write = (name: string, text: string) => writeFileSync(join(folder, name), text);

/** Runs a test runner in the folder and reads its report. */
function report(tool: string, args: string[]) {
  const { PATH, NODE_ENV } = process.env; // without the variables of the run that contains this test
  spawnSync(process.execPath, [inProject(tool), ...args], {
    cwd: folder,
    env: { PATH, NODE_ENV, PLAYWRIGHT_JSON_OUTPUT_NAME: join(folder, "report.json") },
  });
  return JSON.parse(readFileSync(join(folder, "report.json"), "utf8"));
}

describe("the end of npm test", () => {
  it("names each failed vitest test with the first line of its reason, and a file that does not load", () => {
    write(
      "some.test.js",
      `import { expect, it } from "vitest";
       it("holds", () => {});
       it("does not hold", () => expect(1).toBe(2));
       it.skip("waits", () => {});`,
    );
    write("broken.test.js", `import "./nothing-here.js";`);
    write(
      "unready.test.js",
      `import { beforeAll, describe, it } from "vitest";
       describe("of a broken place", () => {
         beforeAll(() => { throw new Error("not there"); });
         it("waits", () => {});
       });`,
    );
    const { passed, failures, files, skipped } = vitestResult(
      report("node_modules/vitest/vitest.mjs", [
        ...["run", "--root", folder, "--reporter=json"],
        `--outputFile.json=${join(folder, "report.json")}`,
      ]),
    );
    expect([passed, skipped]).toEqual([1, 2]);
    expect(failures.sort()).toEqual([
      expect.stringMatching(/broken\.test\.js: .*nothing-here/),
      expect.stringMatching(/some\.test\.js › does not hold: AssertionError: expected 1 to be 2/),
      expect.stringMatching(/unready\.test\.js: a beforeAll/),
    ]);
    for (const line of failures) expect(line).not.toContain("\n");
    const names = files.map((file) => file.split("/").at(-1));
    expect(names.sort()).toEqual(["broken.test.js", "some.test.js", "unready.test.js"]);
  });

  it("names each failed Playwright test the same way, and in CI runs only those again", () => {
    write("playwright.config.js", `export default { outputDir: "results" };`);
    write(
      "some.spec.js",
      `import { existsSync, writeFileSync } from "node:fs";
       import { expect, test } from "@playwright/test";
       test("holds", () => {});
       test.describe("inside", () => {
         test("holds the second time", () => {
           const isFirst = !existsSync("tried");
           writeFileSync("tried", "");
           expect(isFirst).toBe(false);
         });
       });
       test.skip("waits", () => {});`,
    );
    const run = (...args: string[]) =>
      playwrightResult(report("node_modules/@playwright/test/cli.js", ["test", "--reporter=json", ...args]));
    expect(run()).toMatchObject({
      passed: 1,
      skipped: 1,
      failures: [expect.stringMatching(/^some\.spec\.js › holds the second time: Error: expect\(received\)\.toBe/)],
    });
    expect(run("--last-failed")).toEqual({ passed: 1, failures: [], skipped: 0 });
  });
});
