/** Message texts: every task of the editor as a user does it. */
import { expect, field, isReady, openText, save, savedText, TEXTS, test } from "./texts-fixtures";

test("the list shows messages by purpose, the number of customized languages, and the owner of each text", async ({
  page,
  service,
}) => {
  await openText(page, service.baseUrl, "invite_user/de");
  const list = page.getByRole("navigation", { name: "Messages" });
  await expect(list.getByRole("heading")).toHaveText([
    "Getting started",
    "Confirming",
    "Codes to sign in",
    "Password",
    "Changes",
  ]);
  await expect(list.getByRole("link", { name: /^Invitation/ })).toContainText("No language customized");
  await expect(page.getByRole("tab", { name: /Deutsch/ })).toContainText("Built-in");

  await field(page, "subject").fill("Willkommen bei ACME");
  await save(page);
  await expect(list.getByRole("link", { name: /^Invitation/ })).toContainText("1 language customized");
  await expect(page.getByRole("tab", { name: /Deutsch/ })).toContainText("Customized1 of 7 fields");

  await page.goto(`${service.baseUrl}/console/texts/invite_user/fr`);
  await isReady(page);
  await field(page, "title").fill("Bienvenue");
  await save(page);
  await page.goto(`${service.baseUrl}${TEXTS}/invite_user/fr`);
  await expect(page.getByRole("tab", { name: /français/ })).toContainText("From instance");
  await expect(page.locator("#text-title-state")).toHaveText("From instance");
  await expect(field(page, "title")).toHaveAttribute("placeholder", "Bienvenue");
});

test("arrow keys and the name of a language lead from text to text without a new page", async ({ page, service }) => {
  await openText(page, service.baseUrl, "init/de");
  for (const beside of [/dansk/, /eesti/]) await expect(page.getByRole("tab", { name: beside })).toBeInViewport();
  await page.evaluate(() => Reflect.set(window, "stayed", true));
  await page.getByRole("tab", { name: /Deutsch/ }).focus();
  await page.keyboard.press("ArrowRight");
  await expect(page).toHaveURL(/\/init\/et$/);
  await page.keyboard.press("ArrowRight");
  await expect(page).toHaveURL(/\/init\/en$/);
  await expect(page.getByRole("tab", { name: /English/ })).toBeFocused();
  await expect(field(page, "subject")).toHaveAttribute("placeholder", "Activate your account");
  await page.keyboard.press("End");
  await expect(page).toHaveURL(/\/init\/ja$/);
  await expect(page.getByRole("tab", { name: /日本語/ })).toBeInViewport({ ratio: 1 });
  await page.getByLabel("Find a language").fill("korea");
  await expect(page.getByRole("tablist", { name: "Languages" }).getByRole("tab")).toHaveCount(1);
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/init\/ko$/);
  await page.getByRole("link", { name: /^Password changed/ }).click();
  await expect(page).toHaveURL(/\/password_change\/ko$/);
  await page.goBack();
  await expect(page).toHaveURL(/\/init\/ko$/);
  await expect(page.locator("#message-name")).toHaveText("Activate account");
  expect(await page.evaluate(() => Reflect.get(window, "stayed"))).toBe(true);
});

