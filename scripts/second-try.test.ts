import { describe, expect, it } from "vitest";
import { secondTry } from "./second-try.mjs";

const one = (name: string) => `some.spec.ts › ${name}: Error`;
const first = (...names: string[]) => ({ passed: 10, failures: names.map(one), skipped: 1, status: names.length && 1 });
const passed = async () => ({ passed: 2, failures: [], skipped: 0, status: 0 });

describe("the second run of failed tests", () => {
  it("counts a test that passes then as passed, and reports its name", async () => {
    expect(await secondTry(first("a", "b"), passed)).toEqual({
      result: { passed: 12, failures: [], skipped: 1, status: 0 },
      unsteady: [one("a"), one("b")],
    });
  });

  it.each([
    ["fails again", { passed: 1, failures: [one("b")], skipped: 0, status: 1 }],
    ["ends without a result", { passed: 0, failures: [], skipped: 0, status: 1 }],
    ["was not run", { passed: 1, failures: [], skipped: 1, status: 0 }],
  ])("changes nothing where one %s", async (_, second) => {
    const whole = first("a", "b");
    expect(await secondTry(whole, async () => second)).toEqual({ result: whole, unsteady: [] });
  });

  it.each(["faults.spec.ts › killed: Error", "server/mail/kill.test.ts › sent: Error"])(
    "is for nothing that tells of a loss, as %s",
    async (line) => {
      const whole = { passed: 10, failures: [line], skipped: 0, status: 1 };
      expect(await secondTry(whole, passed)).toEqual({ result: whole, unsteady: [] });
    },
  );

  it("happens only if few tests failed", async () => {
    for (const whole of [first(), first("a", "b", "c", "d")]) {
      const tried = await secondTry(whole, () => Promise.reject(new Error("tried")));
      expect(tried).toEqual({ result: whole, unsteady: [] });
    }
  });
});
