/** The public documentation: read and searched without a script, wide and narrow, light and dark. */
import { COLOUR_RULES, findings } from "./axe";
import { expect, test } from "./fixtures";
import { unmarked } from "./forced-colours";
import { keepPicture } from "./pictures";

const PAGES = ["", "/first-app", "/deploy", "/architecture", "/rules", "/search?q=refresh+token"];

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false });

  test("the index leads to a guide, and a search to the section", async ({ page, service }) => {
    await page.goto(`${service.baseUrl}/docs`);
    await page.keyboard.press("Tab");
    await expect(page.getByRole("link", { name: "Skip to content" })).toBeFocused();
    await page.getByRole("navigation").getByRole("link", { name: "Your first app" }).click();
    await expect(page.getByRole("heading", { level: 1, name: "Your first app" })).toBeVisible();
    await expect(page.getByRole("navigation").getByRole("link", { name: "Your first app" })).toHaveAttribute(
      "aria-current",
      "page",
    );
    await page.getByRole("searchbox", { name: "Search" }).fill("back up the embedded database");
    await page.keyboard.press("Enter");
    await page.getByRole("main").getByRole("link", { name: "Operate: Backup" }).click();
    await expect(page).toHaveURL(/\/docs\/operate#backup$/);
    await expect(page.getByRole("heading", { name: "Backup" })).toBeInViewport();
  });
});

test("the documents have no accessibility errors and fit a narrow screen", async ({ page, service }) => {
  for (const path of PAGES) {
    await page.emulateMedia({ colorScheme: "light" });
    await page.setViewportSize({ width: 1280, height: 900 });
    await page.goto(`${service.baseUrl}/docs${path}`);
    const name = `docs${path.replace(/\W+/g, "-")}`;
    await keepPicture(page, `${name}-wide-light`);
    expect([path, await findings(page)]).toEqual([path, []]);
    await page.emulateMedia({ colorScheme: "dark" });
    expect([path, await findings(page, COLOUR_RULES)]).toEqual([path, []]);
    await page.setViewportSize({ width: 320, height: 800 });
    await keepPicture(page, `${name}-narrow-dark`);
    expect([path, await unmarked(page)]).toEqual([path, []]);
    const over = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    expect([path, over]).toEqual([path, Math.min(over, 0)]);
  }
});

test("the pages of the API show in forced colours what can be pressed", async ({ page, service }) => {
  for (const path of ["", "/authentication", "/apps", "/search?q=grant"]) {
    await page.goto(`${service.baseUrl}/docs/api${path}`);
    expect([path, await unmarked(page)]).toEqual([path, []]);
  }
});
