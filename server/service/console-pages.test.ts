import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { exampleBootstrap } from "../testing/example";
import { type TestService, testService } from "../testing/test-context";

describe("a page of the console", () => {
  let service: TestService;
  beforeAll(async () => {
    service = await testService("sqlite", exampleBootstrap);
  });
  afterAll(() => service.close());
  const ask = async (method: string, path: string) => {
    const answer = await service.fetch(path, { method });
    return [answer.status, answer.headers.get("allow")];
  };

  // RFC 9110 §15.5.6, as at every other address
  it.each([
    ["POST", "/console"],
    ["POST", "/console?view=x"],
    ["PUT", "/console/users"],
    ["DELETE", "/console/organizations/acme"],
    ["POST", "/console/sign-in"],
  ])("is not asked by another method than those it knows: %s %s", async (method, path) => {
    expect(await ask(method, path)).toEqual([405, "GET, HEAD"]);
  });

  it.each(["/consoles", "/console/callback/x", "/console/sign-out/x", "/console.rsc"])("is not at %s", async (path) => {
    expect(await ask("POST", path)).toEqual([404, null]);
  });
});