test("the editor suggests variables during input, and Ctrl+Z undoes them", async ({ page, service }) => {
  await openText(page, service.baseUrl, "passwordreset/de");
  const subject = field(page, "subject");
  await subject.click();
  await page.keyboard.type("Hallo {{");
  const list = page.getByRole("listbox", { name: "Variables" });
  await expect(list.getByRole("option").first()).toHaveAttribute("aria-selected", "true");
  await page.keyboard.type("Na");
  await page.keyboard.press("ArrowDown");
  await expect(list.getByRole("option", { selected: true })).toContainText("{{.FirstName}}");
  await expect(subject).toHaveAttribute("aria-activedescendant", "text-subject-FirstName");
  await page.keyboard.press("Enter");
  await expect(subject).toHaveValue("Hallo {{.FirstName}}");
  await expect(list).toHaveCount(0);
  await page.keyboard.press("Control+z");
  await expect(subject).toHaveValue("Hallo {{Na");
  await page.keyboard.press("Control+y");
  await expect(subject).toHaveValue("Hallo {{.FirstName}}");
  await page.keyboard.type(" {{");
  await page.keyboard.press("Escape");
  await expect(list).toHaveCount(0);

  await subject.fill("Für : neu");
  await subject.evaluate((area: HTMLTextAreaElement) => area.setSelectionRange(4, 4));
  await page.locator("summary", { hasText: "Variables" }).click();
  await page.getByRole("button", { name: "Insert {{.DisplayName}}" }).click();
  await expect(subject).toHaveValue("Für {{.DisplayName}}: neu");
  await expect(subject).toBeFocused();
  await page.keyboard.press("Control+z");
  await expect(subject).toHaveValue("Für : neu");
});

test("the editor reports mistakes during input, and saving leads to them", async ({ page, service }) => {
  await openText(page, service.baseUrl, "passwordreset/en");
  await field(page, "greeting").fill("Dear {{.Fistname}} {{.Password}} and {{.LastName");
  const wrong = page.locator("#text-greeting-issues");
  await expect(wrong.getByRole("listitem")).toHaveCount(3);
  await expect(wrong).toContainText(/This variable doesn’t exist\..*Did you mean {{\.FirstName}}/);
  await expect(page.locator(".text-marks mark.problem").first()).toHaveText("{{.Fistname}}");
  await expect(field(page, "greeting")).toHaveAttribute("aria-invalid", "true");

  await page.keyboard.press("Control+s");
  await expect(field(page, "greeting")).toBeFocused();
  const selection = () =>
    field(page, "greeting").evaluate((area: HTMLTextAreaElement) => [area.selectionStart, area.selectionEnd]);
  await expect.poll(selection).toEqual([5, 18]); // it was focused before: the selection comes with the response
  expect((await savedText(page, "passwordreset/en")).isDefault).toBe(true);

  await wrong.getByRole("button", { name: "{{.FirstName}}" }).click();
  await expect(field(page, "greeting")).toHaveValue("Dear {{.FirstName}} {{.Password}} and {{.LastName");
  await field(page, "greeting").fill("Dear {{.FirstName}}, #{7*7} <%= 1 %> {{ .LastName }}");
  await expect(wrong.getByRole("listitem")).toHaveCount(0);
  await save(page);
  expect((await savedText(page, "passwordreset/en")).greeting).toBe(
    "Dear {{.FirstName}}, #{7*7} <%= 1 %> {{ .LastName }}",
  );
});

test("the editor counts characters as the service does, and saves up to the limit", async ({ page, service }) => {
  await openText(page, service.baseUrl, "passwordreset/fr");
  const subject = field(page, "subject");
  await subject.fill("🎉".repeat(449));
  await expect(page.locator(".text-counter")).toHaveText("449 / 500");
  await expect(page.locator(".text-counter")).toHaveClass(/fine/);
  await subject.fill("🎉".repeat(450));
  await expect(page.getByText("Subject: close to the limit of 500 characters.")).toBeAttached();
  await subject.fill("🎉".repeat(501));
  await expect(page.getByText("Subject: longer than the limit of 500 characters.")).toBeAttached();
  await page.keyboard.press("Control+s");
  await expect(page.locator(".save-bar").getByRole("alert")).toContainText("500");
  await subject.fill("🎉".repeat(500));
  await save(page);
});

