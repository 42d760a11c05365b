/** Answers that come late, as on a slow line: what people do meanwhile must count, and not be undone by them. */

import type { Page, Route } from "@playwright/test";
import { routeOpenPage } from "../route";

export interface Late {
  /** The service has answered, and the page does not know it yet. */
  asked: Promise<void>;
  /** Lets the answer come, and waits until the page has shown what follows from it. */
  come(): Promise<void>;
  /** How many requests there were so far. */
  count(): number;
}

/**
 * Keeps back the answer to the next request that is `wanted`, by default one that changes or searches something.
 * @param answer in place of the service's
 */
export async function late(
  page: Page,
  address: string | RegExp,
  wanted: (route: Route) => boolean = (route) => route.request().method() !== "GET",
  answer?: Parameters<Route["fulfill"]>[0],
): Promise<Late> {
  let count = 0;
  let [ask, release, arrive] = [() => {}, () => {}, () => {}];
  const asked = new Promise<void>((resolve) => {
    ask = resolve;
  });
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const arrived = new Promise<void>((resolve) => {
    arrive = resolve;
  });
  await routeOpenPage(page, address, async (route) => {
    if (!wanted(route)) return route.fallback();
    count++;
    if (count > 1) return route.fallback();
    const given = answer ?? { response: await route.fetch() };
    ask();
    await released;
    await route.fulfill(given).catch(() => {}); // nobody waits for it any more
    arrive();
  });
  return {
    asked,
    async come() {
      release();
      await arrived;
      await page.evaluate(() => new Promise((resolve) => setTimeout(() => requestAnimationFrame(resolve))));
    },
    count: () => count,
  };
}
