/** Input on a slow connection, before the scripts of a page run. */
import { ada } from "../directory";
import { holdScripts, scriptsBegin } from "../steady";
import { beginSession, expect, test } from "./fixtures";
import { addApp, openView } from "./new-app";

test("a button that is pressed before the scripts run is pressed again", async ({ page }) => {
  await beginSession(page, ada);
  const letScriptsRun = await holdScripts(page);
  await page.goto("/console/organizations/acme/projects", { waitUntil: "commit" });
  await page.locator("#add-project").click();
  await expect(page.getByRole("dialog")).toHaveCount(0);
  letScriptsRun();
  await expect(page.getByRole("dialog")).toBeVisible();
});

test("a button that is pressed while the scripts begin is pressed once", async ({ page }) => {
  await beginSession(page, ada);
  const letScriptsRun = await holdScripts(page);
  await page.goto("/console/organizations/acme/projects", { waitUntil: "commit" });
  const button = page.locator("#add-project");
  await button.waitFor();
  await button.evaluate((element: HTMLButtonElement) => {
    const early = window.earlyActs;
    const end = early?.end;
    if (!early || !end) throw new Error("The page keeps nothing");
    early.end = () => {
      element.addEventListener("click", () => {
        element.dataset.presses = String(Number(element.dataset.presses ?? 0) + 1);
      });
      element.click(); // React handles it already, and the page's own script still records the input
      return end();
    };
  });
  letScriptsRun();
  await expect(button).toHaveAttribute("data-presses", "1");
  await expect(page.getByRole("dialog")).toBeVisible();
});

test("a tab that is pressed before the scripts run and let go after them is chosen", async ({ page }) => {
  await beginSession(page, ada);
  await addApp(page, { kind: "browser", name: "Steady shop" });
  const address = page.url();
  await page.goto("about:blank"); // a new fragment of the same page would load nothing
  const letScriptsRun = await holdScripts(page);
  await page.goto(address, { waitUntil: "domcontentloaded" });
  const begun = await scriptsBegin(page);
  const tab = page.getByRole("tab", { name: /React/ });
  await tab.hover();
  await page.mouse.down();
  letScriptsRun();
  await begun();
  await page.mouse.up();
  await expect(tab).toHaveAttribute("aria-selected", "true");
});

test("a form that is sent before the scripts run adds nothing to the address", async ({ page }) => {
  await beginSession(page, ada);
  const letScriptsRun = await holdScripts(page);
  await page.goto("/console/organizations/acme/apps/new", { waitUntil: "commit" });
  await page.locator("#kind-api").check();
  await page.getByLabel("Name", { exact: true }).fill("Quick");
  await page.locator("#create-app").click();
  await page.evaluate(() => new Promise(requestAnimationFrame));
  expect(new URL(page.url()).search).toBe("");
  letScriptsRun();
  await expect(page.getByRole("dialog")).toContainText("Store the secret now");
  await expect(page.locator("#redirectUris-0")).toHaveCount(0); // an API has none: the choice counts
});

test("input and selections before the scripts run are kept and known to them", async ({ page }) => {
  await beginSession(page, ada);
  const letScriptsRun = await holdScripts(page);
  await page.goto("/console/organizations/acme/apps/new", { waitUntil: "commit" });
  await page.locator("#kind-browser").check();
  await page.locator("#redirectUris-0").fill("http://shop.example/callback");
  letScriptsRun();
  await expect(page.locator("#redirectUris-0-verdict .field-problem")).toBeVisible();
  await expect(page.locator("#redirectUris-0")).toHaveValue("http://shop.example/callback");
  await expect(page.locator("#kind-browser")).toBeChecked();
});

test("a form that is filled in and sent before the scripts run is handled by them", async ({ page }) => {
  await beginSession(page, ada);
  const letScriptsRun = await holdScripts(page);
  await page.goto("/console/organizations/acme/users/new", { waitUntil: "commit" });
  await page.locator('[name="email.email"]').fill("nobody");
  await page.locator("#new-user-submit").click();
  letScriptsRun();
  await expect(page.locator("main").getByRole("alert").getByRole("listitem")).toHaveCount(3);
  await expect(page.locator('[name="userName"]')).toHaveValue("nobody"); // derived from the address
  await expect(page.locator("#new-user-discard")).toBeVisible();
});

