/** Attempts that end after the password: at the second factor, at the consent, or because of the browser. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readAttempts } from "../../directory/sign-in-attempt/list";
import { addAuthenticatorApp } from "../../directory/user/second-factor";
import { ruleDatabases } from "../../testing/database";
import { exampleBootstrap, PASSWORD } from "../../testing/example";
import { authorizePath, fillSignIn } from "../../testing/flow";
import { type TestService, testService } from "../../testing/test-context";

const [acme] = exampleBootstrap.organizations;
const person = (id: string) => ({
  id,
  userName: id,
  password: PASSWORD,
  profile: { firstName: id, lastName: "Test" },
  email: { email: `${id}@mail.test`, isEmailVerified: true },
});
const bootstrap = {
  organizations: [
    { ...acme, users: [...(acme?.users ?? []), person("fay")] },
    {
      id: "other",
      name: "Other",
      domains: [{ domain: "other.test", verified: true, primary: true }],
      users: [person("mallory")],
    },
  ],
};

describe.each(ruleDatabases)("attempts to sign in, on %s", (kind) => {
  let service: TestService;
  beforeAll(async () => {
    service = await testService(kind, bootstrap);
  });
  afterAll(() => service.close());

  it("leave a row after the password step, too", async () => {
    const user = { id: "fay", organizationId: "acme" };
    const app = { id: "f-fay", secret: "JBSWY3DPEHPK3PXP", timeStep: 1, name: "Phone" };
    await addAuthenticatorApp({ ...service.ctx, origin: { actor: user.id } }, user, app);
    const MINUTE = 60_000;
    const locationOf = (answer: Response) => answer.headers.get("location") ?? "";
    const flowOf = (answer: Response) => new URL(locationOf(answer)).searchParams.get("flow") ?? "";
    const begin = async (loginName: string, password = PASSWORD) => {
      const browser = service.browser();
      const answer = await fillSignIn(browser, await browser.get(authorizePath()), { loginName, password });
      return { browser, answer, flow: flowOf(answer) };
    };
    const guess = async (wait: number) => {
      const { browser, flow } = await begin("fay");
      service.advance(wait);
      await browser.post("/login/mfa/submit", { flow, way: "totp", code: "000000" });
    };
    const ends: [string[], () => Promise<unknown>][] = [
      [["factor_failed"], () => guess(0)],
      [["code_expired"], () => guess(11 * MINUTE)],
      [["flow_expired"], () => guess(31 * MINUTE)],
      [["cookies_blocked"], async () => service.browser().get(locationOf((await begin("fay")).answer))],
      [
        ["passkey_failed"],
        async () => {
          const browser = service.browser();
          const flow = flowOf(await browser.get(authorizePath()));
          await browser.post("/login/passkey", { flow, credential: "{}" });
        },
      ],
      [
        ["consent_refused", "signed_in"],
        async () => {
          const { browser, flow } = await begin("mallory@other.test");
          await browser.post("/login/continue/submit", { flow, deny: "1" });
        },
      ],
      [
        ["throttled", "wrong_password"],
        async () => {
          for (let number = 0; number < 6; number++) await begin("fay", "wrong wrong wrong wrong");
        },
      ],
    ];
    const found: string[][] = [];
    for (const [reasons, end] of ends) {
      service.advance(26 * 60 * MINUTE);
      const from = service.ctx.clock();
      await end();
      const { attempts } = await readAttempts(service.ctx, { level: "instance" }, { from }, { limit: reasons.length });
      found.push(attempts.map(({ reason }) => reason));
    }
    expect(found).toEqual(ends.map(([reasons]) => reasons));
  });
});
