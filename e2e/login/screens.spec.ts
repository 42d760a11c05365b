/**
 * Every screen before sign-in: axe finds nothing, light and dark, and nothing scrolls sideways at 200 %. In three
 * languages, of three scripts and both directions, nothing does on a phone, also with wider spacing. German has the
 * longest words, and the other browser tests are in English. SCREENSHOTS names a folder for pictures. With
 * EVERY_LANGUAGE all or some languages are tested, each equally thoroughly, for new languages, new screens and new
 * styles (CONTRIBUTING.md).
 */
import { createHash, randomBytes } from "node:crypto";
import type { Page } from "@playwright/test";
import { Secret, TOTP } from "otpauth";
import { findings, LAYOUT_RULES } from "../axe";
import { ada, clients } from "../directory";
import { expect, test } from "../fixtures";
import { unmarked } from "../forced-colours";
import { askedLanguages } from "../languages";
import { codeAndLink } from "../mailbox";
import { keepPicture } from "../pictures";
import { backAtApplication, signIn } from "../sign-in";
import { runScriptsLate, shifts, watchShifts } from "../steady";

const SECOND_FACTOR = {
  claims: JSON.stringify({ id_token: { acr: { essential: true, value: acr("multi-factor") } } }),
};

function acr(name: string): string {
  return `urn:service:iam:acr:${name}`;
}

/**
 * The text spacing that WCAG 2.2, 1.4.12 requires to be possible. The page's policy blocks style elements, so it is
 * added through the style sheets.
 */
const SPACING = "* { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important }";

async function overflow(page: Page): Promise<number> {
  return page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
}

async function withSpacing<T>(page: Page, look: () => Promise<T>): Promise<T> {
  const set = (css: string) =>
    page.evaluate((text) => {
      const sheet = new CSSStyleSheet();
      sheet.replaceSync(text);
      document.adoptedStyleSheets = [sheet];
    }, css);
  await set(SPACING);
  const seen = await look();
  await set("");
  return seen;
}

/** Returns targets smaller than 24 px (WCAG 2.2, 2.5.8). */
async function tooSmall(page: Page): Promise<string[]> {
  return page.locator("a:visible, button:visible, input:visible, summary:visible").evaluateAll((all) =>
    all
      .filter((element) => !element.closest(".hidden"))
      .map((element) => ({ element, box: element.getBoundingClientRect() }))
      .filter(({ box }) => box.width < 24 || box.height < 24)
      .map(({ element }) => element.outerHTML),
  );
}

/** Returns codes that users compare and type, such as WDJB-MJHT, and that are broken across lines. */
async function brokenCodes(page: Page): Promise<string[]> {
  return page.locator("main").evaluate((main) => {
    const found: string[] = [];
    const texts = document.createTreeWalker(main, NodeFilter.SHOW_TEXT);
    for (let text = texts.nextNode() as Text | null; text; text = texts.nextNode() as Text | null) {
      for (const { 0: code, index } of text.data.matchAll(/[A-Z0-9]{4}-[A-Z0-9]{4}(?![\w-])/g)) {
        const range = document.createRange();
        range.setStart(text, index);
        range.setEnd(text, index + code.length);
        if (new Set([...range.getClientRects()].map(({ top }) => top)).size > 1) found.push(code);
      }
    }
    return found;
  });
}

/** Whether the heading of a page precedes its error: an alert before the heading has no subject. */
async function beginsWithItsHeading(page: Page): Promise<boolean> {
  return page.locator("main").evaluate((main) => {
    const first = main.querySelector("h1, [role=alert]");
    return first?.tagName === "H1";
  });
}

const LANGUAGES = askedLanguages ?? ["de", "ar", "ja"];
/** The languages with all checks: another language changes places, but no colour and no element. */
const THOROUGHLY: readonly string[] = askedLanguages ?? ["de"];

interface View {
  colorScheme: "light" | "dark";
  width: 320 | 1280;
  /** The rules of axe. */
  rules: readonly string[] | "all" | "none";
  isKept: boolean;
}

