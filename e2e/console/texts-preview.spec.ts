/** Message texts: the preview, the test message, permissions, and the accessibility of the editor. */

import type { FrameLocator } from "@playwright/test";
import { COLOUR_RULES, findings } from "../axe";
import { ada } from "../directory";
import { keepPicture } from "../pictures";
import { routeOpenPage } from "../route";
import { openConsole } from "./fixtures";
import { expect, field, isReady, openText, oskar, save, savedText, TEXTS, test, vera } from "./texts-fixtures";

/** Repeats the check: a new preview replaces the frame, possibly during the check. */
async function isPhoneWide(letter: FrameLocator): Promise<void> {
  await expect(async () => {
    const widths = await letter.locator("html").evaluate((html) => ({ screen: innerWidth, content: html.scrollWidth }));
    expect(widths).toEqual({ screen: 375, content: 375 });
  }).toPass();
}

test("the preview shows the email of the service in a frame without permissions", async ({ page, service }) => {
  await openText(page, service.baseUrl, "password_change/en");
  const letter = page.frameLocator(".mail-screen iframe:not(.coming)");
  const frame = page.locator(".mail-screen iframe:not(.coming)");
  await expect(letter.getByText("Hello Ada Lovelace")).toBeVisible();
  await expect(frame).toHaveAttribute("sandbox", "");

  let alerts = 0;
  page.on("dialog", () => alerts++);
  const hostile =
    '<script>alert(1)</script><meta http-equiv="refresh" content="0;url=/x"><style>*{display:none}</style>';
  await field(page, "text").fill(`${hostile} {{.FirstName}}`);
  await expect(letter.getByText(`${hostile} Ada`)).toBeVisible();
  await expect(page.locator("#text-text-issues")).toContainText("Markup is shown as you write it.");
  await page.getByLabel("For").selectOption("markup");
  await expect(letter.getByText(`${hostile} <b>Ada</b>`)).toBeVisible();
  await expect(letter.locator("script, b")).toHaveCount(0);
  await field(page, "greeting").fill("Hello {{.DisplayName}}");
  await expect(letter.getByText('Hello <b>Ada</b> {{.Code}} & "Lovelace"')).toBeVisible(); // a name is never treated as a template
  expect(alerts).toBe(0);
  await expect(async () => {
    const inside = await letter.locator("html").evaluate(() => [origin, document.styleSheets.length > 0]);
    expect(inside).toEqual(["null", true]);
  }).toPass(); // a new preview replaces the frame, possibly during the check

  await page.getByLabel("For").selectOption("no_name");
  await expect(letter.getByText("Hello ada@acme.test")).toBeVisible();
  await page.getByLabel("For").selectOption("right_to_left");
  await expect(letter.getByText("Hello ليلى حداد")).toBeVisible();
  await page.getByLabel("For").selectOption("long_name");
  await expect(letter.getByText("Hohenstein-Falkenberg").first()).toBeVisible();
});

test("the preview shows inbox, light and dark, desktop and phone, plain text, without entries in the history", async ({
  page,
  service,
}) => {
  await openText(page, service.baseUrl, "password_change/de");
  const before = await page.evaluate(() => history.length);
  const letter = page.frameLocator(".mail-screen iframe:not(.coming)");
  const ground = letter.locator(".ground").last();
  await expect(ground).toHaveCSS("background-color", "rgb(242, 245, 243)");
  await page.getByRole("radio", { name: "Dark" }).check();
  await expect(ground).toHaveCSS("background-color", "rgb(13, 19, 17)");
  await page.getByRole("radio", { name: "Phone" }).check();
  await isPhoneWide(letter);
  await field(page, "subject").fill("Neues Passwort");
  await field(page, "preHeader").fill("Nur zur Sicherheit");
  await expect(page.locator(".inbox")).toContainText("Neues Passwort Nur zur Sicherheit");
  await page.getByRole("tab", { name: "Plain text" }).click();
  await expect(page.getByRole("region", { name: "Plain text" })).toContainText("/account");
  expect(await page.evaluate(() => history.length)).toBe(before);
  await page.locator("#discard").click();

  await page.getByRole("link", { name: /^Code by text message/ }).click();
  await expect(page.locator(".phone-text")).toContainText("48291537");
  await expect(page.locator(".text-field")).toHaveCount(1);
  await expect(page.locator("#phone-cost")).toContainText(/^Segments to pay for: 1 \(GSM-7\)/);
  await field(page, "text").fill(`{{.Code}} – ${"it is yours. ".repeat(8)}`);
  await expect(page.locator("#phone-cost")).toContainText(/^Segments to pay for: 2 \(UCS-2\)/);
  await expect(page.locator("#phone-cost")).toContainText("less than half as much fits into a segment: –");
  await page.locator("#send-trial").click();
  await expect(page.locator(".trial")).toContainText("no verified phone number");
});