test("a change before the scripts run is described as a change", async ({ page }) => {
  await beginSession(page, ada);
  await addApp(page, { kind: "web", name: "Early shop" });
  await openView(page, "Settings");
  const letScriptsRun = await holdScripts(page);
  const [address = ""] = page.url().split("#"); // with it, the page would only scroll
  await page.goto(address, { waitUntil: "commit" });
  await page.getByRole("switch", { name: "Development mode" }).check();
  letScriptsRun();
  const change = page.getByRole("region", { name: "What will change" });
  await expect(change.getByRole("listitem")).toHaveText([/Development mode: Off On/]);
  await page.locator("#app-settings-discard").click();
  await expect(page.getByRole("switch", { name: "Development mode" })).not.toBeChecked();
});

test("a search that is typed before the scripts run is performed", async ({ page }) => {
  await beginSession(page, ada);
  const letScriptsRun = await holdScripts(page);
  await page.goto("/console/events", { waitUntil: "commit" });
  const doneBy = page.getByLabel("Done by");
  await doneBy.pressSequentially("Lovel");
  letScriptsRun();
  await expect(page.getByRole("option", { name: /Ada Lovelace/ })).toBeVisible();
  await expect(doneBy).toBeFocused();
  await page.keyboard.type("ace");
  await expect(doneBy).toHaveValue("Lovelace");
  await page.getByRole("option", { name: /Ada Lovelace/ }).click();
  await expect(doneBy).toHaveValue("Ada Lovelace");
});

test("a button that is pressed by keyboard before the scripts run is pressed", async ({ page }) => {
  await beginSession(page, ada);
  const letScriptsRun = await holdScripts(page);
  await page.goto("/console/organizations/acme/projects", { waitUntil: "commit" });
  await page.locator("#palette").waitFor();
  await page.keyboard.press("Control+k");
  letScriptsRun();
  await expect(page.getByRole("dialog", { name: "Go to …" }).locator("input").first()).toBeFocused();
});

test("keys that are typed while the palette loads reach it, even if it has to load twice", async ({ page }) => {
  await beginSession(page, ada);
  await page.goto("/console/organizations/acme/projects");
  const letScriptsRun = await holdScripts(page);
  let lost = 0;
  await page.route("**/_next/static/**.js", (route) => (lost++ === 0 ? route.abort() : route.fallback()));
  await page.keyboard.press("Control+k");
  await expect(page.locator("#palette")).toHaveAttribute("aria-expanded", "true");
  await page.keyboard.type("signing kk");
  await page.keyboard.press("Backspace");
  await expect(page.getByRole("dialog")).toHaveCount(0);
  letScriptsRun();
  const finder = page.getByRole("dialog", { name: "Go to …" });
  await expect(finder.locator("input").first()).toHaveValue("signing k");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/console\/keys$/);
  expect(lost).toBeGreaterThan(1);
});

test("the navigation of a phone and the languages work without scripts", async ({ browser, service }) => {
  const context = await browser.newContext({
    baseURL: service.baseUrl,
    javaScriptEnabled: false,
    viewport: { width: 390, height: 800 },
  });
  const page = await context.newPage();
  await beginSession(page, ada);
  await page.goto("/console");
  await page.locator(".pages-menu summary").first().click();
  await page.locator(".pages-menu").getByRole("link", { name: "Projects" }).click();
  await expect(page).toHaveURL(/\/projects$/);
  await page.locator(".languages summary").click();
  await page.getByRole("button", { name: "Deutsch" }).click();
  await expect(page.locator("html")).toHaveAttribute("lang", "de");
  await context.close();
});

test("a name that is typed while the scripts start replaces the suggested one", async ({ page }) => {
  await beginSession(page, ada);
  const letScriptsRun = await holdScripts(page);
  await page.goto("/console/organizations/acme/users/new", { waitUntil: "domcontentloaded" });
  const begun = await scriptsBegin(page);
  const name = page.getByLabel("User name", { exact: true });
  await page.getByLabel("Email address", { exact: true }).fill("zoe.quark@example.com");
  await name.focus();
  letScriptsRun();
  await begun();
  await expect(name).toHaveValue("zoe.quark@example.com");
  await page.keyboard.type("zoe");
  await expect(name).toHaveValue("zoe");
});
