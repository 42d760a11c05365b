/**
 * The way through sign-in and console in Firefox. Playwright drives only a Firefox of its own; Debian's is driven by
 * Puppeteer with WebDriver BiDi. What does not depend on the browser is tested in Chromium.
 */
import puppeteer, { type Browser, type Page } from "puppeteer-core";
import { findFirefox } from "../scripts/machine.mjs";
import { expect, test } from "./console/fixtures";
import { ada, bob } from "./directory";

const executablePath = findFirefox();

test.describe("in Firefox", () => {
  test.skip(!executablePath, "Firefox is not installed (apt-get install firefox-esr).");
  let browser: Browser;
  test.beforeAll(async () => {
    browser = await puppeteer.launch({ browser: "firefox", executablePath, headless: true });
  });
  test.afterAll(() => browser?.close());

  test("a user signs in after a wrong password, finds another user by address, and changes a text", async ({
    service: { baseUrl },
  }) => {
    const page = await browser.newPage();
    await page.setViewport({ width: 1280, height: 800 });
    await page.goto(`${baseUrl}/console`);
    await page.type("#loginName", ada.loginName);
    await page.type("#password", "not the words of Ada");
    await submit(page);
    await expect.poll(() => hasFocus(page, "#error-summary")).toBe(true);
    expect(await page.title()).toMatch(/^Error: /);
    await page.type("#password", ada.password);
    await submit(page);
    await page.waitForSelector("#sign-out");

    await page.evaluate(() => Reflect.set(window, "stayed", true));
    const apps = "nav.pages a[href='/console/organizations/acme/apps']";
    await expect.poll(() => isShown(page, apps)).toBe(true);
    await page.click(apps);
    await page.waitForSelector("#add-app");
    await chord(page, "k");
    await expect.poll(() => hasFocus(page, "[role=combobox]")).toBe(true);
    await page.keyboard.type(bob.loginName);
    await expect.poll(() => textOf(page, "[role=option]")).toContain(bob.loginName);
    await page.keyboard.press("Enter");
    await expect.poll(() => new URL(page.url()).pathname).toBe("/console/organizations/acme/users/u-bob");
    await expect.poll(() => textOf(page, "h1")).toBe("Bob Marley");
    await page.goBack();
    await page.waitForSelector("#add-app");
    expect(await page.evaluate(() => Reflect.get(window, "stayed"))).toBe(true);

    await page.goto(`${baseUrl}/console/organizations/acme/texts/password_change/en`);
    await page.waitForSelector(".mail-screen iframe");
    await page.type("#text-subject", "Your words have changed");
    await chord(page, "s");
    await expect.poll(() => textOf(page, ".save-state")).toContain("The text is saved");
    await page.reload();
    await page.waitForSelector("#text-subject");
    expect(await page.$eval("#text-subject", (field) => (field as HTMLInputElement).value)).toBe(
      "Your words have changed",
    );
  });
});

async function chord(page: Page, key: "k" | "s"): Promise<void> {
  await page.keyboard.down("Control");
  await page.keyboard.press(key);
  await page.keyboard.up("Control");
}

/** Sends the form and waits for the document that follows. */
async function submit(page: Page): Promise<void> {
  await Promise.all([page.waitForNavigation(), page.click("#submit")]);
}

/** Whether the element has the focus; `:focus` also asks whether the window has it. */
const hasFocus = (page: Page, selector: string): Promise<boolean> =>
  page.evaluate((wanted) => document.activeElement?.matches(wanted) ?? false, selector);

/** Whether the element is visible: a document arrives in parts, hidden at first. */
const isShown = (page: Page, selector: string): Promise<boolean> =>
  page.evaluate((wanted) => (document.querySelector(wanted)?.getClientRects().length ?? 0) > 0, selector);

/** Returns the text of the first element; empty without one. */
const textOf = (page: Page, selector: string): Promise<string> =>
  page.evaluate((wanted) => document.querySelector(wanted)?.textContent ?? "", selector);
