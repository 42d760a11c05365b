/** What is of the whole service: settings, keys, sessions, the audit log; and getting about in the console. */

import { COLOUR_RULES, findings } from "../axe";
import { ada } from "../directory";
import { expect, openConsole, test } from "./fixtures";

const ACME = "/console/organizations/acme";

test("sets a policy for an organization and returns to that of the service", async ({ page, service }) => {
  await openConsole(page, `${service.baseUrl}${ACME}/policies`, ada);
  const card = page.getByRole("region", { name: "Passwords", exact: true });
  await expect(card).toContainText("That of the service");
  await card.getByLabel("Shortest password, in characters").fill("20");
  await card.getByRole("button", { name: "Set for this organization" }).click();
  await expect(card).toContainText("Set here");
  await page.reload();
  await expect(card.getByLabel("Shortest password, in characters")).toHaveValue("20");
  await page.locator("#password-complexity-reset").click();
  await page.locator("#password-complexity-reset-confirm").click();
  await expect(card).toContainText("That of the service");
});

test("tries colours on the real sign-in page before they are shown", async ({ page, service }) => {
  await openConsole(page, `${service.baseUrl}/console/branding`, ada);
  const preview = page.frameLocator("iframe").last();
  await expect(preview.locator("#password")).toBeVisible();
  await page.locator("#primaryColor").fill("#aa0055");
  await page.locator("#save-brand").click();
  await expect(page.getByText("There is a draft that only you see.")).toBeVisible();
  await page.locator("#activate-brand").click();
  await expect(page.getByText("There is a draft that only you see.")).toHaveCount(0);
});

test("rotates the signing key and names what an emergency costs", async ({ page, service }) => {
  await openConsole(page, `${service.baseUrl}/console/keys`, ada);
  await page.locator("#rotate-RS256").click();
  await expect(page.locator(".dialog")).toContainText("Nobody is signed out.");
  await page.locator("#rotate-RS256-confirm").click();
  await expect(page.locator(".toast")).toHaveText(/takes over/);
  await page.getByRole("button", { name: "Emergency: remove" }).first().click();
  await expect(page.locator(".dialog")).toContainText("stops verifying at once");
});

test("filters the audit log by an address, tells before and after, and exports it", async ({ page, service }) => {
  await openConsole(page, `${service.baseUrl}${ACME}`, ada);
  await page.locator("#change-organization").click();
  await page.getByLabel("Name", { exact: true }).fill("ACME Ltd");
  await page.locator("#change-organization-form-submit").click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("ACME Ltd");

  await page.goto(`${service.baseUrl}${ACME}/events`);
  await page.getByLabel("Kind, or how it begins").fill("organization.changed");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/type=organization\.changed/);
  const entry = page.getByRole("main").getByRole("listitem").first();
  await expect(entry).toContainText("Ada Lovelace");
  await entry.getByText("Details").click();
  await expect(entry.locator("ins")).toContainText("ACME Ltd");
  await expect(entry.locator("del")).toContainText("ACME");
  const download = page.waitForEvent("download");
  await page.locator("#export-csv").click();
  expect((await download).suggestedFilename()).toBe("audit-log.csv");

  await page.goto(`${service.baseUrl}${ACME}`);
  await page.locator("#change-organization").click();
  await page.getByLabel("Name", { exact: true }).fill("ACME");
  await page.locator("#change-organization-form-submit").click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("ACME");
});

