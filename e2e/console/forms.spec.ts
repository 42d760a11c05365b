/** The forms of the console: a click loses no input, and mistakes are described on the page. */
import { findings } from "../axe";
import { ada } from "../directory";
import { keepPicture } from "../pictures";
import { beginSession, expect, openConsole, test } from "./fixtures";
import { addApp, openView } from "./new-app";
import { isInherited, isSetHere, overrideOf, passwordCard } from "./policy-card";

const ACME = "/console/organizations/acme";

test("a link away from unsaved changes asks first, the buttons stay visible, and the changes can be discarded", async ({
  page,
}) => {
  await beginSession(page, ada);
  await addApp(page, { kind: "web", name: "Form shop" });
  await page.goto(`${ACME}/apps?q=form`);
  await page.getByRole("link", { name: "Form shop" }).click();
  await openView(page, "Settings");
  const option = page.getByRole("switch", { name: "User Info inside ID Token" });
  const discard = page.locator("#app-settings-discard");
  await expect(option).not.toBeChecked();
  await expect(discard).toHaveCount(0);
  await option.check();
  await expect(discard).toBeInViewport();
  await expect(page.locator("#app-settings-submit")).toBeInViewport();
  const change = page.getByRole("region", { name: "What will change" });
  await expect(change.getByRole("listitem")).toHaveText([/User Info inside ID Token: Off On/]);
  await keepPicture(page, "console/unsaved");
  expect(await findings(page)).toEqual([]);

  const people = page.getByRole("navigation").getByRole("link", { name: "Users", exact: true });
  await people.click();
  await expect(page.getByRole("dialog")).toContainText("What you changed on this page is not saved.");
  await page.locator("#stay").click();
  await expect(option).toBeChecked();
  await discard.click();
  await expect(option).not.toBeChecked();
  await expect(discard).toHaveCount(0);

  await option.check();
  await page.locator("#app-settings-submit").click();
  await expect(page.getByText("Saved", { exact: true })).toBeVisible();
  await expect(discard).toHaveCount(0);
  await page.locator("#app-settings-undo").click();
  await expect(option).not.toBeChecked();
  await expect(page.locator("#app-settings-submit")).toBeFocused();
  await people.click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Users");
});

test("a change of an app is described, and is not undone after a later change by another user", async ({ page }) => {
  await beginSession(page, ada);
  await addApp(page, { kind: "web", name: "Undo shop", redirectUri: "https://undo.example/old" });
  await page.goto(`${ACME}/apps?q=undo`);
  await page.getByRole("link", { name: "Undo shop" }).click();
  await openView(page, "Settings");
  const address = page.locator("#redirectUris-0");
  await expect(address).toHaveValue("https://undo.example/old");
  await address.fill("https://undo.example/new");
  const lifetime = page.getByLabel("Lifetime of access tokens", { exact: true });
  await expect(lifetime).toHaveValue("never");
  await lifetime.selectOption("minute");
  // It replaces the list once the scripts run.
  await page.getByRole("spinbutton", { name: "Lifetime of access tokens", exact: true }).fill("15");
  const change = page.getByRole("region", { name: "What will change" });
  await expect(change.getByRole("listitem")).toHaveText([
    /Removed: https:\/\/undo.example\/old\s+Added: https:\/\/undo.example\/new\s+Sign-ins that return there are refused/,
    /Lifetime of access tokens: Inherited from the service 15 minutes\s+Applies to new tokens/,
  ]);
  await keepPicture(page, "console/app-change");
  expect(await findings(page)).toEqual([]);
  await page.locator("#app-settings-submit").click();
  const undo = page.locator("#app-settings-undo");
  await undo.click();
  await expect(address).toHaveValue("https://undo.example/old");
  await expect(lifetime).toHaveValue("never");

  await lifetime.selectOption("hour");
  await page.locator("#app-settings-submit").click();
  await expect(undo).toBeVisible();
  const other = await page.context().newPage();
  await other.goto(page.url());
  await expect(other.getByLabel("Lifetime of access tokens", { exact: true })).toHaveValue("1");
  await other.locator("#redirectUris-0").fill("https://undo.example/other");
  await expect(other.locator("#app-settings-discard")).toBeVisible();
  await other.locator("#app-settings-submit").click();
  await expect(other.locator("#app-settings-undo")).toBeVisible();
  await undo.click();
  await expect(page.getByText("Someone else has changed this since then, so your change wasn’t undone.")).toBeVisible();
  await expect(undo).toHaveCount(0);
  await expect(address).toHaveValue("https://undo.example/other");
  await other.close();
});

