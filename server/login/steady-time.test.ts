import { describe, expect, it } from "vitest";
import { exampleBootstrap, PASSWORD } from "../testing/example";
import { authorizePath } from "../testing/flow";
import { realHashes } from "../testing/hashes";
import { type TestService, testService } from "../testing/test-context";

realHashes();

/** Returns the delays of the service while `use` ran, in milliseconds. */
async function waits(service: TestService, use: () => Promise<unknown>): Promise<number[]> {
  const waited: number[] = [];
  service.ctx.pause = async (ms) => waited.push(ms);
  await use();
  return waited;
}

describe("the time of a response (ASVS 6.3.8)", () => {
  it("is equal for all refused sign-ins, known and unknown names, and not lengthened for successful ones", async () => {
    const service = await testService("sqlite", exampleBootstrap);
    const attempt = async (loginName: string, password: string) => {
      const browser = service.browser();
      const first = await browser.get(authorizePath());
      const flow = new URL(first.headers.get("location") ?? "").searchParams.get("flow") ?? "";
      return waits(service, () => browser.post("/login/submit", { flow, loginName, password }));
    };
    for (const name of ["ada@acme.test", "nobody@acme.test"]) {
      const begun = performance.now();
      const [wait = 0, ...more] = await attempt(name, "wrong wrong wrong");
      expect(more).toEqual([]);
      expect(wait, name).toBeLessThanOrEqual(150);
      // If the work alone takes longer, on a busy machine, there is no delay.
      expect(performance.now() - begun + wait, name).toBeGreaterThan(149);
    }
    expect(await attempt("ada@acme.test", PASSWORD)).toEqual([]);
  });

  it("is equal for a requested email with and without a recipient", async () => {
    const service = await testService("sqlite", exampleBootstrap);
    for (const loginName of ["ada@acme.test", "nobody@acme.test"]) {
      const ask = () => service.browser().post("/login/forgot-password/submit", { loginName });
      expect(await waits(service, ask), loginName).toEqual([250]);
    }
  });
});
