/** Routes on a page of the console that is already open; login pages may not send requests by script. */
import type { Page } from "@playwright/test";

const PROBE = "/asks-whether-routes-are-in-force";

/**
 * Works as `page.route`, and is in force once it resolves. Chromium takes a moment to notify an open page that its
 * requests are intercepted; on a busy machine a request right after that would bypass the route.
 */
export async function routeOpenPage(page: Page, ...route: Parameters<Page["route"]>): Promise<void> {
  await page.route(...route);
  await page.route(`**${PROBE}`, (probe) => probe.fulfill({ status: 204 }));
  const isInForce = () => page.evaluate(async (probe) => (await fetch(probe)).status === 204, PROBE);
  while (!(await isInForce()));
  await page.unroute(`**${PROBE}`);
}
