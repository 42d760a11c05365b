/**
 * The page texts: edited beside the real page, found by a click, protected from conflicts, and recorded in the
 * history.
 */
import { findings } from "../axe";
import { ada } from "../directory";
import { keepPicture } from "../pictures";
import { openConsole } from "./fixtures";
import { expect, TEXTS, test, vera } from "./texts-fixtures";

const SIGN_IN = `${TEXTS}/pages/sign-in/en`;

test("a text is changed at its place on the page, and users see it", async ({ page, service }) => {
  await openConsole(page, service.baseUrl + SIGN_IN, ada);
  const frame = page.locator(".mail-screen iframe:not(.coming)");
  const shown = page.frameLocator(".mail-screen iframe:not(.coming)");
  const title = page.locator("#word-signIn-title");
  await expect(frame).toHaveAttribute("sandbox", "allow-scripts");
  await expect(async () => {
    await shown.locator('h1 [data-word="signIn.title"]').press("Enter");
    await expect(title).toBeFocused({ timeout: 1_000 });
  }).toPass();

  let alerts = 0;
  page.on("dialog", () => alerts++);
  await title.fill("<img src=x onerror=alert(1)> {{.Foo}}");
  await expect(shown.locator("h1")).toContainText("<img src=x onerror=alert(1)>");
  await expect(shown.locator("main img, form[action]")).toHaveCount(0);
  await expect(page.locator("#word-signIn-title-issues")).toContainText("Enter plain text");
  await page.locator("#save").click();
  await expect(page.locator(".save-bar [role=alert]")).toContainText("Enter plain text");
  expect(alerts).toBe(0);
  await title.fill("Welcome back");
  await expect(shown.locator("h1")).toHaveText("Welcome back");
  await expect(shown.locator("[data-chosen]")).toHaveText("Welcome back");
  expect(await findings(page)).toEqual([]);
  await keepPicture(page, "words of the pages");
  await page.locator("#save").click();
  await expect(page.locator(".save-state")).toHaveText("The text is saved");

  await page.locator("#words-history").click();
  await expect(page.getByRole("dialog")).toContainText(/Changed.*Ada/);
  await page.getByRole("dialog").getByRole("button", { name: "Close" }).last().click();
  await page.goto(`${service.baseUrl}${TEXTS}/pages/continue/en`);
  await expect(page.locator(".fixed-words")).toContainText("Continue to {{.AppName}} as {{.Name}}?");
  await expect(page.frameLocator(".mail-screen iframe:not(.coming)").locator("[data-fixed]").first()).toBeVisible();
});

test("a search covers all texts, and a translator's file is imported completely or not at all", async ({
  page,
  service,
}) => {
  await openConsole(page, service.baseUrl + SIGN_IN, ada);
  await page.locator("#search-texts").click();
  await page.locator("#search-all").fill("Forgot your pass");
  await expect(page.locator(".found-texts a")).toHaveText(["Login page texts"]);
  await page.keyboard.press("Escape");

  await page.locator("#translators").click();
  const download = page.waitForEvent("download");
  await page.locator("#download-texts").click();
  expect((await download).suggestedFilename()).toBe("texts-en.xlf");
  const file = (texts: object) => ({
    name: "texts-en.json",
    mimeType: "application/json",
    buffer: Buffer.from(JSON.stringify({ language: "en", ...texts })),
  });
  const input = page.locator("#translated-file");
  await input.setInputFiles(file({ pages: { signIn: { notYou: "{{.Foo}}" } } }));
  await expect(page.getByRole("dialog").getByRole("alert")).toContainText("page.signIn.notYou");
  await input.setInputFiles(file({ pages: { signIn: { notYou: "Somebody else?" } } }));
  await page.locator("#take-translations").click();
  await expect(page.getByRole("dialog")).toContainText("1 text saved");
});

test("a user with read access sees everything except the means to change it", async ({ page, service }) => {
  await openConsole(page, service.baseUrl + SIGN_IN, vera);
  await expect(page.locator("#word-signIn-title")).not.toBeEditable();
  await expect(page.locator("#save")).toHaveCount(0);
  expect(await findings(page)).toEqual([]);
});
