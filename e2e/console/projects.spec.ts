/** A manager of a single project: the role is given in the console and used there. */
import { findings } from "../axe";
import { ada, bob } from "../directory";
import { confirm, expect, openConsole, test } from "./fixtures";

const home = "/console/organizations/acme";

test("the manager of a project manages it and sees nothing else", async ({ page, browser, service }) => {
  await openConsole(page, `${home}/projects`, ada);
  await page.locator("#add-project").click();
  await page.getByLabel("Name of the project").fill("Library");
  await page.locator("#add-project-form-submit").click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Library");
  const project = new URL(page.url()).pathname;
  await page.locator("#add-role").click();
  await page.getByLabel("Key", { exact: true }).fill("reader");
  await page.getByLabel("Name", { exact: true }).fill("Reader");
  await page.locator("#add-role-form-submit").click();
  await expect(page.getByRole("main")).toContainText("Reader");

  await page.getByRole("link", { name: "Administrators" }).last().click();
  await page.locator("#add-member").click();
  await page.getByLabel("Who").fill("bob");
  await page.getByRole("option", { name: /bob@acme.test/ }).click();
  await page.getByRole("checkbox", { name: /^Project owner\s*PROJECT_OWNER$/ }).check();
  await page.locator("#add-member-form-submit").click();
  const row = page.getByRole("row", { name: /bob@acme.test/ });
  await expect(row).toContainText("PROJECT_OWNER");

  const other = await (await browser.newContext({ baseURL: service.baseUrl })).newPage();
  await openConsole(other, "/console", bob);
  const navigation = other.getByRole("navigation").getByRole("link");
  await expect(navigation).toHaveText(["Overview", "Apps", "Projects", "Playground"]);
  await other.goto(home);
  await expect(other).toHaveURL(`${home}/apps`);
  await other.goto(`${home}/users`);
  await expect(other.getByRole("main")).toContainText("Your roles don’t give you access to this page.");
  await other.goto(`${home}/projects`);
  await expect(other.getByRole("row")).toHaveCount(2); // the header and the managed project
  await other.getByRole("link", { name: "Library" }).click();
  await expect(other.locator("#delete-project")).toBeVisible();

  await other.goto(`${project}?view=grants`);
  await other.locator("#add-grant").click();
  await other.getByLabel("User ID").fill(ada.id);
  await other.getByLabel("Reader").check();
  await other.locator("#add-grant-form-submit").click();
  await expect(other.getByRole("row", { name: /ada@acme.test/ })).toContainText("reader");
  expect(await findings(other)).toEqual([]);
  await other.setViewportSize({ width: 320, height: 640 });
  expect(await other.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);
  await other.context().close();

  // Restores the state for the other tests.
  await row.getByRole("button", { name: "Remove" }).click();
  await confirm(page, "Remove");
  await expect(row).toHaveCount(0);
});

test("a project's scopes are added, described and removed, and its roles get their own claim", async ({ page }) => {
  await openConsole(page, `${home}/projects`, ada);
  await page.locator("#add-project").click();
  await page.getByLabel("Name of the project").fill("Storehouse");
  await page.locator("#add-project-form-submit").click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Storehouse");
  await expect(page.getByRole("main")).toContainText("There are no scopes yet.");

  await page.locator("#add-scope").click();
  await page.getByLabel("Scope", { exact: true }).fill("openid");
  await page.locator("#add-scope-form-submit").click();
  await expect(page.getByRole("dialog")).toContainText("This is a built-in scope. Choose another name.");
  await page.getByLabel("Scope", { exact: true }).fill("https://api.acme.test/stock:read");
  await page.getByLabel("English").fill("See what is in stock");
  await page.locator("#add-scope-form-submit").click();
  const row = page.getByRole("row", { name: /stock:read/ });
  await expect(row).toContainText("See what is in stock");
  expect(await findings(page)).toEqual([]);

  await row.getByRole("button", { name: "Descriptions" }).click();
  const dialog = page.getByRole("dialog");
  await expect(dialog.getByLabel("English")).toHaveValue("See what is in stock");
  await dialog.getByText("Other languages").click();
  await dialog.getByLabel("Deutsch").fill("Den Bestand sehen");
  await dialog.getByLabel("English").fill("");
  const change = page.getByRole("region", { name: "What will change" });
  await expect(change.getByRole("listitem")).toHaveText([
    /English: See what is in stock None/,
    /Deutsch: None Den Bestand sehen/,
  ]);
  expect(await findings(page)).toEqual([]);
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(row).toContainText("Den Bestand sehen"); // the text of another language is better than none
  await row.getByRole("button", { name: /^Undo ?: Descriptions$/ }).click();
  await expect(row).toContainText("See what is in stock");

  await page.getByLabel("Claim with a list of roles").fill("aud");
  await page.locator("#project-settings-submit").click();
  await expect(page.getByRole("main")).toContainText("This is a standard claim. Choose another name.");
  await page.getByLabel("Claim with a list of roles").fill("groups");
  await expect(change.getByRole("listitem")).toHaveText([/Claim with a list of roles: None groups/]);
  await page.locator("#project-settings-submit").click();
  await expect(page.locator("#project-settings-discard")).toHaveCount(0); // it is saved
  await page.locator("#project-settings-undo").click();
  await expect(page.getByLabel("Claim with a list of roles")).toHaveValue("");
  await page.getByLabel("Claim with a list of roles").fill("groups");
  await page.locator("#project-settings-submit").click();
  await expect(page.locator("#project-settings-undo")).toBeVisible();
  await page.reload();
  await expect(page.getByLabel("Claim with a list of roles")).toHaveValue("groups");

  // The list is read ahead while the pointer is on its link, and again after a change.
  const list = page.getByRole("navigation").getByRole("link", { name: "Projects", exact: true });
  await list.hover();
  await page.mouse.down();
  await page.mouse.move(0, 0);
  await page.mouse.up();
  await page.getByLabel("Name of the project").fill("Depot");
  await page.locator("#project-settings-submit").click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Depot");
  await list.click();
  await expect(page.getByRole("main").getByRole("link", { name: "Depot" })).toBeVisible();
  await expect(page.getByRole("main").getByRole("link", { name: "Storehouse" })).toHaveCount(0);
  await page.getByRole("navigation").getByRole("link", { name: "Apps", exact: true }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Apps");
  await list.click();
  await page.getByRole("main").getByRole("link", { name: "Depot" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Depot");
  await expect(row).toBeVisible();

  await page.setViewportSize({ width: 320, height: 640 });
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);
  await row.getByRole("button", { name: "Remove" }).click();
  await confirm(page, "Remove");
  await expect(page.getByRole("main")).toContainText("There are no scopes yet.");
});
