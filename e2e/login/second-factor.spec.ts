/** Second factors for users: apps and codes without JavaScript, passkeys with Chromium's own authenticator. */
import type { BrowserContext, Page } from "@playwright/test";
import { Secret, TOTP } from "otpauth";
import { clients, protectedPeople } from "../directory";
import { expect, test } from "../fixtures";
import { keepPicture } from "../pictures";
import { backAtApplication, signIn } from "../sign-in";

const [carol, dora, emil, finn, gina] = protectedPeople as [Person, Person, Person, Person, Person];
type Person = (typeof protectedPeople)[number];

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

async function openAccount(page: Page, baseUrl: string, person: Person): Promise<void> {
  await page.goto(`${baseUrl}/account/security`);
  await signIn(page, person);
  await expect(page).toHaveURL(/\/account\/security\?session=/);
}

/** Follows the page of a new app; `ahead` time steps give an unused code. */
async function setUpApp(page: Page): Promise<{ codeIn(ahead: number): string; recoveryCodes: string[] }> {
  await page.locator("#add-app").click();
  await expect(page.getByRole("img", { name: /QR/ })).toBeVisible();
  const secret = (await page.locator("#secret").innerText()).replaceAll(" ", "");
  expect(await page.locator("#open-app").getAttribute("href")).toContain(`secret=${secret}`);
  const totp = new TOTP({ secret: Secret.fromBase32(secret) });
  const codeIn = (ahead: number) => totp.generate({ timestamp: Date.now() + ahead * 30_000 });
  await page.locator("#code").fill(codeIn(0));
  await page.locator("#submit").click();
  await expect(page.locator(".codes li")).toHaveCount(10);
  const recoveryCodes = await page.locator(".codes li").allInnerTexts();
  await page.locator("#submit").click();
  await expect(page).toHaveURL(/\/account\/security\?session=/);
  return { codeIn, recoveryCodes };
}

/** Expects the page to fit a phone in every colour scheme. */
async function keepLooks(page: Page, name: string): Promise<void> {
  for (const colorScheme of ["light", "dark"] as const) {
    for (const width of [320, 1280]) {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height: 800 });
      const content = await page.evaluate(() => document.documentElement.scrollWidth);
      expect(content, `${name} scrolls sideways`).toBeLessThanOrEqual(width);
      await keepPicture(page, `${name}-${colorScheme}-${width}`);
    }
  }
}

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false });

  test("a user sets up an authenticator app, signs in with it, and with a recovery code", async ({
    page,
    context,
    service,
    relyingParty,
  }) => {
    await openAccount(page, service.baseUrl, carol);
    const { codeIn, recoveryCodes } = await setUpApp(page);
    await expect(page.getByRole("status")).toBeVisible();

    await context.clearCookies();
    await page.goto(authorizeUrl(service.baseUrl, relyingParty.redirectUri));
    await signIn(page, carol);
    await expect(page).toHaveURL(/\/login\/mfa\?/);
    await expect(page.locator("#code")).toBeFocused();
    await page.locator("#code").fill("000000");
    await page.keyboard.press("Enter");
    await expect(page.getByRole("alert")).toBeFocused();
    await page.locator("#code").fill(codeIn(1).replace(/(...)/, "$1 "));
    await page.locator("#submit").click();
    await backAtApplication(page, relyingParty.redirectUri);

    await context.clearCookies();
    await page.goto(authorizeUrl(service.baseUrl, relyingParty.redirectUri));
    await signIn(page, carol);
    await page.locator("#way-recovery").click();
    await page.locator("#code").fill(recoveryCodes[0] ?? "");
    await page.locator("#submit").click();
    await backAtApplication(page, relyingParty.redirectUri);
    await page.goto(`${service.baseUrl}/account/security`);
    await expect(page.getByText("9 codes left")).toBeVisible();
  });

  test("a user signs in with a code by email", async ({ page, context, service, relyingParty, mailbox }) => {
    await openAccount(page, service.baseUrl, dora);
    await page.locator("#enable-mail").click();
    expect((await mailbox.take(dora.loginName)).subject).toBe("A sign-in method was added");
    await context.clearCookies();
    await page.goto(authorizeUrl(service.baseUrl, relyingParty.redirectUri));
    await signIn(page, dora);
    await page.locator("#send-code").click();
    const { text } = await mailbox.take(dora.loginName);
    await page.locator("#code").fill(/\d{4} \d{4}/.exec(text ?? "")?.[0] ?? "");
    await page.locator("#submit").click();
    await backAtApplication(page, relyingParty.redirectUri);
  });

  test("the page has no space for elements that only a script shows", async ({ page, service, relyingParty }) => {
    await page.goto(authorizeUrl(service.baseUrl, relyingParty.redirectUri));
    const heights = await page
      .locator("[data-scripted]")
      .evaluateAll((all) => all.map((element) => element.getBoundingClientRect().height));
    expect(heights.length).toBeGreaterThan(1);
    expect(new Set(heights)).toEqual(new Set([0]));
  });

  test("the user ends other sessions, on a page that fits every view", async ({ page, browser, service }) => {
    const other = await browser.newContext();
    const elsewhere = await other.newPage();
    await openAccount(elsewhere, service.baseUrl, emil);
    await openAccount(page, service.baseUrl, emil);
    await keepLooks(page, "account-security");
    await page.locator("#add-app").click();
    await keepLooks(page, "authenticator-app");
    await page.goto(`${service.baseUrl}/account/sessions`);
    await expect(page.locator(".state.active")).toHaveCount(1);
    await keepLooks(page, "account-sessions");
    await page.locator("#end-others").click();
    await page.locator("#confirm").click();
    await expect(page.getByRole("status")).toBeVisible();
    await elsewhere.reload();
    await expect(elsewhere.locator("#password")).toBeVisible();
    await other.close();
  });
});