function viewsOf(language: string): View[] {
  const isThorough = THOROUGHLY.includes(language);
  const phone = { colorScheme: "light", width: 320, rules: isThorough ? "all" : "none", isKept: true } as const;
  const dark = { colorScheme: "dark", width: 1280, rules: LAYOUT_RULES, isKept: true } as const;
  // A run for selected languages shows all of their pages.
  const night = { colorScheme: "dark", width: 320, rules: LAYOUT_RULES, isKept: true } as const;
  if (askedLanguages) return [phone, dark, night];
  // The scheme only changes colours, which are the same in every language, and what fits a phone fits a wide window.
  return isThorough ? [phone, dark] : [phone];
}

/** Checks the page in all views. */
async function lookAt(page: Page, language: string, name: string): Promise<void> {
  await expect(page.locator("html")).toHaveAttribute("lang", language);
  expect(await beginsWithItsHeading(page), `${name} begins with its heading`).toBe(true);
  expect(await shifts(page), `${name} moves while it loads`).toEqual([]);
  for (const { colorScheme, width, rules, isKept } of viewsOf(language)) {
    await page.setViewportSize({ width, height: 800 });
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    expect(await overflow(page), `${name} scrolls sideways at ${width}`).toBe(0);
    expect(await tooSmall(page), `${name} has something too small to press`).toEqual([]);
    expect(await brokenCodes(page), `${name} breaks a code at ${width}`).toEqual([]);
    const found = rules === "none" ? [] : await findings(page, rules === "all" ? undefined : rules);
    expect(found, `${name}, ${colorScheme}, ${width}`).toEqual([]);
    if (isKept) await keepPicture(page, `${language}/${name}-${colorScheme}-${width}`);
  }
  if (THOROUGHLY.includes(language)) {
    expect(await unmarked(page), `${name} shows what can be pressed in forced colours`).toEqual([]);
    expect(await withSpacing(page, () => overflow(page)), `${name} scrolls sideways with wide spacing`).toBe(0);
    // 200 % of a window of 1280 px.
    await page.setViewportSize({ width: 640, height: 400 });
    expect(await overflow(page), `${name} scrolls sideways at 200 %`).toBe(0);
  }
  await withSpacing(page, async () => {
    await page.setViewportSize({ width: 320, height: 800 });
    expect(await overflow(page), `${name} scrolls sideways with wide spacing on a phone`).toBe(0);
  });
}