test("a preview is requested once per pause, not once per key", async ({ page, service }) => {
  await openText(page, service.baseUrl, "init/hu");
  let asked = 0;
  page.on("request", (request) => {
    if (request.url().endsWith("/_preview")) asked++;
  });
  await page.clock.install();
  await page.clock.pauseAt(Date.now() + 60_000);
  await field(page, "text").click();
  await page.keyboard.type("Szia, itt a kódod: {{.Code}}");
  expect(asked).toBe(0);
  await page.clock.runFor(1_000);
  await expect(page.frameLocator(".mail-screen iframe:not(.coming)").getByText("Szia, itt a kódod")).toBeVisible();
  expect(asked).toBe(1);
});

test("a test message goes to the user, with the response of the mail server", async ({ page, service, mailbox }) => {
  await openText(page, service.baseUrl, "password_change/fr");
  await field(page, "subject").fill("Bonjour {{.DisplayName}}");
  await page.getByLabel("For").selectOption("right_to_left");
  await expect(page.locator(".inbox")).toContainText("Bonjour ليلى حداد");
  await page.locator("#send-trial").click();
  await expect(page.locator(".trial")).toContainText(`Sent to ${ada.loginName}.`);
  await expect(page.locator(".trial")).toContainText(/Last response: 250/);
  expect((await mailbox.take(ada.loginName)).subject).toBe("[Essai] Bonjour ليلى حداد");
  expect((await savedText(page, "password_change/fr")).isDefault).toBe(true);
});

test("a test message contains the current input, even before the preview shows it", async ({
  page,
  service,
  mailbox,
}) => {
  await openText(page, service.baseUrl, "password_change/fr");
  await routeOpenPage(page, "**/_preview", () => {}); // never answered
  await field(page, "subject").fill("Bonsoir {{.DisplayName}}");
  await page.locator("#send-trial").click();
  await expect(page.locator(".trial")).toContainText(`Sent to ${ada.loginName}.`);
  expect((await mailbox.take(ada.loginName)).subject).toBe("[Essai] Bonsoir Ada Lovelace");
  await page.locator("#discard").click();
});

test("a user with read access only sees the texts", async ({ page, service }) => {
  await openText(page, service.baseUrl, "init/en", vera);
  await expect(page.getByText("You can read these texts, but not change them.")).toBeVisible();
  await expect(field(page, "subject")).toHaveAttribute("readonly", "");
  for (const id of ["save", "reset-text", "copy-text", "import-texts", "send-trial"]) {
    await expect(page.locator(`#${id}`)).toHaveCount(0);
  }
  await expect(page.getByRole("button", { name: /Revert|Start from|Leave empty|Insert/ })).toHaveCount(0);
  await page.goto(`${service.baseUrl}/console/texts`);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Nothing to manage here");
});

test("the owner of one organization sees its texts and no others", async ({ page, service }) => {
  await openConsole(page, `${service.baseUrl}/console/organizations/other/texts/init/en`, oskar);
  await isReady(page);
  await expect(page.locator(".texts-head")).toContainText("Other <b>Ltd</b>");
  await field(page, "subject").fill("Other's own");
  await save(page);
  for (const path of [`${TEXTS}/init/en`, "/console/organizations/nowhere/texts/init/en"]) {
    expect((await page.goto(`${service.baseUrl}${path}`))?.status()).toBe(404);
  }
  await page.goto(`${service.baseUrl}/console/texts/init/en`);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Nothing to manage here");
  const statuses: [string, number][] = [
    ["init/xx", 404],
    ["nope/en", 404],
    ["init/EN", 404],
    ["..%2finit/en", 400], // a path with `..` does not exist
  ];
  for (const [text, status] of statuses) {
    const answer = await page.goto(`${service.baseUrl}/console/organizations/other/texts/${text}`);
    expect(answer?.status(), text).toBe(status);
  }
});

