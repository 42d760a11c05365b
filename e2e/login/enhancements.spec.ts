/** The enhancements of the hosted pages by script; everything else is tested without it. */
import type { Page } from "@playwright/test";
import { bob, clients } from "../directory";
import { expect, test } from "../fixtures";
import { signIn } from "../sign-in";

const SECOND_FACTOR = JSON.stringify({
  id_token: { acr: { essential: true, value: "urn:service:iam:acr:multi-factor" } },
});

async function authorize(page: Page, baseUrl: string, redirectUri: string, more: Record<string, string> = {}) {
  const request = { client_id: clients.basic, redirect_uri: redirectUri, response_type: "code", scope: "openid" };
  await page.goto(`${baseUrl}/oauth/v2/authorize?${new URLSearchParams({ ...request, ...more })}`);
}

test("the password is visible while the switch is on, and hidden when it is sent", async ({
  page,
  service,
  relyingParty,
}) => {
  await authorize(page, service.baseUrl, relyingParty.redirectUri);
  const password = page.locator("#password");
  await password.fill("wrong wrong wrong");
  const show = page.getByRole("button", { name: "Show Password" });
  await expect(show).toHaveAttribute("aria-pressed", "false");
  await show.click();
  await expect(password).toHaveAttribute("type", "text");
  const hide = page.getByRole("button", { name: "Hide Password" });
  await expect(hide).toHaveAttribute("aria-pressed", "true");
  await hide.press("Enter");
  await expect(password).toHaveAttribute("type", "password");
  await show.click();
  const typeWhenSent = page.evaluate(
    () =>
      new Promise((resolve) =>
        addEventListener("submit", () => resolve(document.querySelector("#password")?.getAttribute("type"))),
      ),
  );
  await page.locator("#loginName").fill(bob.loginName);
  await page.locator("#submit").click({ noWaitAfter: true });
  expect(await typeWhenSent).toBe("password");
});

test("a hint says that Caps Lock is on, until it is off or the field is left", async ({
  page,
  service,
  relyingParty,
}) => {
  await authorize(page, service.baseUrl, relyingParty.redirectUri);
  const note = page.locator("#password-advice");
  const press = (modifierCapsLock: boolean) =>
    page.locator("#password").dispatchEvent("keydown", { key: "A", modifierCapsLock });
  await press(true);
  await expect(note).toHaveText("Caps Lock is on.");
  await press(false);
  await expect(note).toBeEmpty();
  await page.locator("#password").focus();
  await press(true);
  await page.locator("#loginName").focus();
  await expect(note).toBeEmpty();
});

test("the strength of a new password is shown as advice", async ({ page, service, relyingParty }) => {
  await authorize(page, service.baseUrl, relyingParty.redirectUri, { prompt: "create" });
  await page.locator("#email").fill("margaret.hamilton@navy.test");
  const note = page.locator("#password-advice");
  await expect(note).toBeEmpty();
  const judged = {
    aaaaaaaaaaaaaaaaaaaa: "This password is easy to guess.",
    "123456789012345678": "This password is easy to guess.",
    qwertyuiopasdfghjkl: "This password is easy to guess.",
    "margaret hamilton": "This password is easy to guess.",
    "lamp river": "This password is easy to guess.",
    "lamp river sock": "Another word would make this password safer.",
    "lamp river sock mountain": "This password is hard to guess.",
    川と山と灯火と猫と雨と森と雪と石と: "This password is hard to guess.",
  };
  for (const [password, words] of Object.entries(judged)) {
    await page.locator("#password").fill(password);
    await expect(note, password).toHaveText(words);
  }
  await page.locator("#password").fill("");
  await expect(note).toBeEmpty();
});

test("a form is sent once, and the button says so without changing its label", async ({
  page,
  service,
  relyingParty,
}) => {
  let sent = 0;
  let seen: unknown;
  let pressedAgain = () => {};
  const wait = new Promise<void>((resolve) => {
    pressedAgain = resolve;
  });
  await page.exposeFunction("report", (button: unknown) => {
    seen = button;
    pressedAgain();
  });
  await page.route("**/login/submit", async (route) => {
    sent += 1;
    await wait;
    await route.continue();
  });
  await authorize(page, service.baseUrl, relyingParty.redirectUri);
  await page.evaluate(() => {
    const button = document.querySelector<HTMLButtonElement>("#submit");
    new MutationObserver(() => {
      button?.click();
      const report = (window as unknown as { report(seen: unknown): void }).report;
      report({ disabled: button?.getAttribute("aria-disabled"), label: button?.textContent });
    }).observe(document.body, { attributes: true, attributeFilter: ["aria-disabled"], subtree: true });
  });
  await page.locator("#loginName").fill(bob.loginName);
  await page.locator("#password").fill("wrong wrong wrong");
  await page.locator("#submit").click();
  await expect(page.getByRole("alert")).toBeVisible();
  expect(seen).toEqual({ disabled: "true", label: "Sign in" });
  expect(sent).toBe(1);
  await expect(page.locator("#submit")).not.toHaveAttribute("aria-disabled");
});

test("a button copies the key of an authenticator app", async ({ page, context, service, relyingParty }) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await authorize(page, service.baseUrl, relyingParty.redirectUri, { claims: SECOND_FACTOR });
  await signIn(page, bob);
  await page.locator("#set-up-app").click();
  await page.locator("#copy-secret").click();
  await expect(page.locator("#copy-secret")).toHaveText("Copied");
  const shown = (await page.locator("#secret").innerText()).replaceAll(" ", "");
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(shown);
});

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false });

  test("the pages have no button that does nothing", async ({ page, service, relyingParty }) => {
    await authorize(page, service.baseUrl, relyingParty.redirectUri);
    await expect(page.locator("#password-show")).toBeHidden();
    await signIn(page, bob);
    await authorize(page, service.baseUrl, relyingParty.redirectUri, { claims: SECOND_FACTOR });
    await page.locator("#set-up-app").click();
    await expect(page.locator("#open-app")).toBeVisible();
    await expect(page.locator("#copy-secret")).toBeHidden();
  });
});