for (const language of LANGUAGES) {
  test.describe(`every screen in ${language}`, () => {
    test.use({ locale: language });

    const title = THOROUGHLY.includes(language) ? "is accessible and fits every view" : "fits every view";

    test(title, async ({ page, context, service, relyingParty, mailbox }) => {
      if (askedLanguages) test.setTimeout(15 * 60_000); // each view with all rules
      const { baseUrl } = service;
      await watchShifts(page);
      await runScriptsLate(page);
      /** Checks a screen. @param sign a selector of the expected screen, if an action leads to it */
      const look = async (name: string, sign = "main") => {
        await expect(page.locator(sign).first()).toBeVisible();
        await lookAt(page, language, name);
      };
      const authorize = (more: Record<string, string> = {}) => {
        const request = { client_id: clients.basic, redirect_uri: relyingParty.redirectUri, response_type: "code" };
        return page.goto(
          `${baseUrl}/oauth/v2/authorize?${new URLSearchParams({ ...request, scope: "openid", ...more })}`,
        );
      };
      const submit = () => page.locator("#submit").click();
      const arrived = (path: string) => page.waitForURL((url) => url.pathname === path);
      const person = {
        loginName: `${language}-${randomBytes(4).toString("hex")}@acme.test`,
        password: `a lamp, a river, ${language}`,
      };

      // Without an account.
      await page.goto(baseUrl);
      await look("home");
      await authorize();
      await look("sign-in");
      await signIn(page, { ...person, password: "not the password of anybody" });
      await look("sign-in-refused", "[role=alert]");
      await page.goto(`${baseUrl}/login?flow=AAAA`);
      await look("expired");
      await authorize({ client_id: "nobody" });
      await look("unknown-app");
      await authorize({ redirect_uri: "https://evil.test/callback" });
      await look("wrong-redirect-uri");
      await page.goto(`${baseUrl}/nowhere`);
      await look("not-found");

      // A new account.
      await authorize({ prompt: "create" });
      await look("create-account");
      await submit();
      await look("create-account-refused", "[role=alert]");
      await page.locator("#email").fill(person.loginName);
      await page.locator("#givenName").fill("Grace");
      await page.locator("#familyName").fill("Hopper");
      await page.locator("#password").fill(person.password);
      await submit();
      await arrived("/login/verify-email");
      await look("verify-email");
      const confirmation = codeAndLink(await mailbox.take(person.loginName));
      await page.goto(confirmation.link);
      await look("confirm-email");
      await submit();
      await backAtApplication(page, relyingParty.redirectUri);

      // A forgotten password; opening the link in the email does not use it up.
      await page.goto(`${baseUrl}/login/forgot-password`);
      await look("forgot-password");
      await page.locator("#loginName").fill(person.loginName);
      await submit();
      await arrived("/login/reset-password");
      await look("reset-password");
      await page.locator("#resend").click();
      await expect(page.locator("#mail-note")).toBeVisible();
      await look("reset-password-too-soon");
      await page.goto(codeAndLink(await mailbox.take(person.loginName)).link);
      await look("reset-password-by-link");
      await page.goto(confirmation.link);
      await look("used-link");

      // Signed in.
      await page.goto(`${baseUrl}/login/change-password`);
      await look("change-password");
      await submit();
      await look("change-password-refused", "[role=alert]");
      await page.locator("#currentPassword").fill(person.password);
      person.password += " and a tram";
      await page.locator("#password").fill(person.password);
      await submit();
      await arrived("/login/done");
      await look("done");
      const challenge = createHash("sha256").update("v".repeat(43)).digest("base64url");
      const pkce = { code_challenge: challenge, code_challenge_method: "S256" };
      await authorize({ client_id: clients.native, scope: "openid profile email offline_access", ...pkce });
      await arrived("/login/continue");
      await look("continue");

      // A device.
      const form = new URLSearchParams({ client_id: clients.native, scope: "openid" });
      const asked = await fetch(`${baseUrl}/oauth/v2/device_authorization`, { method: "POST", body: form });
      const { user_code: userCode } = (await asked.json()) as { user_code: string };
      await page.goto(`${baseUrl}/device`);
      await look("device");
      // Ten wrong codes are accepted from one network; all languages together would need more.
      if (LANGUAGES.indexOf(language) < 8) await page.locator("#user_code").fill("BBBB-BBBB");
      await submit();
      await look("device-unknown-code", "[role=alert]");
      await page.locator("#user_code").fill(userCode);
      await submit();
      await arrived("/device/confirm");
      await look("device-confirm");
      await page.locator("#deny").click();
      await arrived("/device/done");
      await look("device-done");

      // A second factor.
      await authorize(SECOND_FACTOR);
      await arrived("/login/mfa/set-up");
      await look("set-up-factor");
      await page.locator("#set-up-passkey").click();
      await look("set-up-passkey", "#add-passkey");
      await page.goBack();
      await page.locator("#set-up-app").click();
      await look("set-up-app", "#secret");
      const secret = (await page.locator("#secret").innerText()).replaceAll(" ", "");
      const totp = new TOTP({ secret: Secret.fromBase32(secret) });
      await page.locator("#code").fill(totp.generate());
      await submit();
      await look("recovery-codes", ".codes");
      await submit();
      await backAtApplication(page, relyingParty.redirectUri);
      await context.clearCookies();
      await authorize();
      await signIn(page, person);
      await arrived("/login/mfa");
      await look("second-factor");
      await page.locator("#code").fill("000000");
      await submit();
      await look("second-factor-refused", "[role=alert]");
      await page.locator("#way-recovery").click();
      await look("second-factor-recovery", "#way-totp");
      await page.locator("#way-totp").click();
      // The code of the set-up no longer works; the next one already does.
      await page.locator("#code").fill(totp.generate({ timestamp: Date.now() + 30_000 }));
      await submit();
      await backAtApplication(page, relyingParty.redirectUri);

      // Two accounts, and sign-out.
      await authorize({ prompt: "login" });
      await signIn(page, ada);
      await backAtApplication(page, relyingParty.redirectUri);
      await authorize();
      await arrived("/login/select-account");
      await look("select-account");
      await page.goto(`${baseUrl}/oidc/v1/end_session`);
      await look("sign-out");
      await page.locator("#confirm-logout").click();
      await arrived("/logout/done");
      await look("signed-out");
    });
  });
}