/** Adds Chromium's authenticator: it keeps passkeys, verifies its user, and responds automatically while `present`. */
async function authenticator(context: BrowserContext, page: Page) {
  const cdp = await context.newCDPSession(page);
  await cdp.send("WebAuthn.enable");
  const { authenticatorId } = await cdp.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return {
    present: (enabled: boolean) => cdp.send("WebAuthn.setAutomaticPresenceSimulation", { authenticatorId, enabled }),
    verified: (isUserVerified: boolean) => cdp.send("WebAuthn.setUserVerified", { authenticatorId, isUserVerified }),
  };
}

async function setUpPasskey(page: Page, baseUrl: string, person: Person): Promise<void> {
  await openAccount(page, baseUrl, person);
  await page.locator("#add-passkey").click(); // the link
  await expect(page).toHaveURL(/\/account\/passkey/);
  await expect(page.locator("#passkey-unsupported")).toBeHidden();
  await page.locator("button#add-passkey").click();
  await expect(page.locator(".codes li")).toHaveCount(10);
  await page.locator("#submit").click();
  await expect(page.locator("#remove-passkey-1")).toBeAttached();
}

test("a user signs in with a passkey alone, from the suggestions or by the button", async ({
  page,
  context,
  service,
  relyingParty,
}) => {
  const device = await authenticator(context, page);
  await setUpPasskey(page, service.baseUrl, finn);
  await context.clearCookies();
  await page.goto(authorizeUrl(service.baseUrl, relyingParty.redirectUri)); // autofill: no button to press
  await backAtApplication(page, relyingParty.redirectUri);

  await context.clearCookies();
  await device.present(false);
  await page.goto(authorizeUrl(service.baseUrl, relyingParty.redirectUri));
  await expect(page.locator("#use-passkey")).toBeVisible();
  await expect(page.locator("#passkey-note")).toBeHidden();
  await device.verified(false);
  await device.present(true);
  await page.locator("#use-passkey").click();
  await expect(page.locator("#passkey-note")).toBeVisible(); // a neutral message, and the unchanged page
  await device.verified(true);
  await page.locator("#use-passkey").click();
  await backAtApplication(page, relyingParty.redirectUri);
});

test("the page has no space for a passkey in a browser without support, and says so", async ({
  page,
  service,
  relyingParty,
}) => {
  await page.addInitScript(() => {
    // biome-ignore lint/suspicious/noExplicitAny: a browser without it, or a page that is not secure
    delete (window as any).PublicKeyCredential;
  });
  await page.goto(authorizeUrl(service.baseUrl, relyingParty.redirectUri));
  const room = () => page.locator("form[data-passkey]").evaluate((form) => form.getBoundingClientRect().height);
  expect(await room()).toBe(0);
  await openAccount(page, service.baseUrl, emil);
  await page.locator("#add-passkey").click();
  await expect(page.locator("#passkey-unsupported")).toBeVisible();
  expect(await room()).toBe(0);
});

test("a passkey that is offered after the password is added, and offered first the next time", async ({
  page,
  context,
  service,
  relyingParty,
}) => {
  const device = await authenticator(context, page);
  await device.present(false);
  // Users can be quicker than the browser's report that it supports passkeys.
  await page.addInitScript(() => {
    PublicKeyCredential.isUserVerifyingPlatformAuthenticatorAvailable = () =>
      new Promise((resolve) => addEventListener("submit", () => setTimeout(resolve, 100, true), true));
  });
  await page.goto(authorizeUrl(service.baseUrl, relyingParty.redirectUri));
  await signIn(page, gina);
  await expect(page).toHaveURL(/\/login\/passkey\/offer\?/);
  await keepPicture(page, "passkey-offer");
  await device.present(true);
  await page.locator("#add-passkey").click();
  await expect(page.locator(".codes li")).toHaveCount(10);
  await page.locator("#submit").click();
  await backAtApplication(page, relyingParty.redirectUri);

  await context.clearCookies();
  await device.present(false);
  await page.goto(authorizeUrl(service.baseUrl, relyingParty.redirectUri));
  await signIn(page, gina);
  await expect(page).toHaveURL(/\/login\/mfa\?/);
  await device.present(true);
  await page.locator("#use-passkey").click();
  await backAtApplication(page, relyingParty.redirectUri);
});
