/** A page that reloads its data after a change: slowly, without a network, and while the user leaves it. */

import { ada, hal } from "../directory";
import { routeOpenPage } from "../route";
import { expect, openConsole, test } from "./fixtures";
import { late } from "./late";
import { isInherited, isSetHere, passwordCard } from "./policy-card";

/** Not used by other tests: changes here only affect him. */
const HAL = `/console/organizations/acme/users/${hal.id}`;
const isReadAnew = (headers: Record<string, string>) =>
  headers.rsc === "1" && headers["next-router-prefetch"] === undefined;

test("a dialog that is opened before the page has reloaded starts with the saved data", async ({ page }) => {
  await openConsole(page, HAL, ada);
  const nickname = page.getByLabel("Nickname");
  await page.locator("#change-profile").click();
  await nickname.fill("Nesta");
  const read = await late(page, /_rsc=/, (route) => isReadAnew(route.request().headers()));
  const dialog = page.locator(".dialog"); // not by its role, which a message in the corner hides while it is shown
  await page.locator("#change-profile-form-submit").click();
  await read.asked;
  await expect(dialog).toHaveCount(0);
  await page.locator("#change-profile").click();
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
  await expect(dialog).toHaveCount(0);
  await read.come();
  await expect(nickname).toHaveValue("Nesta");
  await nickname.press("Escape");
  await expect(page.locator("#change-profile")).toBeFocused();
});

test("a link that is clicked while the page reloads its data leads to its target, even if that cancels the request", async ({
  page,
  service,
}) => {
  await openConsole(page, HAL, ada);
  let leave = () => {};
  const hasLeft = new Promise<void>((resolve) => {
    leave = resolve;
  });
  await page.locator("#change-profile").click();
  await page.getByLabel("Nickname").fill("Tuff Gong");
  await routeOpenPage(page, /_rsc=/, async (route) => {
    if (!route.request().url().includes(HAL)) return route.fallback();
    await hasLeft;
    await route.abort("failed");
  });
  await page.locator("#change-profile-form-submit").click();
  await expect(page.locator(".dialog")).toHaveCount(0);
  await page.getByRole("navigation").getByRole("link", { name: "Apps", exact: true }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Apps");
  leave();
  await expect(page).toHaveURL(`${service.baseUrl}/console/organizations/acme/apps`);
});

test("input is kept while the network is down, and the page reloads its data when it is back", async ({ page }) => {
  await openConsole(page, "/console/organizations/acme/policies?view=passwords", ada);
  const passwords = passwordCard(page);
  const lockout = page.getByRole("region", { name: "Wrong passwords", exact: true });
  await lockout.getByRole("spinbutton").first().fill("7");
  const isRead = (route: { request(): { headers(): Record<string, string> } }) => isReadAnew(route.request().headers());
  await routeOpenPage(page, /\/policies/, (route) =>
    isRead(route) ? route.abort("internetdisconnected") : route.fallback(),
  );
  await passwords.getByLabel("Minimum password length").fill("21");
  const failed = page.waitForEvent("requestfailed");
  await passwords.getByRole("button", { name: "Save", exact: true }).click();
  await failed;
  await expect(lockout.getByRole("spinbutton").first()).toHaveValue("7");
  const read = page.waitForResponse((response) => response.ok() && isRead(response));
  await page.unrouteAll();
  await read;
  await isSetHere(passwords);
  await expect(lockout.getByRole("spinbutton").first()).toHaveValue("7");
  await passwords.getByRole("button", { name: /^Use the service’s setting/ }).click();
  await passwords.getByRole("button", { name: "Save", exact: true }).click();
  await isInherited(passwords);
});

test("a page with an expired sign-in reloads its data after the renewal", async ({ page, context }) => {
  await openConsole(page, HAL, ada);
  await page.locator("#change-profile").click();
  await page.getByLabel("Nickname").fill("Skip");
  const answer = await late(page, "**/profile");
  await page.locator("#change-profile-form-submit").click();
  await answer.asked;
  await context.clearCookies({ name: /console/ });
  const renewed = page.waitForResponse(/\/console\/sign-in\?for=script/);
  await page.evaluate(() => Reflect.set(window, "isSamePage", true));
  await answer.come();
  await renewed;
  await expect(page.locator("main")).toContainText("Skip");
  expect(await page.evaluate(() => Reflect.get(window, "isSamePage"))).toBe(true);
});