test("every mistake is described in the page's language and leads to its field", async ({ page }) => {
  await openConsole(page, `${ACME}/users/new?ui_locales=de`, ada);
  await page.locator('[name="email.email"]').fill("nobody");
  await page.locator("#new-user-submit").click();
  const summary = page.locator("main").getByRole("alert");
  await expect(summary).toBeFocused();
  await expect(summary.getByRole("listitem")).toHaveText([
    "Vorname: Füllen Sie dieses Feld aus",
    "Nachname: Füllen Sie dieses Feld aus",
    /Geben Sie eine Adresse wie name@example.com ein$/,
  ]);
  await expect(page.locator('[name="userName"]')).toHaveValue("nobody"); // must not be typed twice
  expect(await findings(page)).toEqual([]);
  await keepPicture(page, "console/mistakes");
  await summary.getByRole("button").nth(1).click();
  await expect(page.locator('[name="profile.lastName"]')).toBeFocused();
  await expect(page.locator('[name="profile.lastName"]')).toHaveAttribute("aria-invalid", "true");

  // What the server refuses is named by the label, too.
  await page.goto(`${page.url().split("/console")[0]}/console/features`);
  const hosts = page.locator('[name="clientIdMetadataDocuments.allowedHosts"]');
  await hosts.fill("example.com\nno host");
  await page.locator("#security-form-submit").click();
  await expect(summary.getByRole("button")).toHaveText(/^Zugelassene Hosts .*\(2\): /);
  await summary.getByRole("button").click();
  await expect(hosts).toBeFocused();
});

test("a policy is set by a named level, described before, undone, and reset to that of the service", async ({
  page,
}) => {
  await openConsole(page, `${ACME}/policies`, ada);
  await page.getByRole("navigation", { name: "Views" }).getByRole("link", { name: "Passwords", exact: true }).click();
  const card = passwordCard(page);
  const length = card.getByLabel("Minimum password length");
  await isInherited(card);
  await overrideOf(card).check();
  await expect(card.getByRole("button", { name: "Discard changes" })).toHaveCount(0); // nothing is changed yet
  await overrideOf(card).uncheck();
  await card.getByRole("radio", { name: "Strict" }).check();
  await expect(overrideOf(card)).toBeChecked();
  await expect(length).toHaveValue("20");
  const change = card.getByRole("region", { name: "What will change" });
  await expect(change).toContainText(/Minimum password length.*15.*20.*Applies to new passwords\./);
  await keepPicture(page, "console/policy-change");
  expect(await findings(page)).toEqual([]);
  await card.getByRole("button", { name: "Save", exact: true }).click();
  await isSetHere(card);
  await expect(change).toHaveCount(0);
  await page.reload();
  await expect(length).toHaveValue("20");
  await expect(card).toContainText("Service default: 15");

  await length.fill("24");
  await card.getByRole("button", { name: "Save", exact: true }).click();
  await card.getByRole("button", { name: "Undo" }).click();
  await expect(length).toHaveValue("20");
  await page.reload();
  await expect(length).toHaveValue("20");
  await length.fill("3");
  await card.getByRole("button", { name: "Save", exact: true }).click();
  await expect(card.getByRole("alert")).toContainText("Minimum password length");

  await card.getByRole("button", { name: "Discard changes" }).click();
  await overrideOf(card).uncheck();
  await expect(length).toHaveValue("15");
  await expect(change).toContainText("Inherited from the service");
  await card.getByRole("button", { name: "Discard changes" }).click();
  await expect(overrideOf(card)).toBeChecked();
  await card.getByRole("button", { name: /^Use the service’s setting/ }).click();
  await expect(overrideOf(card)).not.toBeChecked();
  await card.getByRole("button", { name: "Save", exact: true }).click();
  await isInherited(card);
  await page.reload();
  await isInherited(card);
});

test("durations show their units, and switches show what they allow", async ({ page }) => {
  await openConsole(page, "/console/policies", ada);
  const card = page.getByRole("region", { name: "Signing in", exact: true });
  const lifetime = card.getByRole("group", { name: "Session lifetime" });
  await expect(lifetime.getByRole("radio", { name: "No limit" })).toBeChecked();
  const again = card.getByLabel("Ask for the password again after", { exact: true });
  await expect(again).toHaveCount(0);
  await lifetime.getByRole("radio", { name: "Custom" }).check();
  await expect(again).toHaveValue("10");
  await expect(card.getByLabel("Ask for the password again after: unit")).toHaveValue("year");
  await expect(card.getByLabel("Suggest a second factor again after")).toHaveValue("never");
  const offer = card.getByLabel("Offer a passkey again after", { exact: true });
  await expect(offer).toHaveValue("30");
  await lifetime.getByRole("radio", { name: "24 hours" }).check();
  await expect(again).toHaveCount(0);
  await offer.fill("2");
  await card.getByRole("switch", { name: "Offer password reset" }).uncheck();
  const change = card.getByRole("region", { name: "What will change" });
  await expect(change.getByRole("listitem")).toHaveText([
    /Offer password reset: On Off/,
    /Offer a passkey again after: 30 days 2 days/,
    /Session lifetime: No limit 24 hours/,
  ]);
  await keepPicture(page, "console/policy-durations");
  await card.getByRole("button", { name: "Save", exact: true }).click();
  await expect(card.getByRole("button", { name: "Undo" })).toBeVisible();
  await page.reload();
  await expect(offer).toHaveValue("2");
  await expect(card.getByLabel("Offer a passkey again after: unit")).toHaveValue("day");
  await expect(card.getByRole("switch", { name: "Offer password reset" })).not.toBeChecked();
  await expect(lifetime.getByRole("radio", { name: "24 hours" })).toBeChecked();
  await lifetime.getByRole("radio", { name: "No limit" }).check();
  await offer.fill("30");
  await card.getByRole("switch", { name: "Offer password reset" }).check();
  await card.getByRole("button", { name: "Save", exact: true }).click();
  await expect(card.getByRole("button", { name: "Undo" })).toBeVisible();
});

