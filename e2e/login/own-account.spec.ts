/** Users manage their own account: every page of it, without JavaScript, with the emails that arrive. */
import type { Browser, Page } from "@playwright/test";
import { findings, LAYOUT_RULES } from "../axe";
import { redeem, refresh, statusOfUserinfo } from "../by-form";
import { clients, hal, ida } from "../directory";
import { expect, test } from "../fixtures";
import { codeAndLink } from "../mailbox";
import { keepPicture } from "../pictures";
import { backAtApplication, signIn } from "../sign-in";

test.use({ javaScriptEnabled: false });

const heading = (page: Page) => page.getByRole("heading", { level: 1 });

async function openAccount(page: Page, baseUrl: string, person: typeof hal): Promise<void> {
  await page.goto(`${baseUrl}/account`);
  await signIn(page, person);
  await expect(page).toHaveURL(/\/account\?session=/);
}

test("a user changes names, language and time zone, and sees what cannot be changed", async ({ page, service }) => {
  await openAccount(page, service.baseUrl, ida);
  await page.locator("#profile").click();
  await page.locator("#nickname").fill("I\u202eda");
  await page.locator("#submit").click();
  await expect(page.getByRole("alert")).toBeFocused();
  await page.getByRole("alert").getByRole("link").click();
  await expect(page.locator("#nickname")).toBeFocused();
  await page.locator("#nickname").fill("Idchen");
  await page.locator("#language").selectOption({ label: "Deutsch" });
  await page.locator("#timeZone").selectOption("Europe/Berlin");
  await page.locator("#submit").click();
  await expect(page.getByRole("status")).toBeVisible();
  await expect(page.locator("html")).toHaveAttribute("lang", "de");
  await page.getByRole("link", { name: "Aktivität" }).click();
  await expect(page.getByText("Profil geändert")).toBeVisible();
  await expect(page.getByText("Zeitzone: Europe/Berlin")).toBeVisible();
});

test("a user confirms the address, resets a forgotten password with it, and changes to another one", async ({
  page,
  browser,
  service,
  mailbox,
}) => {
  await openAccount(page, service.baseUrl, hal);
  await page.locator("#email").click();
  await expect(page.getByText("Not confirmed yet")).toBeVisible();
  await page.locator("#send").click();
  const first = codeAndLink(await mailbox.take(hal.loginName));
  await page.locator("#code").fill("2222-2222");
  await page.locator("#submit").click();
  await expect(page.getByRole("alert")).toBeFocused();
  await page.locator("#code").fill(first.code);
  await page.locator("#submit").click();
  await expect(page.getByText("Confirmed", { exact: true })).toBeVisible();

  await page.locator("#change-email").click();
  await page.locator("#email").fill("hal@home.test");
  await page.locator("#currentPassword").fill(hal.password);
  await page.locator("#submit").click();
  await expect(page.getByText("hal@acme.test")).toBeVisible(); // until the other one is verified
  const { link } = codeAndLink(await mailbox.take("hal@home.test"));
  const phone = await (await browser.newContext({ viewport: { width: 320, height: 568 } })).newPage();
  await phone.goto(link);
  await signIn(phone, hal);
  await expect(heading(phone)).toHaveText("Confirm your email address");
  await phone.locator("#submit").click();
  await expect(phone.getByRole("status")).toBeVisible();
  await phone.context().close();
  await page.reload();
  await expect(page.getByText("hal@home.test")).toBeVisible();
  const notices = [await mailbox.take("hal@acme.test"), await mailbox.take("hal@home.test")];
  expect(new Set(notices.map(({ subject }) => subject))).toEqual(new Set(["Your email address was changed"]));

  await page.context().clearCookies();
  await page.goto(`${service.baseUrl}/login/forgot-password`);
  await page.locator("#loginName").fill("hal@home.test");
  await page.locator("#submit").click();
  expect(codeAndLink(await mailbox.take("hal@home.test")).link).toContain("/login/reset-password");
});

