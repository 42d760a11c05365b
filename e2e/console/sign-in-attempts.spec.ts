/** The reason for a failed sign-in: found in two clicks, and fixed from there. */
import type { Page } from "@playwright/test";
import { findings, LAYOUT_RULES, VIEWS } from "../axe";
import { ada, clients, protectedPeople } from "../directory";
import { keepPicture } from "../pictures";
import { signIn } from "../sign-in";
import { confirm, expect, openConsole, test } from "./fixtures";

/** Gets no email from other tests: the service limits how many one address gets in an hour. */
const hugo = protectedPeople[5] as typeof ada;
const ACME = "/console/organizations/acme";

/** Returns an authorization request of the app, as its code sends it. */
function requestOf(baseUrl: string, redirectUri: string): string {
  const parameters = { client_id: clients.basic, redirect_uri: redirectUri, response_type: "code", scope: "openid" };
  return `${baseUrl}/oauth/v2/authorize?${new URLSearchParams(parameters)}`;
}

async function fail(page: Page, baseUrl: string, redirectUri: string): Promise<void> {
  await page.goto(requestOf(baseUrl, redirectUri));
  for (const password of ["not my password", "nor is this one"]) {
    await signIn(page, { ...hugo, password });
    await expect(page.locator("#password")).toHaveValue(""); // it is the next page
    await expect(page.getByRole("alert")).toBeVisible();
  }
}

test("two clicks lead from the overview to the reason of a failed sign-in", async ({
  page,
  browser,
  service,
  application,
}) => {
  const other = await browser.newPage();
  await fail(other, service.baseUrl, application.redirectUri);
  await openConsole(page, `${service.baseUrl}/console`, ada);
  await page.getByRole("link", { name: "Sign-in attempts" }).first().click();
  const list = page.locator(".attempts");
  const entry = list.getByRole("row").filter({ hasText: "Wrong password" }).first();
  await expect(entry).toContainText("hugo Fisher");
  await expect(entry).toContainText(hugo.loginName);
  await expect(entry).toContainText("Linux");
  await entry.getByRole("link", { name: "hugo Fisher" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("hugo Fisher");
  await expect(page.locator("nav.views [aria-current]")).toHaveText("Attempts");
  await expect(list.getByRole("row").nth(1)).toContainText("Wrong password");
  // Offered once, for the latest attempt.
  const repair = page.getByRole("button", { name: "Send a link for a new password" });
  await expect(repair).toHaveCount(1);
  await repair.click();
  await page.getByRole("dialog").getByRole("button", { name: "Send a link for a new password" }).click();
  await expect(page.locator(".toast")).toBeVisible();

  await page.goto(`${service.baseUrl}${ACME}/attempts`);
  await page.getByLabel("Login name entered").fill(hugo.loginName);
  await page.getByLabel("What happened").selectOption("wrong_password");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/reason=wrong_password/);
  const rows = list.locator("tbody").getByRole("row");
  await expect(rows).not.toHaveCount(0);
  for (const row of await rows.all()) await expect(row).toContainText("hugo Fisher");
  await other.close();
});

test("a rejected redirect URI is added after a confirmation", async ({ page, browser, service, application }) => {
  const mine = `${application.origin}/callback/that/is/new`;
  const other = await browser.newPage();
  await other.goto(requestOf(service.baseUrl, mine));
  await openConsole(page, `${service.baseUrl}${ACME}/attempts?reason=redirect_uri_refused`, ada);
  const entry = page.locator(".attempts").getByRole("row").filter({ hasText: mine }).first();
  await expect(entry).toContainText("Redirect URI isn’t registered");
  await entry.getByRole("link", { name: "Open the app" }).click();
  const add = entry.getByRole("button", { name: "Add redirect URI" });
  await add.click();
  await expect(page.getByRole("dialog")).toContainText("Anyone can send a request");
  await confirm(page, "Add redirect URI");
  await expect(add).toHaveCount(0);
  await other.goto(requestOf(service.baseUrl, mine));
  await expect(other.locator("#loginName")).toBeVisible();

  // From the page that rejects it, shown only to those who manage the app.
  const next = `${mine}/and/another`;
  await other.goto(requestOf(service.baseUrl, next));
  await expect(other.getByRole("heading", { level: 1 })).toBeVisible();
  await expect(other.locator("#repair")).toHaveCount(0);
  await page.goto(requestOf(service.baseUrl, next));
  await keepPicture(page, "repair-link");
  expect(await findings(page)).toEqual([]);
  await page.locator("#repair").click();
  const refused = page.getByRole("region", { name: "Redirect URI isn’t registered" });
  await expect(refused).toContainText(next);
  await keepPicture(page, "repair");
  expect(await findings(page)).toEqual([]);
  await refused.getByRole("button", { name: "Add redirect URI" }).click();
  await expect(page.getByRole("dialog")).toContainText(next);
  await confirm(page, "Add redirect URI");
  await expect(refused).toHaveCount(0);
  await other.goto(requestOf(service.baseUrl, next));
  await expect(other.locator("#loginName")).toBeVisible();
  await other.close();
});

test("the sign-in attempts have no accessibility errors, wide and narrow, light and dark, from right to left", async ({
  page,
  browser,
  service,
  application,
}) => {
  const other = await browser.newPage();
  await fail(other, service.baseUrl, application.redirectUri);
  await other.goto(requestOf(service.baseUrl, "https://somewhere.test/with/a/long/path/that/has/to/wrap/callback"));
  await other.close();
  await openConsole(page, `${service.baseUrl}${ACME}/attempts`, ada);
  const pages = {
    attempts: `${ACME}/attempts`,
    person: `${ACME}/users/${hugo.id}?view=attempts`,
  };
  for (const [name, path] of Object.entries(pages)) {
    await page.goto(service.baseUrl + path);
    await expect(page.locator(".attempts")).toBeVisible();
    for (const { width, colorScheme, rules } of VIEWS) {
      await page.setViewportSize({ width, height: 900 });
      await page.emulateMedia({ colorScheme });
      expect(await findings(page, rules), `${path} at ${width}, ${colorScheme}`).toEqual([]);
      expect(await page.evaluate(() => document.documentElement.scrollWidth), path).toBeLessThanOrEqual(width);
      await keepPicture(page, `attempts-${name}-${width}-${colorScheme}`);
    }
  }
  await page.goto(`${service.baseUrl}${ACME}/attempts`);
  await page.locator(".languages summary").click();
  await page.getByRole("button", { name: "العربية" }).click();
  await expect(page.locator("html")).toHaveAttribute("dir", "rtl");
  expect(await findings(page, LAYOUT_RULES)).toEqual([]);
  await keepPicture(page, "attempts-arabic");
});
