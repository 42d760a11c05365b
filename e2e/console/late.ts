/** Late responses, as on a slow connection: later input must count and must not be undone by them. */

import type { Page, Route } from "@playwright/test";
import { routeOpenPage } from "../route";

export interface Late {
  /** The service has responded, and the page has not received it yet. */
  asked: Promise<void>;
  /** Delivers the response and waits until the page has processed it. */
  come(): Promise<void>;
  /** The number of requests so far. */
  count(): number;
}

/**
 * Holds the response to the next request that is `wanted`, by default one that changes or searches something.
 * @param answer replaces the response of the service
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
    await route.fulfill(given).catch(() => {}); // the page no longer waits for it
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
