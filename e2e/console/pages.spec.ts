/** Every page of the console, opened once and looked at in all ways that do not depend on its content. */
import type { Page } from "@playwright/test";
import { findings, VIEWS } from "../axe";
import { unmarked } from "../forced-colours";
import { watchPages } from "../steady";
import { expect, test } from "./fixtures";
import { begin, PAGES, ZONE } from "./pages";

test.use({ timezoneId: ZONE });

/** Returns the elements at the place of the link to the history. */
async function besideHistory(page: Page): Promise<string[]> {
  const link = page.locator("#history");
  if ((await link.count()) === 0) return [];
  return link.evaluate((own) => {
    const { left, right, top, bottom } = own.getBoundingClientRect();
    return [...document.querySelectorAll("main :is(a, button)")]
      .filter((other) => other !== own && other.checkVisibility())
      .filter((other) => {
        const box = other.getBoundingClientRect();
        return box.left < right && box.right > left && box.top < bottom && box.bottom > top;
      })
      .map((other) => other.outerHTML);
  });
}

for (const [which, paths] of Object.entries(PAGES)) {
  test(`${which}: nothing jumps while a page loads, axe finds nothing, light and dark, it fits a narrow screen, and lines show what can be pressed in forced colours`, async ({
    page,
  }) => {
    const refused: string[] = [];
    page.on("console", (message) => {
      if (message.type() === "error") refused.push(message.text());
    });
    await begin(page);
    const { whatMoves } = await watchPages(page);
    for (const path of paths) {
      expect(await whatMoves(path), path).toEqual([]);
      for (const { width, colorScheme, rules } of VIEWS) {
        const view = `${path} at ${width}, ${colorScheme}`;
        await page.setViewportSize({ width, height: 800 });
        await page.emulateMedia({ colorScheme });
        expect(await findings(page, rules), view).toEqual([]);
        const sideways = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        expect(sideways, view).toBeLessThanOrEqual(0);
        expect(await besideHistory(page), view).toEqual([]);
        expect(await unmarked(page), view).toEqual([]);
      }
    }
    expect(refused.filter((text) => !/sandboxed/.test(text))).toEqual([]);
  });
}
