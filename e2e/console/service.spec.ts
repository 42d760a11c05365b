/** Pages about the whole service: settings, keys, sessions, the audit log; and navigation in the console. */

import { findings } from "../axe";
import { ada } from "../directory";
import { keepPicture } from "../pictures";
import { beginSession, expect, openConsole, test } from "./fixtures";
import { ACME } from "./pages";

test("a rotated key keeps its place on the page, and revoking a key describes the effects", async ({
  page,
  service,
}) => {
  await openConsole(page, `${service.baseUrl}/console/keys`, ada);
  const rotations = page.getByRole("button", { name: /^Rotate / });
  const order = ["Rotate EdDSA", "Rotate ES256", "Rotate PS256", "Rotate RS256"];
  await expect(rotations).toHaveText(order);
  const menus = page.getByRole("button", { name: /^Actions for key / });
  const before = await menus.count();
  await page.getByRole("button", { name: "Rotate RS256" }).click();
  await expect(page.locator(".dialog")).toContainText("No one is signed out.");
  await page.locator("#rotate-RS256-confirm").click();
  await expect(page.locator(".toast")).toHaveText(/RS256 rotated\. The new key signs from \d/);
  await expect(menus).toHaveCount(before + 1);
  await expect(rotations).toHaveText(order);
  expect(await findings(page)).toEqual([]);

  const name = (await menus.last().getAttribute("aria-label")) ?? "";
  await menus.last().focus();
  await page.keyboard.press("Enter");
  const revoke = page.getByRole("menuitem", { name: "Revoke…" });
  await expect(revoke).toBeVisible();
  expect(await findings(page)).toEqual([]);
  await page.keyboard.press("Enter");
  const dialog = page.getByRole("dialog", { name: /^Revoke key / });
  await expect(dialog).toContainText("rejected immediately");
  await dialog.getByRole("button", { name: "Revoke", exact: true }).click();
  await expect(page.locator(".toast").last()).toHaveText(/Key revoked/);
  await expect(page.getByRole("button", { name, exact: true })).toHaveCount(0);
});

test("the audit log is filtered, describes each event in a sentence with old and new values, and is exported", async ({
  page,
  service,
}) => {
  await openConsole(page, `${service.baseUrl}${ACME}`, ada);
  await page.locator("#change-organization").click();
  await page.getByLabel("Name", { exact: true }).fill("ACME Ltd");
  await page.locator("#change-organization-form-submit").click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("ACME Ltd");

  await page.goto(`${service.baseUrl}${ACME}/events`);
  await page.getByRole("combobox", { name: "What happened" }).fill("organization changed");
  await page.getByRole("option", { name: "Organization changed" }).click();
  await expect(page).toHaveURL(/type=organization\.changed$/);
  const entry = page.getByRole("row").nth(1);
  await expect(entry).toContainText("Ada Lovelace changed the organization ACME Ltd");
  await expect(entry).toContainText("Console");
  await entry.getByRole("link", { name: "Details" }).click();
  await expect(page).toHaveURL(/event=\d+$/);
  const details = page.getByRole("region", { name: "Ada Lovelace changed the organization ACME Ltd" });
  await expect(details.getByRole("heading")).toBeFocused();
  await expect(details.getByText("organization.changed", { exact: true })).toBeVisible();
  await expect(details.locator("ins")).toContainText("ACME Ltd");
  await expect(details.locator("del")).toContainText("ACME");
  expect(await findings(page)).toEqual([]);
  await page.keyboard.press("Escape");
  await expect(details).toHaveCount(0);
  await expect(entry.getByRole("link", { name: "Details" })).toBeFocused();
  const download = page.waitForEvent("download");
  await page.locator("#export-csv").click();
  expect((await download).suggestedFilename()).toBe("audit-log.csv");

  await page.goto(`${service.baseUrl}${ACME}`);
  await page.locator("#change-organization").click();
  await page.getByLabel("Name", { exact: true }).fill("ACME");
  await page.locator("#change-organization-form-submit").click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("ACME");
});

