/** What a person does on the hosted pages. */
import type { Page } from "@playwright/test";
import { expect } from "@playwright/test";

/** Fills in the sign-in page the browser is on and sends it. */
export async function signIn(page: Page, person: { loginName: string; password: string }): Promise<void> {
  await page.locator("#loginName").fill(person.loginName);
  await page.locator("#password").fill(person.password);
  await page.locator("#submit").click();
}

/** Waits until the browser is back at the application and returns the address it came by. */
export async function backAtApplication(page: Page, redirectUri: string): Promise<URL> {
  await expect(page.getByRole("heading", { name: "Back at the application" })).toBeVisible();
  const url = new URL(page.url());
  expect(`${url.origin}${url.pathname}`).toBe(redirectUri);
  return url;
}
