/** The text editor with late responses: input, requests and previews belong to the open text. */

import { ada } from "../directory";
import { routeOpenPage } from "../route";
import { openConsole } from "./fixtures";
import { late } from "./late";
import { expect, field, isReady, openText, save, savedText, TEXTS, test } from "./texts-fixtures";

interface Sent {
  request(): { method(): string };
}
const isRead = (route: Sent) => route.request().method() === "GET";
const isSaved = (route: Sent) => route.request().method() === "PUT";

test("a response from before a save does not restore the earlier text", async ({ page, service }) => {
  await openText(page, service.baseUrl, "init/fi");
  await page.getByRole("tab", { name: /français/ }).click();
  await expect(field(page, "subject")).toBeEditable();
  const answer = await late(page, "**/init/fi/_explain", isRead);
  await page.getByRole("tab", { name: /suomi/ }).click();
  await answer.asked;
  await field(page, "subject").fill("Tervetuloa");
  await save(page);
  await answer.come();
  await expect(field(page, "subject")).toHaveValue("Tervetuloa");
  await field(page, "title").fill("Hei");
  await save(page); // based on the saved text
});

test("a late response about one text does not affect the text that is open by then", async ({
  page,
  service,
  context,
}) => {
  await openText(page, service.baseUrl, "init/da");
  const other = await context.newPage();
  await other.goto(`${service.baseUrl}${TEXTS}/init/da`);
  await isReady(other);
  await field(other, "subject").fill("Deres");
  await save(other);
  await other.close();
  await field(page, "subject").fill("Min");
  const refused = await late(page, "**/init/da", isSaved);
  await page.locator("#save").click();
  await refused.asked;
  const read = await late(page, "**/init/fr/_explain", isRead);
  await page.getByRole("tab", { name: /français/ }).click();
  await read.asked;
  await refused.come();
  await read.come();
  await expect(field(page, "subject")).toBeEditable();
  await field(page, "subject").fill("Mon objet");
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await page.locator("#discard").click();
  await page.getByRole("tab", { name: /dansk/ }).click();
  await expect(field(page, "subject")).toHaveValue("Min");
  await page.locator("#discard").click();
});

test("a correction is applied at the current place of the mistake", async ({ page, service }) => {
  await openText(page, service.baseUrl, "passwordreset/sv");
  await field(page, "greeting").fill("Hej {{.Fistname}}!");
  const suggestion = page.locator("#text-greeting-issues").getByRole("button", { name: "{{.FirstName}}" });
  await expect(suggestion).toBeVisible();
  await routeOpenPage(page, "**/_preview", () => {}); // never answered
  await field(page, "greeting").fill("Nu: Hej {{.Fistname}}!");
  await suggestion.click();
  await expect(field(page, "greeting")).toHaveValue("Nu: Hej {{.FirstName}}!");
  await page.locator("#discard").click();
});

test("the result of the last test message is shown, not that of an earlier one", async ({ page, service }) => {
  await openText(page, service.baseUrl, "password_change/en");
  const json = (body: object) => ({ status: 200, contentType: "application/json", body: JSON.stringify(body) });
  await routeOpenPage(page, "**/password_change/en/_test_send", (route) =>
    route.fulfill(json({ id: "t1", recipient: ada.loginName })),
  );
  await routeOpenPage(page, "**/messages/_test_send", (route) =>
    route.fulfill(json({ recipient: ada.loginName, languages: ["de", "en"] })),
  );
  await routeOpenPage(page, "**/text/trials/t1", (route) => route.fulfill(json({ state: "queued", lastAnswer: null })));
  await page.locator("#send-trial").click();
  const shown = page.locator(".trial [role=status]");
  await expect(shown).not.toBeEmpty();
  const answer = await late(page, "**/text/trials/t1", isRead, json({ state: "queued", lastAnswer: null }));
  await answer.asked;
  await page.locator("#send-trials").click();
  await expect(shown).toContainText("2 tests are on their way");
  await answer.come();
  await expect(shown).toContainText("2 tests are on their way");
});

