import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { invalidateDirectory } from "../directory/cache";
import type { Unit } from "../storage/database";
import { ruleDatabases } from "../testing/database";
import { exampleBootstrap } from "../testing/example";
import { answerOf, authorizePath, fillSignIn, redeem } from "../testing/flow";
import { type TestBrowser, type TestService, testService } from "../testing/test-context";

describe.each(ruleDatabases)("the session of a sign-in on %s", (kind) => {
  let service: TestService;
  beforeAll(async () => {
    service = await testService(kind, exampleBootstrap);
  });
  afterAll(() => service.close());

  /** Signs in for this request and returns the inserts, by transaction, and the response. */
  async function signedIn(browser: TestBrowser, path: string): Promise<{ units: string[][]; response: Response }> {
    const { db } = service.ctx;
    const { commit } = db;
    const units: string[][] = [];
    const page = await browser.get(path);
    db.commit = (unit: Unit) => {
      units.push(unit.inserts.map(({ table }) => table));
      return commit(unit);
    };
    try {
      return { units, response: await fillSignIn(browser, page) };
    } finally {
      db.commit = commit;
    }
  }

  it("is stored before the code that it leads to", async () => {
    const browser = service.browser();
    const { units, response } = await signedIn(browser, authorizePath());
    expect(units).toEqual([["Session", "LastSignIn", "Event"], ["Grant"]]);
    const code = answerOf(response).get("code") ?? "";
    expect((await redeem(service, code)).status).toBe(200);
    // The browser is signed in by this session from now on.
    expect(answerOf(await browser.get(authorizePath({ prompt: "none" }))).get("code")).toBeTruthy();
  });

  it("is stored alone if it leads to a page", async () => {
    const { units, response } = await signedIn(service.browser(), "/account");
    expect(units).toEqual([["Session", "LastSignIn", "Event"]]);
    expect(response.headers.get("location")).toContain("/account?session=");
  });

  it("is stored although the application gets an error", async () => {
    const browser = service.browser();
    const setRoleCheck = async (projectRoleCheck: boolean) => {
      await service.ctx.db.prisma.project.updateMany({ data: { projectRoleCheck } });
      invalidateDirectory(service.ctx);
    };
    await setRoleCheck(true);
    try {
      const { units, response } = await signedIn(browser, authorizePath());
      expect(units).toEqual([["Session", "LastSignIn", "Event"]]);
      expect(answerOf(response).get("error")).toBe("access_denied");
    } finally {
      await setRoleCheck(false);
    }
    expect(answerOf(await browser.get(authorizePath({ prompt: "none" }))).get("code")).toBeTruthy();
  });
});