test("branding is derived from a logo, checked in light and dark on the real page, and not saved before", async ({
  page,
}) => {
  await openConsole(page, `${ACME}/branding`, ada);
  const logo = await page.evaluate(() => {
    const canvas = Object.assign(document.createElement("canvas"), { width: 400, height: 120 });
    const draw = canvas.getContext("2d") as CanvasRenderingContext2D;
    draw.fillStyle = "#0a3d91";
    draw.fillRect(0, 0, 280, 120);
    draw.fillStyle = "#e4572e";
    draw.fillRect(280, 0, 120, 120);
    return canvas.toDataURL("image/png").split(",")[1] ?? "";
  });
  await expect(page.getByLabel("Logo", { exact: true })).toBeEnabled();
  await page.getByLabel("Logo", { exact: true }).setInputFiles({
    name: "logo.png",
    mimeType: "image/png",
    buffer: Buffer.from(logo, "base64"),
  });
  await page.getByRole("button", { name: "#0a3d91" }).click();
  await expect(page.locator("#primaryColor")).toHaveValue("#0a3d91");
  for (const scheme of ["Light", "Dark"]) {
    const shown = page.getByRole("main").getByRole("region", { name: scheme, exact: true });
    await expect(shown.getByText(/^Buttons: [\d.]+:1, passes AA/)).toBeVisible();
    const sample = shown.frameLocator("iframe").last();
    await expect(sample.locator("#password")).toBeVisible();
    await expect(sample.locator('img[src^="data:image/webp"]')).toBeVisible();
  }
  await page.locator("#primaryColor").fill("#ffe08a");
  await expect(page.getByText(/^Links: 1\.\d:1, fails AA/)).toBeVisible();
  await keepPicture(page, "console/branding-from-logo");
  expect(await findings(page)).toEqual([]);
  await expect(page.getByText("You have unpublished changes.")).toHaveCount(0);

  await page.getByRole("button", { name: "#e4572e" }).click();
  await page.locator("#save-brand").click();
  await expect(page.getByText("You have unpublished changes.")).toBeVisible();
  await expect(page.locator("#discard-brand")).toHaveCount(0);
  await page.reload();
  await expect(page.locator("#primaryColor")).toHaveValue("#e4572e");
  await expect(page.getByRole("img", { name: "Logo", exact: true })).toBeVisible();
  await page.locator("#activate-brand").click();
  await expect(page.getByText("You have unpublished changes.")).toHaveCount(0);

  // From the saved picture. Undo reverts the colours and the picture.
  await page.locator("#colours-from-logo").click();
  await page.getByRole("button", { name: "#0a3d91" }).click();
  await page.locator("#remove-logo").click();
  const change = page.getByRole("region", { name: "What will change" });
  await expect(change.getByRole("listitem").first()).toHaveText(/Logo: Current image None/);
  await expect(change).toContainText("#e4572e #0a3d91");
  await page.locator("#save-brand").click();
  await expect(page.getByRole("img", { name: "Logo", exact: true })).toHaveCount(0);
  await page.locator("#undo-brand").click();
  await expect(page.locator("#primaryColor")).toHaveValue("#e4572e");
  await expect(page.getByRole("img", { name: "Logo", exact: true })).toBeVisible();
  await page.locator("#reset-brand").click();
  await page.locator("#reset-brand-confirm").click();
  await expect(page.locator("#primaryColor")).not.toHaveValue("#e4572e");

  await page.locator(".languages summary").click();
  await page.getByRole("button", { name: "العربية" }).click();
  await expect(page.locator("html")).toHaveAttribute("dir", "rtl");
  const sample = page.frameLocator("main iframe").last();
  await expect(sample.locator("html")).toHaveAttribute("dir", "rtl"); // in the reader's language
  await keepPicture(page, "console/branding-arabic");
});
