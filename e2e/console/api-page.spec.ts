/** The page of the API, which is open to everybody: read and used without a mouse, wide and narrow, light and dark. */
import { COLOUR_RULES, findings } from "../axe";
import { expect, test } from "./fixtures";

test("opens an operation by keyboard, and by its address", async ({ page, service }) => {
  await page.goto(`${service.baseUrl}/docs/api`);
  await page.keyboard.press("Tab");
  await expect(page.getByRole("link", { name: "Skip to the operations" })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/#operations$/);
  await page.keyboard.press("Tab");
  const first = page.locator("main details").first();
  await expect(first.locator("summary")).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(first.getByRole("heading", { name: "Example" })).toBeVisible();
  await page.keyboard.press("Enter");
  await expect(first.getByRole("heading", { name: "Example" })).toBeHidden();

  await page.goto(`${service.baseUrl}/docs/api#AddUserGrant`);
  const shown = page.locator("#AddUserGrant");
  await expect(shown).toBeInViewport();
  await expect(shown).toContainText("Needs user.grant.write in the organization, or in the project that it is about.");
});

test("has nothing for axe to find on the page of the API, and fits a narrow screen", async ({ page, service }) => {
  await page.emulateMedia({ colorScheme: "light" });
  await page.goto(`${service.baseUrl}/docs/api`);
  await page.locator("main details summary").first().click();
  // All chapters are made alike; axe takes a minute for all of them. What leads to the others goes with them.
  await page.evaluate(() => {
    for (const section of [...document.querySelectorAll("main > section")].slice(1)) section.remove();
    for (const item of [...document.querySelectorAll("nav li")].slice(1)) item.remove();
  });
  expect(await findings(page)).toEqual([]);
  await page.setViewportSize({ width: 320, height: 800 });
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
  await page.emulateMedia({ colorScheme: "dark" });
  expect(await findings(page, COLOUR_RULES)).toEqual([]);
});
