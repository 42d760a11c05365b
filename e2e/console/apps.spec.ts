/** The tasks of an administrator with apps and projects, on the pages of the console. */
import type { Page, Route } from "@playwright/test";
import { COLOUR_RULES, findings } from "../axe";
import { ada } from "../directory";
import { beginSession, expect, openConsole, test } from "./fixtures";
import { late } from "./late";
import { addApp, openView } from "./new-app";

const home = "/console/organizations/acme";

async function looksRight(page: Page): Promise<void> {
  expect(await findings(page)).toEqual([]);
  await page.emulateMedia({ colorScheme: "dark" });
  expect(await findings(page, COLOUR_RULES)).toEqual([]);
  await page.emulateMedia({ colorScheme: "light" });
  await page.setViewportSize({ width: 320, height: 640 });
  const width = await page.evaluate(() => document.documentElement.scrollWidth);
  expect(width).toBeLessThanOrEqual(320);
  await page.setViewportSize({ width: 1280, height: 720 });
}

test("the wizard checks addresses during input and sets safe defaults", async ({ page }) => {
  await openConsole(page, `${home}/apps/new`, ada);
  await page.locator("#kind-browser").check();
  await page.locator("#redirectUris-0").fill("http://shop.example/callback#there");
  await expect(page.locator("#redirectUris-0-verdict .field-problem")).toBeVisible();
  await expect(page.locator("#redirectUris-0")).toHaveAttribute("aria-invalid", "true");
  await page.locator("#redirectUris-0").fill("https://shop.example/callback");
  await expect(page.locator("#redirectUris-0-verdict .field-problem")).toHaveCount(0);
  await looksRight(page);
  await page.getByLabel("Name", { exact: true }).fill("Browser shop");
  await page.locator("#create-app").click();
  await expect(page.getByRole("heading", { name: "Browser shop" })).toBeVisible();
  await looksRight(page);
  await openView(page, "Settings");
  await expect(page.getByLabel("How the app authenticates")).toHaveValue("OIDC_AUTH_METHOD_TYPE_NONE");
  await looksRight(page);
  await openView(page, "Credentials");
  await expect(page.getByText("This app signs in with PKCE alone")).toBeVisible();
  await expect(page.locator("#secrets")).toHaveCount(0);
  await openView(page, "Sign-ins");
  await looksRight(page);
});