test("a user's page leads to their history, where users are found by name and new events appear", async ({
  page,
  service,
}) => {
  await openConsole(page, `${service.baseUrl}${ACME}/users/u-ada`, ada);
  await page.getByRole("link", { name: "History", exact: true }).click();
  await expect(page).toHaveURL(/events\?object=u-ada/);
  const entries = page.locator("tbody").getByRole("row");
  await expect(entries.first()).toContainText("Ada Lovelace");
  await expect(page.getByLabel("User, app or project")).toHaveValue("Ada Lovelace");

  await page.getByRole("link", { name: "Clear filters" }).click();
  await expect(page).toHaveURL(/events$/); // earlier input belongs to the page that is left
  await page.getByRole("combobox", { name: "Done by" }).fill("Lovelace");
  await page.getByRole("option", { name: /Ada Lovelace/ }).click();
  await expect(page).toHaveURL(/actor=u-ada$/);
  await page.getByLabel("When").selectOption("Last hour");
  await page.getByRole("main").getByRole("button", { name: "Search" }).click();
  await expect(page).toHaveURL(/when=hour.*actor=u-ada/);

  await page.getByRole("switch", { name: "Show new events as they happen" }).check();
  await expect(page.getByText("New events appear at the top.")).toBeVisible();
  const rename = (name: string) =>
    page.evaluate(async (wanted) => {
      const headers = { "content-type": "application/json", "x-csrf-token": document.body.dataset.csrf ?? "" };
      const body = JSON.stringify({ name: wanted });
      const place = { ...headers, "x-service-orgid": "acme" };
      return (await fetch("/console/api/management/v1/orgs/me", { method: "PUT", headers: place, body })).status;
    }, name);
  expect(await rename("ACME live")).toBe(200);
  await expect(entries.first()).toContainText("changed the organization ACME live");
  expect(await rename("ACME")).toBe(200);
});

test("new events are requested only while the page is visible", async ({ page, service }) => {
  await openConsole(page, `${service.baseUrl}${ACME}/events`, ada);
  let asked = 0;
  page.on("request", (request) => {
    if (request.url().endsWith("/events/_search")) asked++;
  });
  await page.clock.install();
  await page.reload();
  await page.clock.fastForward(30_000);
  expect(asked).toBe(0);
  await page.getByRole("switch", { name: "Show new events as they happen" }).check();
  await expect.poll(() => asked).toBe(1);
  const hide = (hidden: boolean) =>
    page.evaluate((value) => {
      Object.defineProperty(document, "hidden", { value, configurable: true });
      document.dispatchEvent(new Event("visibilitychange"));
    }, hidden);
  await hide(true);
  await page.clock.runFor(60_000);
  expect(asked).toBe(1);
  await hide(false);
  await expect.poll(() => asked).toBe(2);
});

test("languages are in columns on a wide screen, and below each other on a phone", async ({ page, service }) => {
  await openConsole(page, `${service.baseUrl}/console/features`, ada);
  const boxes = page.locator("#languages-form").getByRole("checkbox");
  const lefts = async () =>
    new Set(await boxes.evaluateAll((all) => all.map((box) => box.getBoundingClientRect().left)));
  await expect.poll(async () => (await lefts()).size).toBeGreaterThan(1);
  await keepPicture(page, "languages-1280");
  await page.setViewportSize({ width: 320, height: 800 });
  await expect.poll(async () => (await lefts()).size).toBe(1);
  await keepPicture(page, "languages-320");
});

test("an administrator switches a feature off and on", async ({ page, service }) => {
  await openConsole(page, `${service.baseUrl}/console/features`, ada);
  const exchange = page.getByRole("switch", { name: "Token exchange (RFC 8693)" });
  await expect(exchange).toBeChecked();
  for (const isOn of [false, true]) {
    await exchange.setChecked(isOn);
    await page.locator("#features-form-submit").click();
    await expect(page.locator(".toast").last()).toHaveText(/Saved/);
    await page.reload();
    await expect(exchange).toBeChecked({ checked: isOn });
  }
});