test("a disconnected application loses its access", async ({ page, service, relyingParty }) => {
  const { baseUrl } = service;
  const { redirectUri } = relyingParty;
  const request = { client_id: clients.post, redirect_uri: redirectUri, response_type: "code" };
  const query = new URLSearchParams({ ...request, scope: "openid email offline_access" });
  await page.goto(`${baseUrl}/oauth/v2/authorize?${query}`);
  await signIn(page, ida);
  const code = (await backAtApplication(page, redirectUri)).searchParams.get("code") ?? "";
  const { access_token: accessToken = "", refresh_token: refreshToken = "" } = (
    await redeem(baseUrl, redirectUri, code)
  ).body;
  expect(await statusOfUserinfo(baseUrl, accessToken)).toBe(200);
  await page.goto(`${baseUrl}/account/apps?ui_locales=en`);
  await expect(page.locator("strong", { hasText: "Shop by form" })).toBeVisible();
  await expect(page.getByText("Your email address")).toBeVisible();
  await page.locator("#disconnect-1").click();
  await page.locator("#cancel").click();
  expect(await statusOfUserinfo(baseUrl, accessToken)).toBe(200);
  await page.locator("#disconnect-1").click();
  await page.locator("#confirm").click();
  await expect(page.getByRole("status")).toBeVisible();
  expect(await statusOfUserinfo(baseUrl, accessToken)).toBe(401);
  expect((await refresh(baseUrl, refreshToken)).body.error).toBe("invalid_grant");
});

test("a user signs out of another browser after a confirmation", async ({ page, browser, service }) => {
  const elsewhere = await signedInElsewhere(browser, service.baseUrl);
  await openAccount(page, service.baseUrl, ida);
  await page.locator("#sessions").click();
  await page.locator('a[id^="end-session-"]').first().click();
  await elsewhere.reload();
  await expect(heading(elsewhere)).toBeVisible();
  await expect(elsewhere.locator("#password")).toHaveCount(0);
  await page.locator("#confirm").click();
  await expect(page.getByRole("status")).toBeVisible();
  await elsewhere.reload();
  await expect(elsewhere.locator("#password")).toBeVisible();
  await elsewhere.context().close();
});

async function signedInElsewhere(browser: Browser, baseUrl: string): Promise<Page> {
  const page = await (await browser.newContext()).newPage();
  await openAccount(page, baseUrl, ida);
  return page;
}

test("sign-in by keyboard leads back to the requested page", async ({ page, service }) => {
  await page.goto(`${service.baseUrl}/account/email/change`);
  await expect(page.locator("#loginName")).toBeFocused();
  await page.keyboard.type(ida.loginName);
  await page.keyboard.press("Tab");
  await page.keyboard.type(ida.password);
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/account\/email\/change\?session=/);
  await expect(page.locator("#email")).toBeFocused();
  await page.keyboard.type("nobody");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("alert")).toBeFocused();
  await expect(page.locator("#email")).toHaveValue("nobody");
});

/**
 * A phone first; the colours of the other scheme and everything that depends on the width are checked on a wide
 * screen.
 */
const LOOKS = [
  { width: 320, colorScheme: "light", rules: undefined },
  { width: 1280, colorScheme: "dark", rules: LAYOUT_RULES },
] as const;

for (const language of ["en", "ar"]) {
  test.describe(`every page in ${language}`, () => {
    test.use({ javaScriptEnabled: true, locale: language });

    // Another direction changes places, but no colour and no element.
    const isThorough = language === "en";

    test(
      isThorough ? "has no accessibility errors and fits every view" : "fits every view",
      async ({ page, browser, service }) => {
        const elsewhere = await signedInElsewhere(browser, service.baseUrl);
        await openAccount(page, service.baseUrl, ida);
        const fields = `session=${new URL(page.url()).searchParams.get("session")}&ui_locales=${language}`;
        const paths = ["", "/profile", "/email", "/email/change", "/security", "/sessions", "/apps", "/activity"];
        for (const path of [...paths, "/confirm?what=end-others"]) {
          await page.goto(`${service.baseUrl}/account${path}${path.includes("?") ? "&" : "?"}${fields}`);
          await expect(page.locator("html")).toHaveAttribute("dir", language === "ar" ? "rtl" : "ltr");
          const name = `own${path.replace(/\W+/g, "-")}`;
          for (const { width, colorScheme, rules } of LOOKS) {
            await page.setViewportSize({ width, height: 800 });
            const content = await page.evaluate(() => document.documentElement.scrollWidth);
            expect(content, `${path} scrolls sideways`).toBeLessThanOrEqual(width);
            await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
            const found = isThorough ? await findings(page, rules) : [];
            expect(found, `${path}, ${colorScheme}, ${width}`).toEqual([]);
            await keepPicture(page, `${language}/${name}-${colorScheme}-${width}`);
          }
        }
        await elsewhere.context().close();
      },
    );
  });
}