test("the chosen file is imported, and only once", async ({ page, service }) => {
  await openText(page, service.baseUrl, "init/en");
  await page.locator("#import-texts").click();
  const choose = (...languages: string[]) => {
    const messageTexts = languages.map((language) => ({ type: "init", language, subject: `In ${language}` }));
    const buffer = Buffer.from(JSON.stringify({ messageTexts }));
    return page.locator("#import-file").setInputFiles({ name: "t.json", mimeType: "application/json", buffer });
  };
  const dialog = page.getByRole("dialog");
  const exported = await late(page, /text.*_export|_export.*text|text\/messages?$/, isRead);
  await choose("et", "lv");
  await exported.asked;
  await choose("lt");
  await expect(dialog).toContainText("1 text to save");
  await exported.come();
  await expect(dialog).toContainText("1 text to save");
  const saved = await late(page, "**/init/lt", isSaved);
  await page.locator("#import-confirm").click();
  await saved.asked;
  await expect(page.locator("#import-confirm")).toHaveCount(0);
  await saved.come();
  await expect(dialog).toContainText("1 of 1 done");
  expect(saved.count()).toBe(1);
  expect((await savedText(page, "init/et")).isDefault).toBe(true);
});

test("each translator's file gets its own result", async ({ page, service }) => {
  await openConsole(page, `${service.baseUrl}${TEXTS}/pages/sign-in/en`, ada);
  await page.locator("#translators").click();
  const choose = (notYou: string) => {
    const buffer = Buffer.from(JSON.stringify({ language: "en", pages: { signIn: { notYou } } }));
    return page.locator("#translated-file").setInputFiles({ name: "t.json", mimeType: "application/json", buffer });
  };
  const dialog = page.getByRole("dialog");
  const answer = await late(page, /translations/i);
  await choose("The slow one?");
  await answer.asked;
  await choose("{{.Foo}}");
  await expect(dialog.getByRole("alert")).toContainText("page.signIn.notYou");
  await answer.come();
  await expect(dialog.getByRole("alert")).toContainText("page.signIn.notYou");
  await expect(page.locator("#take-translations")).toHaveCount(0);
});

test("a search shows no results of an earlier one", async ({ page, service }) => {
  await openConsole(page, `${service.baseUrl}${TEXTS}/pages/sign-in/en`, ada);
  await page.locator("#search-texts").click();
  await page.locator("#search-all").fill("Forgot your pass");
  await expect(page.locator(".found-texts a")).toHaveText(["Login page texts"]);
  const answer = await late(page, "**/text/_search");
  await page.locator("#search-all").fill("Activate your account");
  await answer.asked;
  await expect(page.locator(".found-texts a")).toHaveCount(0);
  await answer.come();
  await expect(page.locator(".found-texts a").first()).toContainText("Activate account");
});

test("a preview that replaces another keeps the keyboard focus of its reader", async ({ page, service }) => {
  await openText(page, service.baseUrl, "init/en");
  const letter = page.frameLocator(".mail-screen iframe:not(.coming)");
  const answer = await late(page, "**/_preview");
  await field(page, "title").fill("Nearly there");
  await answer.asked;
  await letter.getByRole("link").first().focus();
  await answer.come();
  await expect(letter.getByText("Nearly there")).toBeVisible();
  await expect(page.locator(".mail-screen iframe")).toHaveCount(1);
  await expect(page.locator(".mail-screen iframe")).toBeFocused();
  await page.locator("#discard").click();
});

test("a reset that is confirmed while the text is being saved comes after that", async ({ page, service }) => {
  await openText(page, service.baseUrl, "verifyphone/it");
  await field(page, "text").fill("Codice: {{.Code}}");
  await save(page);
  await field(page, "text").fill("Il codice: {{.Code}}");
  const answer = await late(page, "**/verifyphone/it", isSaved);
  await page.locator("#save").click();
  await answer.asked;
  await page.locator("#reset-text").click();
  await page.locator("#reset-confirm").click();
  await answer.come();
  await expect(page.locator("#undo-reset")).toBeVisible();
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await expect(field(page, "text")).toHaveValue("");
  expect((await savedText(page, "verifyphone/it")).isDefault).toBe(true);
});

