/** Routes on a page of the console that is open already; login pages may ask nothing by script. */
import type { Page } from "@playwright/test";

const PROBE = "/asks-whether-routes-are-in-force";

/**
 * As `page.route`, in force once it resolves. Chromium takes a moment to tell an open page that its requests are looked
 * at; on a busy machine one that follows at once goes past the route.
 */
export async function routeOpenPage(page: Page, ...route: Parameters<Page["route"]>): Promise<void> {
  await page.route(...route);
  await page.route(`**${PROBE}`, (probe) => probe.fulfill({ status: 204 }));
  const isInForce = () => page.evaluate(async (probe) => (await fetch(probe)).status === 204, PROBE);
  while (!(await isInForce()));
  await page.unroute(`**${PROBE}`);
}
