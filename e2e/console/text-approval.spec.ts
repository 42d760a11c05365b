/** Texts that need a second person: one writes, another sees the changes and the page, rejects and approves. */
import type { Page } from "@playwright/test";
import { findings } from "../axe";
import { keepPicture } from "../pictures";
import { openConsole } from "./fixtures";
import { expect, field, isReady, olive, oskar, test } from "./texts-fixtures";

const BASE = "/console/organizations/other";
const MESSAGE = `${BASE}/texts/password_change/en`;
const PAGES = `${BASE}/texts/pages/sign-in/en`;

/** Sets the policy of the organization on its page. */
async function requireApproval(page: Page, baseUrl: string): Promise<void> {
  await page.goto(`${baseUrl}${BASE}/policies?view=texts`);
  const form = page.locator("#texts-form");
  await form.getByLabel("Require approval for changes to texts").check();
  await form.getByRole("button", { name: /^Save/ }).click();
  await expect(form.getByRole("button", { name: "Undo" })).toBeVisible();
  await expect(page.locator("#texts-override")).toBeChecked();
}

const saves = async (page: Page) => {
  await page.locator("#save").click();
  await expect(page.locator(".save-state")).toHaveText("Saved. Users see it after someone else approves it.");
};

test("a text is published after another person has approved it", async ({ page, browser, service }) => {
  await openConsole(page, service.baseUrl + MESSAGE, oskar);
  await requireApproval(page, service.baseUrl);
  await page.goto(service.baseUrl + MESSAGE);
  await isReady(page);
  await field(page, "subject").fill("Your password is a new one");
  await saves(page);
  await expect(page.locator(".draft-notice")).toContainText("Your change is waiting for someone else to approve it.");
  await expect(field(page, "subject")).toHaveValue("");

  const other = await browser.newContext();
  const second = await other.newPage();
  await openConsole(second, `${service.baseUrl}${BASE}/texts`, olive);
  await second.locator("#waiting-texts").click();
  await expect(second.locator(".waiting-texts li")).toHaveCount(1);
  await second.locator(".waiting-texts a").click();
  await expect(second.locator(".draft-notice")).toContainText("u-oskar Editor wants to change this text.");
  await second.locator("#review-draft").click();
  await expect(second.locator(".text-changes ins")).toContainText("is a new one");
  await expect(second.locator(".inbox")).toContainText("Your password is a new one");
  expect(await findings(second)).toEqual([]);
  await keepPicture(second, "text for approval");
  await second.setViewportSize({ width: 320, height: 800 });
  await keepPicture(second, "text for approval 320");
  await second.setViewportSize({ width: 1280, height: 800 });
  await second.locator("#draft-comment").fill("Say which account.");
  await second.locator("#reject-draft").click();
  await expect(second.locator(".draft-done")).toContainText("Rejected.");

  await page.reload();
  await expect(page.locator(".draft-notice")).toContainText("Say which account.");
  await page.locator("#review-draft").click();
  await page.locator("#edit-draft").click();
  await expect(field(page, "subject")).toHaveValue("Your password is a new one");
  await field(page, "subject").fill("The new password of {{.PreferredLoginName}}");
  await saves(page);

  await second.reload();
  await second.locator("#review-draft").click();
  await second.locator("#approve-draft").click();
  await expect(second.locator(".draft-done")).toContainText("Approved.");
  await expect(field(second, "subject")).toHaveValue("The new password of {{.PreferredLoginName}}");
  await second.locator("#text-history").click();
  await expect(second.getByRole("dialog")).toContainText(/Changed.*u-olive Editor.*written by u-oskar Editor/s);
  await second.keyboard.press("Escape");

  // The page texts, previewed on the page itself.
  await page.goto(service.baseUrl + PAGES);
  await page.locator("#word-signIn-title").fill("Good to see you");
  await saves(page);
  await second.goto(service.baseUrl + PAGES);
  await second.locator("#review-draft").click();
  const shown = second.frameLocator(".mail-screen iframe:not(.coming)");
  await expect(shown.locator("h1")).toHaveText("Good to see you");
  await second.locator("#approve-draft").click();
  await expect(second.locator("#word-signIn-title")).toHaveValue("Good to see you");

  // Restores the state for the other tests.
  await page.goto(`${service.baseUrl}${BASE}/policies?view=texts`);
  await page.locator("#texts-override").uncheck();
  const form = page.locator("#texts-form");
  await form.getByRole("button", { name: /^Save/ }).click();
  await expect(form.getByRole("button", { name: "Undo" })).toBeVisible();
  await other.close();
});
