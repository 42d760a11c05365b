/** What happens on a slow line, where people are quicker than the scripts of the page. */
import type { Page } from "@playwright/test";
import { ada } from "../directory";
import { expect, openConsole, test } from "./fixtures";

/** Keeps back the scripts of the pages that follow, until what it gives is called. */
async function holdScripts(page: Page): Promise<() => void> {
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route("**/_next/static/**.js", async (route) => {
    await released;
    await route.continue();
  });
  return () => release();
}

test("a button that is pressed before the scripts run is pressed again", async ({ page }) => {
  await openConsole(page, "/console", ada);
  const letScriptsRun = await holdScripts(page);
  await page.goto("/console/organizations/acme/projects", { waitUntil: "commit" });
  await page.locator("#add-project").click();
  await expect(page.getByRole("dialog")).toHaveCount(0);
  letScriptsRun();
  await expect(page.getByRole("dialog")).toBeVisible();
});

test("a form that is sent before the scripts run puts nothing into the address", async ({ page }) => {
  await openConsole(page, "/console", ada);
  const letScriptsRun = await holdScripts(page);
  await page.goto("/console/organizations/acme/apps/new", { waitUntil: "commit" });
  await page.locator("#kind-api").check();
  await page.getByLabel("Name", { exact: true }).fill("Quick");
  await page.locator("#create-app").click();
  await page.evaluate(() => new Promise(requestAnimationFrame));
  expect(new URL(page.url()).search).toBe("");
  letScriptsRun();
  await expect(page.getByRole("dialog")).toContainText("Store the secret now");
  await expect(page.locator("#redirectUris-0")).toHaveCount(0); // an API has none: what was chosen counts
});

test("what is chosen and typed before the scripts run stays", async ({ page }) => {
  await openConsole(page, "/console", ada);
  const letScriptsRun = await holdScripts(page);
  await page.goto("/console/organizations/acme/apps/new", { waitUntil: "commit" });
  await page.locator("#kind-browser").check();
  await page.locator("#redirectUris-0").fill("http://shop.example/callback");
  letScriptsRun();
  await expect(page.locator("#redirectUris-0-verdict .field-problem")).toBeVisible();
  await expect(page.locator("#redirectUris-0")).toHaveValue("http://shop.example/callback");
  await expect(page.locator("#kind-browser")).toBeChecked();
});
