/** One user who loads hundreds of pages does not delay all other users. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { RETRY_AFTER } from "../../protocol/retry-after";
import { exampleBootstrap } from "../../testing/example";
import { fillSignIn } from "../../testing/flow";
import { BASE_URL, type TestService, testService } from "../../testing/test-context";
import { browserAt } from "../../testing/visits";

const MANY = 60;

describe("pages of one network", () => {
  let service: TestService;
  let person: ReturnType<typeof browserAt>;
  let session: string;

  beforeAll(async () => {
    service = await testService("sqlite", exampleBootstrap);
    person = browserAt(service, "192.0.2.1");
    const follow = (response: Response) => person.get((response.headers.get("location") ?? "").replace(BASE_URL, ""));
    const back = await fillSignIn(person, await follow(await person.get("/console/sign-in")));
    await follow(back);
    const account = await person.get("/account");
    session = new URL(account.headers.get("location") ?? "", BASE_URL).searchParams.get("session") ?? "";
  });
  afterAll(() => service.close());

  it.each<[string, () => Promise<Response>, number]>([
    ["pages before a sign-in", () => person.get("/logout/done"), 200],
    ["pages of an account", () => person.get(`/account/activity?session=${session}`), 200],
  ])("%s: another network's comes before most of many", async (_, ask, status) => {
    const order: string[] = [];
    const many = Array.from({ length: MANY }, async () => {
      const response = await ask();
      order.push("many");
      return response.status;
    });
    const other = browserAt(service, "198.51.100.7").get("/logout/done?ui_locales=de");
    const done = other.then(() => order.push("other"));
    expect(await Promise.all(many)).toEqual(many.map(() => status));
    await done;
    expect(order.indexOf("other")).toBeLessThan(MANY / 3);
  });

  it("are refused with a text if a thousand requests wait", async () => {
    const accept = { accept: "text/html" };
    const pages = Array.from({ length: 1_100 }, () => person.get("/logout/done", accept));
    const refused = (await Promise.all(pages)).filter(({ status }) => status === 503);
    expect(refused.length).toBe(1_100 - 1_006);
    expect(refused[0]?.headers.get("retry-after")).toBe(String(RETRY_AFTER));
    expect(await refused[0]?.text()).toContain("<h1");
  });
});
