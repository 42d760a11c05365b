/** Buttons with a confirmation, without a mouse: each step is reached by Tab, and no dialog loses the focus. */
import type { Page } from "@playwright/test";
import { ada, bob } from "../directory";
import { expect, openConsole, test } from "./fixtures";

const ACME = "/console/organizations/acme";

async function tabTo(page: Page, what: string): Promise<void> {
  for (let presses = 0; presses < 100; presses++) {
    if (await page.evaluate((selector) => document.activeElement?.matches(selector), what)) return;
    await page.keyboard.press("Tab");
  }
  throw new Error(`The Tab key never came to ${what}`);
}

test("the keyboard creates a link for a new password and a new key, and the focus returns", async ({
  page,
  service,
}) => {
  await openConsole(page, `${service.baseUrl}/console`, ada);
  const confirm = async (id: string) => {
    await tabTo(page, `#${id}`);
    await page.keyboard.press("Enter");
    const dialog = page.locator(".dialog");
    await expect(dialog.locator(":focus")).toHaveCount(1); // it takes the focus a moment after it appears
    await tabTo(page, `#${id}-confirm`);
    await page.keyboard.press("Enter");
    await expect(dialog).toHaveCount(0);
    await expect(page.locator(".toast").first()).toBeVisible();
    await expect(page.locator(`#${id}`)).toBeFocused();
  };
  await page.goto(`${service.baseUrl}${ACME}/users/${bob.id}?view=security`);
  await confirm("reset-password");
  await page.goto(`${service.baseUrl}/console/keys`);
  await confirm("rotate-ES256");

  await page.goto(`${service.baseUrl}${ACME}/users/${bob.id}?view=grants`);
  await tabTo(page, "#add-grant");
  await page.keyboard.press("Enter");
  const dialog = page.locator(".dialog");
  await expect(dialog).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(dialog).toHaveCount(0);
  await expect(page.locator("#add-grant")).toBeFocused();
});