test("the editor shows the text in force, an intentionally empty field, and resets a single field", async ({
  page,
  service,
}) => {
  await openText(page, service.baseUrl, "password_change/it");
  const title = page.locator("#text-title-state");
  await expect(title).toHaveText("Built-in");
  await page.getByRole("button", { name: "Leave empty on purpose: Title" }).click();
  await expect(title).toHaveText("Empty on purpose");
  await page.getByRole("button", { name: "Start from this text: Greeting" }).click();
  await expect(field(page, "greeting")).toHaveValue(/\{\{\.DisplayName}}/);
  await expect(page.locator("#text-greeting-issues")).toContainText("This text applies anyway");
  await save(page);
  await page.reload();
  await expect(title).toHaveText("Empty on purpose");
  await expect(page.frameLocator("iframe").locator("h1")).toHaveCount(0);
  await page.getByRole("button", { name: "Revert field: Title" }).click();
  await expect(title).toHaveText("Built-in");
  await expect(page.frameLocator(".mail-screen iframe:not(.coming)").locator("h1")).toHaveCount(1);
  await field(page, "greeting").fill("Ciao {{.FirstName}},");
  await page.getByRole("tab", { name: "Compare" }).click();
  const difference = page.locator(".comparison dd").filter({ has: page.locator("ins") });
  await expect(difference.locator("ins")).toContainText("Added: Ciao {{.FirstName}}");
  await expect(difference.locator("del")).toContainText("{{.DisplayName}}");
});

test("a reset shows the text that applies then, and can be undone for ten seconds", async ({ page, service }) => {
  await openText(page, service.baseUrl, "verifyemail/it");
  await expect(page.locator("#reset-text")).toBeDisabled();
  await field(page, "subject").fill("Confirma, {{.FirstName}}");
  await save(page);
  await page.locator("#reset-text").click();
  const dialog = page.getByRole("dialog", { name: "Reset “Verify email address” in italiano" });
  await expect(dialog).toContainText("The text of ACME is removed.");
  await expect(dialog.getByRole("definition")).toHaveCount(1);
  await page.locator("#reset-confirm").click();
  await expect(page.locator(".save-state")).toHaveText("Verify email address, italiano: reset");
  await page.locator("#undo-reset").hover(); // keeps the ten seconds from passing
  expect((await savedText(page, "verifyemail/it")).isDefault).toBe(true);
  await page.locator("#undo-reset").click();
  await expect(field(page, "subject")).toHaveValue("Confirma, {{.FirstName}}");
  expect((await savedText(page, "verifyemail/it")).subject).toBe("Confirma, {{.FirstName}}");
});

test("the editor shows what another user saved in the meantime, and keeps the chosen version", async ({
  page,
  service,
  context,
}) => {
  await openText(page, service.baseUrl, "init/nl");
  const other = await context.newPage();
  await other.goto(`${service.baseUrl}${TEXTS}/init/nl`);
  await isReady(other);
  await field(page, "subject").fill("Mijn onderwerp");
  await field(other, "subject").fill("Ander onderwerp");
  await field(other, "title").fill("Andere titel");
  await save(other);
  await page.keyboard.press("Control+s");
  const dialog = page.getByRole("dialog", { name: "Someone else saved this text" });
  await expect(dialog.getByRole("group", { name: "Subject" })).toContainText("Mijn onderwerp");
  await expect(dialog.getByRole("group", { name: "Subject" })).toContainText("Ander onderwerp");
  await expect(dialog.getByRole("group", { name: "Subject" }).getByRole("radio", { name: /Yours/ })).toBeChecked();
  await expect(dialog.getByRole("group", { name: "Title" }).getByRole("radio", { name: /Theirs/ })).toBeChecked();
  expect((await savedText(page, "init/nl")).subject).toBe("Ander onderwerp"); // nothing was overwritten
  await page.locator("#save-merged").click();
  await expect(dialog).toHaveCount(0);
  expect(await savedText(page, "init/nl")).toMatchObject({ subject: "Mijn onderwerp", title: "Andere titel" });
});

