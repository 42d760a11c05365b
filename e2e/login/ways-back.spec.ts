/**
 * No dead ends: going back over a rejected form, a typed address, a step without its cookie, an expired flow. Without
 * JavaScript, because the browser's own history must be sufficient.
 */
import type { Page } from "@playwright/test";
import { Secret, TOTP } from "otpauth";
import { ada, clients, protectedPeople } from "../directory";
import { expect, test } from "../fixtures";
import { backAtApplication, signIn } from "../sign-in";

test.use({ javaScriptEnabled: false });

const MULTI_FACTOR = JSON.stringify({
  id_token: { acr: { essential: true, value: "urn:service:iam:acr:multi-factor" } },
});
const [hugo = ada] = protectedPeople.slice(-1);
const title = (page: Page) => page.getByRole("heading", { level: 1 });

test("the browser goes back over rejected forms, and changes the language of one", async ({
  page,
  service,
  relyingParty,
}) => {
  const request = { client_id: clients.basic, redirect_uri: relyingParty.redirectUri, response_type: "code" };
  const authorize = `${service.baseUrl}/oauth/v2/authorize?${new URLSearchParams({ ...request, scope: "openid" })}`;
  await page.goto(`${authorize}&prompt=create`);
  await page.locator("#givenName").fill("Grace");
  await page.locator("#password").fill("short");
  await page.locator("#submit").click();
  await expect(page).toHaveTitle(/^Error: /);
  await expect(page.getByRole("alert")).toBeFocused();
  await page.reload();
  await page.locator("details.languages summary").click();
  await page.getByRole("button", { name: "Deutsch" }).click();
  await expect(page.getByRole("alert")).toContainText("prüfen Sie 3 Angaben");
  await expect(page.locator("#givenName")).toHaveValue("Grace");
  await expect(page.locator("#password")).toHaveValue("");
  await page.locator("#email").fill("grace@back.test");
  await page.locator("#familyName").fill("Hopper");
  await page.locator("#password").fill("a lamp beside the river");
  await page.locator("#submit").click();
  await expect(page).toHaveURL(/\/login\/verify-email/);
  await page.locator("#code").fill("2222-2222");
  await page.locator("#submit").click();
  await expect(page.getByRole("alert")).toBeFocused();
  await page.getByRole("link", { name: "Andere Adresse" }).click();
  for (const path of ["verify-email", "verify-email", "create-account"]) {
    await page.goBack();
    await expect(page).toHaveURL(new RegExp(`/login/${path}`));
    await expect(title(page)).toBeVisible();
  }
});

test("the key of an authenticator app is kept until its code is correct", async ({ page, service, relyingParty }) => {
  const request = { client_id: clients.basic, redirect_uri: relyingParty.redirectUri, response_type: "code" };
  const query = new URLSearchParams({ ...request, scope: "openid", claims: MULTI_FACTOR });
  await page.goto(`${service.baseUrl}/oauth/v2/authorize?${query}`);
  await signIn(page, hugo);
  await page.locator("#set-up-app").click();
  const key = await page.locator("#secret").innerText();
  await page.locator("#code").fill("000000");
  await page.locator("#name").fill("Phone");
  await page.locator("#submit").click();
  await expect(page.getByRole("alert")).toBeFocused();
  await expect(page.locator("#secret")).toHaveText(key);
  await expect(page.locator("#name")).toHaveValue("Phone");
  const refused = page.url();
  const app = new TOTP({ secret: Secret.fromBase32(key.replaceAll(" ", "")) });
  await page.locator("#code").fill(app.generate());
  await page.locator("#submit").click();
  await page.locator("#submit").click();
  await backAtApplication(page, relyingParty.redirectUri);
  // A confirmed factor is never shown again: the old address leads on to the application.
  await page.goto(refused);
  await expect(page.locator("#secret")).toHaveCount(0);
});

test("without cookies the page says why it asks for the password again", async ({ page, context, service }) => {
  await page.goto(`${service.baseUrl}/login/change-password`);
  await signIn(page, ada);
  await expect(page.locator("#currentPassword")).toBeVisible();
  await page.locator("#cancel").click();
  await expect(page).toHaveURL(/\/account\/security/);
  for (const steps of [1, 2]) {
    await context.clearCookies();
    await page.goBack();
    await page.reload();
    await expect(page, `${steps}`).toHaveTitle(/^Error: Sign in/);
    await expect(page.getByRole("alert")).toContainText("allow cookies");
    await expect(page.getByRole("alert")).toBeFocused();
    await signIn(page, ada);
    await expect(page.getByRole("alert")).toHaveCount(0);
  }
});

test("typed addresses and the final page lead on", async ({ page, service }) => {
  const { baseUrl } = service;
  for (const path of ["/login", "/login/mfa", "/login/select-account"]) {
    await page.goto(`${baseUrl}${path}?ui_locales=fr`);
    await expect(page.locator("html")).toHaveAttribute("lang", "fr");
    await expect(page.locator("#loginName")).toBeFocused();
  }
  await signIn(page, ada);
  await expect(page).toHaveURL(/\/account\?session=/);
  await page.goto(`${baseUrl}/logout?ui_locales=fr`);
  await page.getByRole("link", { name: "Rester connecté" }).click();
  await expect(page).toHaveURL(/\/account\?session=/);
  await page.goto(`${baseUrl}/logout?ui_locales=fr`);
  await page.locator("#confirm-logout").click();
  await expect(page.locator("html")).toHaveAttribute("lang", "fr");
  await page.locator("main a").click();
  await expect(page.locator("#loginName")).toBeVisible();
  await page.goto(`${baseUrl}/nowhere`);
  await page.locator("#account").click();
  await expect(page.locator("#loginName")).toBeVisible();
});
