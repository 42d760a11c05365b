/** The public pages of the API: read and tried without a mouse, wide and narrow, light and dark. */
import { COLOUR_RULES, findings } from "../axe";
import { machine } from "../directory";
import { expect, test } from "./fixtures";

test("an operation is found by keyboard, and by its old address", async ({ page, service }) => {
  await page.goto(`${service.baseUrl}/docs/api`);
  await page.keyboard.press("Tab");
  await expect(page.getByRole("link", { name: "Skip to content" })).toBeFocused();
  await page.getByRole("searchbox", { name: "Search the API" }).focus();
  await page.keyboard.type("grant a user roles");
  await page.keyboard.press("Enter");
  await page.getByRole("link", { name: "Grant a user roles of a project" }).first().focus();
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/docs\/api\/user-grants#AddUserGrant$/);
  const shown = page.locator("#AddUserGrant");
  await expect(shown).toBeInViewport();
  await expect(shown).toContainText("Requires user.grant.write in the organization, or in the project concerned.");

  await page.goto("about:blank");
  await page.goto(`${service.baseUrl}/docs/api#AddUserGrant`);
  await expect(page).toHaveURL(/\/docs\/api\/user-grants#AddUserGrant$/);
  await page.goto("about:blank");
  await page.goto(`${service.baseUrl}/docs/api#ManagementService_SetCustomInitMessageText`);
  await page
    .getByRole("link", { name: /Texts of organizations: Set the text/ })
    .first()
    .click();
  await expect(page).toHaveURL(/\/docs\/api\/texts-of-organizations#\w+$/);
});

test("an operation is tried with the reader's token, which is sent nowhere else and not stored", async ({
  page,
  service,
}) => {
  const form = { grant_type: "client_credentials", scope: "openid urn:service:iam:org:project:id:service:aud" };
  const basic = Buffer.from(`${machine.clientId}:${machine.secret}`).toString("base64");
  const issued = await page.request.post(`${service.baseUrl}/oauth/v2/token`, {
    form,
    headers: { authorization: `Basic ${basic}` },
  });
  const { access_token: token } = (await issued.json()) as { access_token: string };
  const asked: string[] = [];
  page.on("request", (request) => asked.push(new URL(request.url()).origin));
  await page.goto(`${service.baseUrl}/docs/api/own-account`);
  await page.getByRole("button", { name: "Try it: Read the caller's account" }).click();
  const operation = page.locator("#GetMyUser");
  await operation.getByRole("button", { name: "Send GET" }).click();
  await expect(operation.getByRole("status")).toHaveText("Enter your access token at the top of the page.");
  await expect(page.getByLabel("Your access token, to try operations")).toBeFocused();
  await page.keyboard.type(token);
  await operation.getByRole("button", { name: "Send GET" }).click();
  await expect(operation.getByRole("status")).toHaveText("Answer 200");
  await expect(operation.locator(".answer")).toContainText('"userName": "ci"');
  expect(await findings(page)).toEqual([]);
  expect([...new Set(asked)]).toEqual([service.baseUrl]);
  const kept = await page.evaluate(() => localStorage.length + sessionStorage.length + document.cookie.length);
  expect(kept).toBe(0);
  await page.reload();
  await expect(page.getByLabel("Your access token, to try operations")).toHaveValue("");
});

test("the pages of the API have no accessibility errors and fit a narrow screen, also without scripts", async ({
  page,
  service,
  browser,
}) => {
  await page.emulateMedia({ colorScheme: "light" });
  for (const place of ["", "/authentication", "/oauth", "/user-grants", "/schemas/ListQuery", "/search?q=grant"]) {
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.goto(`${service.baseUrl}/docs/api${place}`);
    expect([place, ...(await findings(page))]).toEqual([place]);
    await page.setViewportSize({ width: 320, height: 800 });
    expect([place, await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)]).toEqual([place, 0]);
  }
  await page.goto(`${service.baseUrl}/docs/api/user-grants`);
  await page.emulateMedia({ colorScheme: "dark" });
  expect(await findings(page, COLOUR_RULES)).toEqual([]);

  const context = await browser.newContext({ javaScriptEnabled: false });
  const plain = await context.newPage();
  await plain.goto(`${service.baseUrl}/docs/api/user-grants#AddUserGrant`);
  await expect(plain.locator("#AddUserGrant")).toContainText("userGrantId");
  await expect(plain.getByRole("button", { name: "Search" })).toBeVisible();
  await context.close();
});