test("a save during another save is performed after it", async ({ page, service }) => {
  await openText(page, service.baseUrl, "passwordreset/pl");
  await field(page, "subject").fill("Pierwszy");
  const answer = await late(page, "**/passwordreset/pl", isSaved);
  await page.keyboard.press("Control+s");
  await answer.asked;
  await field(page, "subject").fill("Drugi");
  await page.keyboard.press("Control+s");
  await answer.come();
  await expect(page.locator(".save-state")).toHaveText("The text is saved");
  await expect(page.locator("#discard")).toHaveCount(0);
  expect((await savedText(page, "passwordreset/pl")).subject).toBe("Drugi");
  expect(answer.count()).toBe(2);
});

test("a button pressed twice saves once, and later input does not count as saved", async ({ page, service }) => {
  await openText(page, service.baseUrl, "passwordreset/cs");
  await field(page, "subject").fill("První");
  const answer = await late(page, "**/passwordreset/cs", isSaved);
  await page.locator("#save").dblclick();
  await answer.asked;
  await expect(page.locator("#save")).toBeDisabled();
  await field(page, "subject").fill("Druhý");
  await expect(page.locator("#save")).toBeEnabled();
  await answer.come();
  await expect(page.locator(".save-state")).toHaveText("Not saved yet");
  expect((await savedText(page, "passwordreset/cs")).subject).toBe("První");
  expect(answer.count()).toBe(1);
  await page.locator("#discard").click();
  await expect(field(page, "subject")).toHaveValue("První");
});

test("a save in another language during a save is performed after it", async ({ page, service }) => {
  await openText(page, service.baseUrl, "verifyemail/pl");
  await field(page, "subject").fill("Po polsku");
  const answer = await late(page, "**/verifyemail/pl", isSaved);
  await page.keyboard.press("Control+s");
  await answer.asked;
  await page.getByRole("tab", { name: /français/ }).click();
  await field(page, "subject").fill("En français");
  await page.keyboard.press("Control+s");
  await page.getByRole("tab", { name: /suomi/ }).click();
  await expect(field(page, "subject")).toBeEditable();
  await answer.come();
  await expect.poll(async () => (await savedText(page, "verifyemail/fr")).subject).toBe("En français");
});

test("an undo of a reset during another save is performed after it", async ({ page, service }) => {
  await openText(page, service.baseUrl, "verifyphone/pl");
  await field(page, "text").fill("Kod: {{.Code}}");
  await save(page);
  await page.locator("#reset-text").click();
  await page.locator("#reset-confirm").click();
  await expect(page.locator("#undo-reset")).toBeVisible();
  await page.locator("#undo-reset").hover(); // keeps its ten seconds from passing
  await page.getByRole("tab", { name: /suomi/ }).focus();
  await page.keyboard.press("Enter");
  await field(page, "text").fill("Koodi: {{.Code}}");
  const answer = await late(page, "**/verifyphone/fi", isSaved);
  await page.keyboard.press("Control+s");
  await answer.asked;
  await page.locator("#undo-reset").click();
  await answer.come();
  await expect.poll(async () => (await savedText(page, "verifyphone/pl")).text).toBe("Kod: {{.Code}}");
  expect((await savedText(page, "verifyphone/fi")).text).toBe("Koodi: {{.Code}}");
});

test("the undo of a reset does not overwrite a text that is being saved", async ({ page, service }) => {
  await openText(page, service.baseUrl, "verifyphone/cs");
  await field(page, "text").fill("Kód: {{.Code}}");
  await save(page);
  await page.locator("#reset-text").click();
  await page.locator("#reset-confirm").click();
  await page.locator("#undo-reset").hover(); // keeps its ten seconds from passing
  await field(page, "text").fill("Nový kód: {{.Code}}");
  const answer = await late(page, "**/verifyphone/cs", isSaved);
  await page.keyboard.press("Control+s");
  await answer.asked;
  await expect(page.locator("#undo-reset")).toHaveCount(0);
  await answer.come();
  await expect(page.locator(".save-state")).toHaveText("The text is saved");
});