test("drafts are marked, asked about, and restored", async ({ page, service }) => {
  await openText(page, service.baseUrl, "domainclaimed/pl");
  await field(page, "subject").fill("Nowa nazwa");
  await expect(page.getByRole("tab", { name: /polski/ })).toContainText("Not saved");
  await page.getByRole("tab", { name: /Deutsch/ }).click();
  await page.getByRole("tab", { name: /polski/ }).click();
  await expect(field(page, "subject")).toHaveValue("Nowa nazwa");

  await page.getByRole("link", { name: "Overview" }).first().click();
  const dialog = page.getByRole("dialog", { name: "These texts are not saved" });
  await expect(dialog).toContainText("Domain claimed · polski");
  await page.locator("#stay").click();
  await expect(page).toHaveURL(/domainclaimed\/pl$/);
  const asked: string[] = [];
  page.on("dialog", (question) => {
    asked.push(question.type());
    void question.accept();
  });
  await page.reload();
  expect(asked).toEqual(["beforeunload"]);
  await expect(field(page, "subject")).toHaveValue("Nowa nazwa");
  await page.getByRole("link", { name: "Overview" }).first().click();
  await page.locator("#leave").click();
  await expect(page).toHaveURL(`${service.baseUrl}/console`);
  expect(asked).toEqual(["beforeunload"]);
  await page.goBack();
  await expect(field(page, "subject")).toHaveValue("Nowa nazwa");
  await page.locator("#discard").click();
  await expect(field(page, "subject")).toHaveValue("");
});

test("the editor copies from another language, exports and imports all texts, and shows the call as curl", async ({
  page,
  service,
}) => {
  await openText(page, service.baseUrl, "verifyemailotp/en");
  await field(page, "subject").fill("It's your code");
  await save(page);
  await page.getByRole("tab", { name: /svenska/ }).click();
  await page.locator("#copy-text").click();
  await expect(page.getByRole("dialog").getByLabel("From")).toHaveValue("en");
  await page.locator("#copy-confirm").click();
  await expect(field(page, "subject")).toHaveValue("It's your code");
  expect((await savedText(page, "verifyemailotp/sv")).isDefault).toBe(true);

  await page.locator("#show-curl").click();
  const command = await page.getByRole("dialog").locator("pre").textContent();
  expect(command).toContain(`curl -X PUT '${service.baseUrl}/management/v1/text/message/verifyemailotp/sv'`);
  expect(command).toContain("-H 'x-service-orgid: acme'");
  expect(command).toContain(`"subject": "It'\\''s your code"`);
  await page.keyboard.press("Escape");
  await page.locator("#discard").click();

  const started = page.waitForEvent("download");
  await page.locator("#export-texts").click();
  const download = await started;
  expect(download.suggestedFilename()).toBe("message-texts.json");
  const chunks: Buffer[] = [];
  for await (const chunk of await download.createReadStream()) chunks.push(chunk as Buffer);
  const file = JSON.parse(Buffer.concat(chunks).toString()) as { messageTexts: object[] };
  expect(file.messageTexts).toContainEqual({ type: "verifyemailotp", language: "en", subject: "It's your code" });

  const given = [
    ...file.messageTexts,
    { type: "verifyemailotp", language: "ro", subject: "Cod" },
    { type: "verifyemailotp", language: "ru", subject: "{{.Nope}}" },
  ];
  await page.locator("#import-texts").click();
  const choose = (content: string) =>
    page
      .locator("#import-file")
      .setInputFiles({ name: "t.json", mimeType: "application/json", buffer: Buffer.from(content) });
  await choose("<script>");
  await expect(page.getByRole("dialog")).toContainText("The file isn’t JSON. Choose a file that you exported here.");
  await choose(JSON.stringify(given));
  await expect(page.getByRole("dialog")).toContainText("2 texts to save");
  await page.locator("#import-confirm").click();
  await expect(page.getByRole("dialog")).toContainText("2 of 2 done");
  await expect(page.getByRole("dialog").getByRole("listitem").nth(1)).toContainText(
    "In “Subject”: This variable doesn’t exist.",
  );
  expect((await savedText(page, "verifyemailotp/ro")).subject).toBe("Cod");
  expect((await savedText(page, "verifyemailotp/ru")).isDefault).toBe(true);
  await page.keyboard.press("Escape");
  await expect(page.getByRole("tab", { name: /română/ })).toContainText("Customized");
});
