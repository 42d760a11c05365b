/** New accounts and passwords for users: without JavaScript, with the emails that arrive. */
import { randomUUID } from "node:crypto";
import type { Page } from "@playwright/test";
import { bob, clients } from "../directory";
import { expect, test } from "../fixtures";
import { codeAndLink } from "../mailbox";
import { backAtApplication, signIn } from "../sign-in";

test.use({ javaScriptEnabled: false });

const CHOSEN = "a lamp, a river and a tram";

function authorizeUrl(baseUrl: string, redirectUri: string, more: Record<string, string> = {}): string {
  const parameters = {
    client_id: clients.basic,
    redirect_uri: redirectUri,
    response_type: "code",
    scope: "openid",
    state: "s",
    ...more,
  };
  return `${baseUrl}/oauth/v2/authorize?${new URLSearchParams(parameters)}`;
}

/** Returns an unused address. */
const newAddress = () => `grace-${randomUUID().slice(0, 8)}@navy.test`;

async function register(page: Page, email: string): Promise<void> {
  await page.locator("#email").fill(email);
  await page.locator("#givenName").fill("Grace");
  await page.locator("#familyName").fill("Hopper");
  await page.locator("#password").fill(CHOSEN);
  await page.locator("#submit").click();
}

test("a user creates an account with the mailed code and returns to the application", async ({
  page,
  service,
  relyingParty,
  mailbox,
}) => {
  const email = newAddress();
  await page.goto(authorizeUrl(service.baseUrl, relyingParty.redirectUri, { prompt: "create" }));
  await expect(page.locator("#email")).toBeFocused();
  await register(page, email);
  await expect(page.getByText(email)).toBeVisible();
  const { code } = codeAndLink(await mailbox.take(email));
  await page.locator("#code").fill("2222-2222");
  await page.locator("#submit").click();
  await expect(page.getByRole("alert")).toBeFocused();
  await page.locator("#code").fill(code.toLowerCase());
  await page.locator("#submit").click();
  const callback = await backAtApplication(page, relyingParty.redirectUri);
  expect(callback.searchParams.get("code")).toBeTruthy();
});

test("a German user finds the registration on the sign-in page and gets the email in German", async ({
  page,
  service,
  relyingParty,
  mailbox,
}) => {
  const email = newAddress();
  await page.goto(authorizeUrl(service.baseUrl, relyingParty.redirectUri, { ui_locales: "de" }));
  await page.locator("#create-account").click();
  await register(page, email);
  await expect(page.locator("html")).toHaveAttribute("lang", "de");
  expect((await mailbox.take(email)).subject).toBe("Bestätigen Sie Ihre E-Mail-Adresse");
});

test("a link confirms the address on another device with the password, and leads back to the first device", async ({
  page,
  browser,
  service,
  relyingParty,
  mailbox,
}) => {
  const email = newAddress();
  await page.goto(authorizeUrl(service.baseUrl, relyingParty.redirectUri, { prompt: "create" }));
  await register(page, email);
  const { code, link } = codeAndLink(await mailbox.take(email));
  const phone = await (await browser.newContext({ viewport: { width: 320, height: 568 } })).newPage();
  await phone.goto(link);
  await phone.locator("#password").fill(CHOSEN);
  await phone.locator("#submit").click();
  await expect(phone.getByRole("heading", { level: 1 })).toHaveText("Your email address is confirmed");
  await phone.context().close();
  await page.locator("#code").fill(code);
  await page.locator("#submit").click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Your email address is confirmed");
  await page.locator("#continue").click();
  await expect(page.locator("#loginName")).toHaveValue(email);
  await signIn(page, { loginName: email, password: CHOSEN });
  await backAtApplication(page, relyingParty.redirectUri);
});

test("a link resets a forgotten password once and leads on to the application", async ({
  page,
  service,
  relyingParty,
  mailbox,
}) => {
  await page.goto(authorizeUrl(service.baseUrl, relyingParty.redirectUri));
  await signIn(page, { ...bob, password: "not the one I had" });
  await page.locator("#forgot-password").click();
  await expect(page.locator("#loginName")).toHaveValue(bob.loginName);
  await page.locator("#submit").click();
  const { link } = codeAndLink(await mailbox.take(bob.loginName));
  await page.goto(link);
  await expect(page.getByText(bob.loginName)).toBeVisible();
  await page.locator("#password").fill("short");
  await page.locator("#submit").click();
  await expect(page.getByRole("alert")).toBeFocused();
  await page.locator("#password").fill(CHOSEN);
  await page.locator("#submit").click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Your new password is set");
  expect((await mailbox.take(bob.loginName)).subject).toMatch(/password/i);
  await page.locator("#continue").click();
  await signIn(page, { ...bob, password: CHOSEN });
  await backAtApplication(page, relyingParty.redirectUri);
  expect((await page.goto(link))?.status()).toBe(410);

  // Restores the state for the other tests of this service, on the page that browsers find.
  await page.goto(`${service.baseUrl}/.well-known/change-password`);
  await page.locator("#currentPassword").fill(CHOSEN);
  await page.locator("#password").fill(bob.password);
  await page.locator("#submit").click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Your password has been changed");
  expect((await mailbox.take(bob.loginName)).subject).toMatch(/password/i);
});

test("a forgotten password of an unknown user gets the same page", async ({ page, service, relyingParty }) => {
  await page.goto(authorizeUrl(service.baseUrl, relyingParty.redirectUri));
  await page.locator("#forgot-password").click();
  await page.locator("#loginName").fill("nobody@acme.test");
  await page.locator("#submit").click();
  await expect(page.locator("#code")).toBeFocused();
  await page.locator("#code").fill("2222-2222");
  await page.locator("#password").fill(CHOSEN);
  await page.locator("#submit").click();
  await expect(page.getByRole("alert")).toContainText("This code is not correct");
});

test("a change of the password requires a sign-in first, which leads back", async ({ page, service }) => {
  await page.goto(`${service.baseUrl}/login/change-password`);
  await expect(page.locator("#loginName")).toBeVisible();
  await signIn(page, bob);
  await expect(page.locator("#currentPassword")).toBeVisible();
});