test("the keyboard leads to pages, organizations and users", async ({ page, service }) => {
  await openConsole(page, `${service.baseUrl}/console`, ada);
  const finder = page.getByRole("dialog", { name: "Go to …" });
  const openFinder = async () => {
    await expect(page.locator("#palette")).toBeVisible();
    await page.keyboard.press("Control+k"); // also before the page's scripts run
    await expect(finder.locator("input").first()).toBeFocused();
  };
  await openFinder();
  await page.keyboard.type("signing k");
  await expect(finder.getByRole("option").first()).toHaveText(/^Signing keys/);
  await expect(finder.getByRole("option", { name: "Rotate signing keys" })).toBeVisible();
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(`${service.baseUrl}/console/keys`);

  await expect(page.locator("#palette")).toBeVisible();
  await page.keyboard.press("Control+k");
  await page.keyboard.type("marley"); // also before the field has the focus
  await expect(finder.locator("input").first()).toHaveValue("marley");
  await expect(finder.getByRole("option", { name: /Bob Marley/ })).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(finder).toHaveCount(0);
  await expect(page.locator("#palette")).toBeFocused();

  await page.goto(`${service.baseUrl}${ACME}/policies`);
  await page.locator("#switch-organization").click();
  await expect(page.getByRole("dialog").locator("input").first()).toBeFocused();
  await page.keyboard.type("acme");
  await page.getByRole("option", { name: /ACME/ }).click();
  await expect(page).toHaveURL(`${service.baseUrl}${ACME}/policies`);
});

test("the chosen language applies to every page from then on", async ({ page, service }) => {
  await openConsole(page, `${service.baseUrl}${ACME}/users?q=bob`, ada);
  await page.locator(".languages summary").click();
  await page.getByRole("button", { name: "Deutsch" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Benutzer");
  await expect(page).toHaveURL(/users\?q=bob$/);
  await expect(page.locator("html")).toHaveAttribute("lang", "de");
  await page.goto(`${service.baseUrl}/console`);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Überblick");
});

test("a page starts with its title and contains only the texts of its own scripts", async ({ page, service }) => {
  await beginSession(page, ada);
  for (const path of ["/console", ACME, `${ACME}/users/u-ada`, "/console/features"]) {
    const html = await (await page.request.get(service.baseUrl + path)).text();
    // The overview contains the data of its charts as well.
    expect(html.length, path).toBeLessThan(path === "/console" ? 160_000 : 80_000);
    const title = path.startsWith(ACME)
      ? /<title>.+ – ACME – Console<\/title>/
      : /<title>.+ – Identity Service<\/title>/;
    expect(html.slice(0, html.indexOf("</head>")), path).toMatch(title);
  }
});

test("a search works without a script", async ({ browser, page, service }) => {
  await beginSession(page, ada);
  const context = await browser.newContext({
    javaScriptEnabled: false,
    storageState: await page.context().storageState(),
  });
  const still = await context.newPage();
  await still.goto(`${service.baseUrl}${ACME}/users`);
  await still.getByLabel("Find by name, login name, email or phone").fill("marl");
  await still.getByRole("button", { name: "Search" }).click();
  await expect(still.getByRole("link", { name: "Bob Marley" })).toBeVisible();
  await expect(still.getByRole("link", { name: "Ada Lovelace" })).toHaveCount(0);
  await context.close();
});

test("results are aligned with the page, whatever their own direction", async ({ page }) => {
  await openConsole(page, "/console/organizations/acme?ui_locales=ar", ada);
  await page.locator("#switch-organization").click();
  const found = page.locator(".menu-item").filter({ hasText: "ACME" }).first();
  await expect(found).toBeVisible();
  const gap = await found.evaluate((item) => {
    const words = document.createRange();
    words.selectNodeContents(item.firstElementChild as Element);
    const { paddingRight } = getComputedStyle(item);
    return item.getBoundingClientRect().right - words.getBoundingClientRect().right - Number.parseFloat(paddingRight);
  });
  expect(Math.abs(gap)).toBeLessThan(1);
});
