/** A language that is not built in, from its tag to a page and an email in it. */
import { findings } from "../axe";
import { ada, bob } from "../directory";
import { signIn } from "../sign-in";
import { openConsole } from "./fixtures";
import { expect, field, isReady, save, TEXTS, test } from "./texts-fixtures";

test("a language is added by its tag, written in the editors, and used on pages and in emails", async ({
  page,
  browser,
  service,
  mailbox,
}) => {
  await openConsole(page, `${service.baseUrl}/console/languages`, ada);
  const added = page.getByRole("row", { name: /ckb/ });
  await expect(page.getByRole("row", { name: /^English en/ })).toBeVisible();
  await expect(added).toHaveCount(0);
  const dialog = page.getByRole("dialog");
  await page.locator("#add-language").click();
  await dialog.getByLabel("Language code").fill("ckb-IQ");
  await dialog.getByRole("button", { name: "Add" }).click();
  await expect(dialog).toContainText("without a script or region");
  await dialog.getByLabel("Language code").fill("ckb");
  await dialog.getByRole("button", { name: "Add" }).click();
  await expect(added).toContainText("کوردی");
  expect(await findings(page)).toEqual([]);

  await page.goto(`${service.baseUrl}${TEXTS}/pages/sign-in/ckb`);
  await isReady(page);
  await page.locator("#find-word").fill("signIn.title");
  await page.locator("#word-signIn-title").fill("چوونەژوورەوە");
  await save(page);

  await page.goto(`${service.baseUrl}${TEXTS}/verifyemail/ckb`);
  await isReady(page);
  await expect(page.getByText("Missing texts in this language appear in the default language.")).toBeVisible();
  // A fallback text is marked with its own language, and a text of this language with this one.
  await expect(field(page, "subject")).toHaveAttribute("lang", "en");
  await expect(field(page, "subject")).toHaveAttribute("dir", "ltr");
  await field(page, "subject").fill("ئیمەیڵەکەت پشتڕاست بکەرەوە");
  await expect(field(page, "subject")).toHaveAttribute("lang", "ckb");
  await expect(field(page, "subject")).toHaveAttribute("dir", "rtl");
  await save(page);
  await page.locator("#send-trial").click();
  await expect(page.locator(".trial")).toContainText(`Sent to ${ada.loginName}.`);
  const letter = await mailbox.take(ada.loginName);
  expect(letter.subject).toContain("ئیمەیڵەکەت پشتڕاست بکەرەوە");
  expect(letter.text).toContain("Confirm");

  const visitor = await browser.newContext({ locale: "ckb-IQ" });
  const theirs = await visitor.newPage();
  await theirs.goto(`${service.baseUrl}/login`);
  await expect(theirs.locator("html")).toHaveAttribute("lang", "ckb");
  await expect(theirs.locator("html")).toHaveAttribute("dir", "rtl");
  await expect(theirs.locator(".languages summary")).toContainText("کوردی");
  await signIn(theirs, bob);
  await expect(theirs.locator("#loginName")).toHaveCount(0);
  await expect(theirs.locator("html")).toHaveAttribute("lang", "ckb");
  await visitor.close();

  // Other tests use the same service, with the built-in languages.
  await page.goto(`${service.baseUrl}/console/languages`);
  await page.locator("#remove-language-ckb").click();
  await page.locator("#remove-language-ckb-confirm").click();
  await expect(added).toHaveCount(0);
});
