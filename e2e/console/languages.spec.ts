/** The languages of the service: how far each is written, adding one, and the translation file. */
import { readFile } from "node:fs/promises";
import { findings } from "../axe";
import { ada } from "../directory";
import { openConsole } from "./fixtures";
import { expect, test } from "./texts-fixtures";

test("a language is added, and its translation file says what it changes and where", async ({ page, service }) => {
  await openConsole(page, `${service.baseUrl}/console/languages`, ada);
  await expect(page.getByRole("row").filter({ hasText: "Deutsch" })).toContainText(/\d+ of \d+/);
  expect(await findings(page)).toEqual([]);
  await page.locator("#add-language").click();
  await page.getByLabel("Language code").fill("cy");
  await page.getByRole("dialog").getByRole("button", { name: "Add" }).click();
  const row = page.getByRole("row").filter({ hasText: "Cymraeg" });
  await expect(row).toContainText(/^(?=.*Added)(?=.*0 of \d+)/);
  await expect(row.getByRole("link").first()).toHaveAttribute("href", /\/console\/texts\/\w+\/cy$/);

  const dialog = page.getByRole("dialog", { name: "Files for translators: Cymraeg" });
  await page.locator("#file-cy").click();
  const download = page.waitForEvent("download");
  await page.locator("#download-texts").click();
  const unchanged = await readFile(await (await download).path(), "utf8");
  expect(unchanged).toContain('<segment state="initial">');
  const input = page.locator("#translated-file");
  const upload = (content: string) =>
    input.setInputFiles({ name: "texts-cy.xlf", mimeType: "application/xliff+xml", buffer: Buffer.from(content) });
  await upload(unchanged);
  await expect(dialog.getByRole("status")).toContainText("Nothing to change");
  const title = /(<unit id="message\.init\.title">.*?<\/source>)(<\/segment>)/;
  await upload(unchanged.replace(title, "$1<target>Croeso</target>$2"));
  await expect(dialog.getByRole("link", { name: "Activate account · Title" })).toBeVisible();
  await page.locator("#take-translations").click();
  await expect(dialog).toContainText("1 text saved");
});
