/** The steps of a user on the hosted pages. */
import type { Page } from "@playwright/test";
import { expect } from "@playwright/test";

/** Fills in and submits the sign-in page of the browser. */
export async function signIn(page: Page, person: { loginName: string; password: string }): Promise<void> {
  await page.locator("#loginName").fill(person.loginName);
  await page.locator("#password").fill(person.password);
  await page.locator("#submit").click();
}

/** Waits until the browser is back at the application. Returns its address. */
export async function backAtApplication(page: Page, redirectUri: string): Promise<URL> {
  await expect(page.getByRole("heading", { name: "Back at the application" })).toBeVisible();
  const url = new URL(page.url());
  expect(`${url.origin}${url.pathname}`).toBe(redirectUri);
  return url;
}