test("switches a feature off and on", async ({ page, service }) => {
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

test("goes anywhere by keyboard: pages, organizations, people", async ({ page, service }) => {
  await openConsole(page, `${service.baseUrl}/console`, ada);
  await page.keyboard.press("Control+k");
  const finder = page.getByRole("dialog", { name: "Go to …" });
  await page.keyboard.type("signing k");
  await expect(finder.getByRole("option")).toHaveText([/Signing keys/]);
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(`${service.baseUrl}/console/keys`);

  await page.keyboard.press("Control+k");
  await page.keyboard.type("marley");
  await expect(finder.getByRole("option", { name: /Bob Marley/ })).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(finder).toHaveCount(0);
  await expect(page.locator("#palette")).toBeFocused();

  await page.goto(`${service.baseUrl}${ACME}/policies`);
  await page.locator("#switch-organization").click();
  await page.keyboard.type("acme");
  await page.getByRole("option", { name: /ACME/ }).click();
  await expect(page).toHaveURL(`${service.baseUrl}${ACME}/policies`);
});

test("speaks the language that is chosen, on every page from then on", async ({ page, service }) => {
  await openConsole(page, `${service.baseUrl}${ACME}/users?q=bob`, ada);
  await page.locator(".languages summary").click();
  await page.getByRole("button", { name: "Deutsch" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Personen");
  await expect(page).toHaveURL(/users\?q=bob$/);
  await expect(page.locator("html")).toHaveAttribute("lang", "de");
  await page.goto(`${service.baseUrl}/console`);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Überblick");
});

const PAGES = [
  "/console",
  "/console/organizations",
  "/console/users",
  "/console/administrators",
  "/console/policies",
  "/console/branding",
  "/console/features",
  "/console/keys",
  "/console/sessions",
  "/console/events",
  "/console/status",
  "/console/text-messages",
  ...["", "/users", "/users/new", "/users/import", "/machines", "/members", "/policies", "/branding"].map(
    (path) => ACME + path,
  ),
  ...["/mail-settings", "/text-messages", "/sessions", "/events"].map((path) => ACME + path),
  ...["profile", "security", "sessions", "grants"].map((view) => `${ACME}/users/u-ada?view=${view}`),
  ...["machine", "keys", "grants"].map((view) => `${ACME}/machines/m-ci?view=${view}`),
];

for (const colorScheme of ["light", "dark"] as const) {
  test(`has nothing for axe to find and fits a narrow screen, ${colorScheme}`, async ({ page, service }) => {
    const refused: string[] = [];
    page.on("console", (message) => {
      if (message.type() === "error") refused.push(message.text());
    });
    await page.emulateMedia({ colorScheme });
    await openConsole(page, `${service.baseUrl}/console`, ada);
    for (const path of PAGES) {
      const answer = await page.goto(service.baseUrl + path);
      expect(answer?.status(), path).toBe(200);
      for (const width of [1280, 320]) {
        await page.setViewportSize({ width, height: 800 });
        const rules = colorScheme === "dark" ? COLOUR_RULES : undefined;
        expect(await findings(page, rules), `${path} at ${width}`).toEqual([]);
        const sideways = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        expect(sideways, `${path} at ${width}`).toBeLessThanOrEqual(0);
      }
    }
    expect(refused.filter((text) => !/sandboxed/.test(text))).toEqual([]);
  });
}

test("sends with a page the texts of its own scripts alone", async ({ page, service }) => {
  await openConsole(page, `${service.baseUrl}/console`, ada);
  for (const path of [ACME, `${ACME}/users/u-ada`, "/console/features"]) {
    const html = await (await page.request.get(service.baseUrl + path)).body();
    expect(html.length, path).toBeLessThan(60_000);
  }
});

test("lists without a script what is searched for", async ({ browser, page, service }) => {
  await openConsole(page, `${service.baseUrl}/console`, ada);
  const context = await browser.newContext({
    javaScriptEnabled: false,
    storageState: await page.context().storageState(),
  });
  const still = await context.newPage();
  await still.goto(`${service.baseUrl}${ACME}/users`);
  await still.getByLabel("Find by name, login name, e-mail or phone").fill("marl");
  await still.getByRole("button", { name: "Search" }).click();
  await expect(still.getByRole("link", { name: "Bob Marley" })).toBeVisible();
  await expect(still.getByRole("link", { name: "Ada Lovelace" })).toHaveCount(0);
  await context.close();
});
