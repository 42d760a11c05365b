/** The forms of the console: a click loses nothing that was typed, and mistakes are named on the page. */
import { findings } from "../axe";
import { ada } from "../directory";
import { keepPicture } from "../pictures";
import { expect, openConsole, test } from "./fixtures";
import { addApp } from "./new-app";

const ACME = "/console/organizations/acme";

test("asks before a link leads away from changes, keeps the buttons in view, and takes the changes back", async ({
  page,
}) => {
  await openConsole(page, "/console", ada);
  await addApp(page, { kind: "web", name: "Form shop" });
  await page.goto(`${ACME}/apps?q=form`);
  await page.getByRole("link", { name: "Form shop" }).click();
  const option = page.getByRole("switch", { name: "User Info inside ID Token" });
  const discard = page.locator("#app-settings-discard");
  await expect(option).not.toBeChecked();
  await expect(discard).toHaveCount(0);
  await option.check();
  await expect(discard).toBeInViewport();
  await expect(page.locator("#app-settings-submit")).toBeInViewport();
  await keepPicture(page, "console/unsaved");
  expect(await findings(page)).toEqual([]);

  const people = page.getByRole("navigation").getByRole("link", { name: "People", exact: true });
  await people.click();
  await expect(page.getByRole("dialog")).toContainText("What you changed on this page is not saved.");
  await page.locator("#stay").click();
  await expect(option).toBeChecked();
  await discard.click();
  await expect(option).not.toBeChecked();
  await expect(discard).toHaveCount(0);

  await option.check();
  await page.locator("#app-settings-submit").click();
  await expect(page.getByText("Saved")).toBeVisible();
  await expect(discard).toHaveCount(0);
  await people.click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("People");
});

test("names every mistake in the page's language, and leads to the field", async ({ page }) => {
  await openConsole(page, `${ACME}/users/new?ui_locales=de`, ada);
  await page.locator('[name="email.email"]').fill("nobody");
  await page.locator("#new-user-submit").click();
  const summary = page.locator("main").getByRole("alert");
  await expect(summary).toBeFocused();
  await expect(summary.getByRole("listitem")).toHaveText([
    "Vorname: Diese Angabe fehlt",
    "Nachname: Diese Angabe fehlt",
    /Geben Sie eine Adresse wie name@example.com ein$/,
  ]);
  await expect(page.locator('[name="userName"]')).toHaveValue("nobody"); // not to be typed twice
  expect(await findings(page)).toEqual([]);
  await keepPicture(page, "console/mistakes");
  await summary.getByRole("button").nth(1).click();
  await expect(page.locator('[name="profile.lastName"]')).toBeFocused();
  await expect(page.locator('[name="profile.lastName"]')).toHaveAttribute("aria-invalid", "true");
});