test("an app is found, changed, deactivated and deleted", async ({ page }) => {
  await beginSession(page, ada);
  await addApp(page, { kind: "web", name: "Quarterly <b>report</b>" });
  await page.goto(`${home}/apps?q=quarterly`);
  await looksRight(page);
  await page.getByRole("link", { name: "Quarterly <b>report</b>" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Quarterly <b>report</b>");
  const address = page.url().replace(/[?#].*/, "");
  // An address of the former single page leads to the view.
  await page.goto("about:blank");
  await page.goto(`${address}#settings`);
  await page.waitForURL(`${address}?view=settings`);
  await page.getByRole("switch", { name: "User Info inside ID Token" }).check();
  const saved = page.waitForResponse((response) => response.request().method() === "PUT" && response.ok());
  await page.locator("#app-settings-submit").click();
  await saved; // a reload cancels unanswered requests
  await expect(page.getByText("Saved", { exact: true })).toBeVisible();
  await page.reload();
  await expect(page.getByRole("switch", { name: "User Info inside ID Token" })).toBeChecked();

  await page.locator("#add-connection").click();
  const server = page.getByRole("group", { name: "Server 1" });
  await server.getByLabel("Issuer").fill("https://auth.chat.example");
  await server.getByLabel("Client ID at the server").fill("f53f191f9311af35");
  await server.getByLabel("Allowed scopes").fill("chat.read chat.history");
  await page.locator("#app-connections-submit").click();
  await expect(page.locator("#app-connections-undo")).toBeVisible();
  await page.reload();
  await expect(server.getByLabel("Allowed scopes")).toHaveValue("chat.read chat.history");
  await looksRight(page);

  await page.locator("#switch-app").click();
  await expect(page.getByRole("dialog")).toContainText("Quarterly <b>report</b>");
  await page.locator("#switch-app-confirm").click();
  await expect(page.locator("main .state.bad").first()).toHaveText("Inactive");

  await page.locator("#delete-app").click();
  await page.locator("#delete-app-confirm").click();
  await page.waitForURL(`**${home}/apps`);
  await expect(page.getByRole("link", { name: "Quarterly <b>report</b>" })).toHaveCount(0);
});

test("a new secret works beside the old one until that is revoked", async ({ page, service }) => {
  await beginSession(page, ada);
  const { clientId, secret: first = "" } = await addApp(page, { kind: "api", name: "Billing" });
  const knows = async (secret: string) => {
    const answer = await fetch(`${service.baseUrl}/oauth/v2/introspect`, {
      method: "POST",
      body: new URLSearchParams({ token: "none" }),
      headers: { authorization: `Basic ${Buffer.from(`${clientId}:${secret}`).toString("base64")}` },
    });
    return answer.status;
  };
  await openView(page, "Credentials");
  await page.locator("#new-secret").click();
  await page.locator("#new-secret-form-submit").click();
  const second = (await page.locator("[role=dialog] pre").last().textContent()) ?? "";
  await page.getByRole("checkbox", { name: "I have stored it" }).check();
  await page.locator("#secret-stored").click();
  expect([await knows(first), await knows(second)]).toEqual([200, 200]);
  await expect(page.locator("[aria-labelledby=secrets] tbody tr")).toHaveCount(2);
  await page.locator("[aria-labelledby=secrets] tbody tr").first().getByRole("button", { name: "Revoke" }).click();
  await page.locator("[role=dialog] .danger").click();
  await expect(page.locator("[aria-labelledby=secrets] tbody tr")).toHaveCount(1);
  expect([await knows(first), await knows(second)].sort()).toEqual([200, 401]);
});

test("a new secret is still shown after another view, in another language, and when a refresh takes too long", async ({
  page,
}) => {
  await beginSession(page, ada);
  const { secret = "none" } = await addApp(page, { kind: "web", name: "Kept" });
  const line = page.locator(".connection code", { hasText: secret });
  await expect(line).toBeVisible();
  for (const language of ["Deutsch", "English"]) {
    await page.locator(".languages summary").click();
    await page.getByRole("button", { name: language, exact: true }).click();
    await expect(page.locator("html")).toHaveAttribute("lang", language === "Deutsch" ? "de" : "en");
    await expect(line).toBeVisible();
  }
  await openView(page, "Settings");
  const isRead = (route: Route) => route.request().headers().rsc === "1" && /view=settings/.test(route.request().url());
  const read = await late(page, /_rsc=/, isRead);
  await page.getByRole("switch", { name: "User Info inside ID Token" }).check();
  await page.locator("#app-settings-submit").click();
  await read.asked;
  const loaded = page.waitForRequest((request) => request.isNavigationRequest());
  await page.getByRole("navigation", { name: "Views" }).getByRole("link", { name: "Quickstart" }).click();
  await loaded;
  await expect(line).toBeVisible();
});

test("a project gets roles and settings", async ({ page }) => {
  await openConsole(page, `${home}/projects`, ada);
  await looksRight(page);
  await page.locator("#add-project").click();
  await page.getByLabel("Name of the project").fill("Warehouse");
  await page.locator("#add-project-form-submit").click();
  await expect(page.getByRole("heading", { name: "Warehouse" })).toBeVisible();
  await page.locator("#add-role").click();
  await page.getByLabel("Key", { exact: true }).fill("picker");
  await page.getByRole("dialog").getByLabel("Name", { exact: true }).fill("Picker");
  await page.locator("#add-role-form-submit").click();
  await expect(page.getByRole("cell", { name: "picker" }).first()).toBeVisible();
  await page.getByRole("switch", { name: "Require a role to sign in" }).check();
  const saved = page.waitForResponse((response) => response.request().method() === "PUT" && response.ok());
  await page.locator("#project-settings-submit").click();
  await saved; // a reload cancels unanswered requests
  await page.reload();
  await expect(page.getByRole("switch", { name: "Require a role to sign in" })).toBeChecked();
  await looksRight(page);
});

test("the playground signs in for real and explains what it sees", async ({ page }) => {
  await beginSession(page, ada);
  await addApp(page, { kind: "browser", name: "Played with" });
  await page.locator("#open-playground").click();
  await page.locator("#allow-playground").click();
  await page.getByLabel("Scopes").fill("openid email offline_access");
  await expect(page.getByRole("cell", { name: "openid email offline_access" })).toBeVisible();
  await looksRight(page);
  await page.locator("#run").click();
  await expect(page.locator("[data-what=userinfo]")).toContainText("ada@acme.test");
  await expect(page.locator("[data-what=token]")).toContainText("The user’s ID, which never changes");
  expect(new URL(page.url()).search).toBe("");
  await looksRight(page);
  await page.locator("#refresh-tokens").click();
  await expect(page.locator("[data-what=refresh]")).toContainText("200");
});

test("an invalid address is reported with the rule that it breaks", async ({ page, service }) => {
  await openConsole(page, `${home}/playground`, ada);
  const check = async (parameters: Record<string, string>) => {
    const address = `${service.baseUrl}/oauth/v2/authorize?${new URLSearchParams(parameters)}`;
    await page.locator("#address-check textarea").fill(address);
    await page.locator("#check-address").click();
    return page.locator("#check-result");
  };
  const good = { client_id: "web-basic", response_type: "code", scope: "openid" };
  await expect(await check({ ...good, redirect_uri: "http://127.0.0.1:1/callback" })).toContainText("redirect_uri");
  await expect(await check({ ...good, client_id: "nobody", redirect_uri: "http://x" })).toContainText("client_id");
});

test("a machine made by the wizard, or found by its name, is on its own page", async ({ page }) => {
  await beginSession(page, ada);
  await addApp(page, { kind: "machine", name: "Sweeper" });
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Sweeper");
  await page.goto("/console");
  await page.keyboard.press("Control+k");
  await page.getByRole("combobox").fill("Sweeper");
  await page.getByRole("option", { name: /Sweeper/ }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Sweeper");
});

test("a test sign-in from the console uses the console's language instead of the user's", async ({ page }) => {
  await beginSession(page, ada);
  await addApp(page, { kind: "native", name: "Shop for everybody", redirectUri: "shop.test:/callback" });
  await page.goto(`${page.url().replace(/[?#].*/, "")}?ui_locales=ar`);
  await expect(page.locator("html")).toHaveAttribute("lang", "ar");
  await page.locator("#try-it").click();
  await page.waitForURL(({ pathname }) => pathname === "/login/continue");
  await expect(page.locator("html")).toHaveAttribute("lang", "ar");
});