test("the editor is operable with the keyboard alone", async ({ page, service }) => {
  await openText(page, service.baseUrl, "verifyemail/en");
  const tabTo = async (what: string) => {
    for (let presses = 0; presses < 80; presses++) {
      if (await page.evaluate((selector) => document.activeElement?.matches(selector), what)) return;
      await page.keyboard.press("Tab");
    }
    throw new Error(`The Tab key never came to ${what}`);
  };
  await tabTo(".language-tabs [role=tab]");
  await page.keyboard.press("ArrowRight");
  await expect(page).toHaveURL(/verifyemail\/es$/);
  // The address changes before the fields; input in the other fields is discarded, and these can be edited once the
  // text has arrived.
  await expect(field(page, "title")).toHaveAttribute("lang", "es");
  await expect(field(page, "title")).toBeEditable();
  await tabTo("#text-title");
  await page.keyboard.type("Hola {{First");
  await page.keyboard.press("Tab"); // selects the variable
  await expect(field(page, "title")).toHaveValue("Hola {{.FirstName}}");
  await tabTo("#save");
  await page.keyboard.press("Enter");
  await expect(page.locator(".save-state")).toHaveText("The text is saved");
  await tabTo("#reset-text, #send-trial");
  expect(await page.evaluate(() => document.activeElement?.id)).toBe("send-trial");
  await page.locator("#reset-text").focus();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("dialog")).toBeVisible();
  await tabTo("#reset-confirm");
  await page.keyboard.press("Enter");
  await expect(page.locator("#undo-reset")).toBeFocused(); // before the ten seconds are over
  await page.keyboard.press("Enter");
  await expect(field(page, "title")).toHaveValue("Hola {{.FirstName}}");
  await expect(page.locator(".save-state")).toBeFocused(); // the focus is not lost with the button
});

test("Arabic texts run from right to left, and the console's own from left to right", async ({ page, service }) => {
  await openText(page, service.baseUrl, "init/ar");
  await expect(field(page, "subject")).toHaveAttribute("dir", "rtl");
  await expect(field(page, "subject")).toHaveAttribute("lang", "ar");
  await expect(page.locator("html")).toHaveAttribute("dir", "ltr");
  await expect(page.frameLocator(".mail-screen iframe:not(.coming)").locator("html")).toHaveAttribute("dir", "rtl");
});

for (const text of ["domainclaimed/de", "password_change/ar"]) {
  test(`fits a phone, however long names and addresses are: ${text}`, async ({ page, service }) => {
    await openText(page, service.baseUrl, text);
    await page.getByRole("radio", { name: "Phone" }).check();
    await page.getByLabel("For").selectOption("long_name");
    const letter = page.frameLocator(".mail-screen iframe:not(.coming)");
    await expect(letter.getByText("Hohenstein-Falkenberg").first()).toBeVisible();
    await isPhoneWide(letter);
  });
}

test("has no accessibility errors, light and dark, wide and narrow", async ({ page, service }) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  await openText(page, service.baseUrl, "init/en");
  const look = async (name: string, schemes: readonly ("light" | "dark")[] = ["light"]) => {
    for (const colorScheme of schemes) {
      await page.emulateMedia({ colorScheme });
      expect(await findings(page, colorScheme === "dark" ? COLOUR_RULES : undefined), name).toEqual([]);
      await keepPicture(page, `texts-${name}-${colorScheme}`);
    }
    const sideways = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    expect(sideways, name).toBeLessThanOrEqual(0);
  };
  await look("first");
  await field(page, "greeting").fill("Dear {{.Fistname}},");
  await expect(page.locator("#text-greeting-issues")).toContainText("This variable doesn’t exist");
  await page.locator("summary", { hasText: "Variables" }).click();
  await look("wrong", ["light", "dark"]);
  await field(page, "greeting").fill("Dear {{");
  await expect(page.getByRole("listbox")).toBeVisible();
  await look("offered");
  await page.keyboard.press("Escape");
  await field(page, "greeting").fill("Dear {{.FirstName}},");
  await page.getByRole("tab", { name: "Compare" }).click();
  await look("compared", ["dark", "light"]);
  for (const id of ["copy-text", "show-curl", "import-texts"]) {
    await page.locator(`#${id}`).click();
    await expect(page.getByRole("dialog")).toBeVisible();
    await look(id);
    await page.keyboard.press("Escape");
    await expect(page.getByRole("dialog")).toHaveCount(0);
  }
  await page.setViewportSize({ width: 320, height: 800 });
  for (const pane of ["Messages", "Edit", "Preview"]) {
    await page.getByRole("tab", { name: pane, exact: true }).click();
    await expect(page.getByRole("tabpanel", { name: pane })).toBeVisible();
    await look(`narrow-${pane}`, ["dark", "light"]);
  }
});
