/** The main tasks of an administrator with organizations, users, machines and managers. */
import type { Page } from "@playwright/test";
import { ada, bob } from "../directory";
import { confirm, expect, openConsole, test } from "./fixtures";

const ACME = "/console/organizations/acme";

/** Returns for how long the region of short messages is there before the first one, in milliseconds. */
const headStartOfMessages = (page: Page): Promise<number> =>
  page.evaluate(() => {
    let start: number | undefined;
    return new Promise<number>((resolve) => {
      new MutationObserver(() => {
        if (document.querySelector("[role=region].toasts")) start ??= performance.now();
        if (document.querySelector(".toast")) resolve(performance.now() - (start ?? Number.NaN));
      }).observe(document.body, { childList: true, subtree: true });
    });
  });

test("an administrator creates, renames, deactivates and deletes an organization", async ({ page, service }) => {
  await openConsole(page, `${service.baseUrl}/console/organizations`, ada);
  await page.locator("#create-organization").click();
  await page.getByLabel("Name", { exact: true }).fill("Globex");
  await page.locator("#create-organization-form-submit").click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Globex");
  await expect(page.getByRole("cell", { name: /^globex\./ })).toBeVisible();

  const headStart = headStartOfMessages(page);
  await page.locator("#change-organization").click();
  await page.getByLabel("Name", { exact: true }).fill("Globex Corporation");
  await page.locator("#change-organization-form-submit").click();
  await expect(page.locator(".toast")).toHaveText(/Saved/); // first, because it disappears after a while
  expect(await headStart, "a screen reader knows the region before its first message").toBeGreaterThan(100);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Globex Corporation");

  await page.locator("#deactivate-organization").click();
  await expect(page.locator(".dialog")).toContainText("Deactivate Globex Corporation?");
  await page.locator("#deactivate-organization-confirm").click();
  await expect(page.locator("#reactivate-organization")).toBeVisible();
  await page.locator("#reactivate-organization").click();
  await expect(page.locator("#deactivate-organization")).toBeVisible();

  await page.locator("#delete-organization").click();
  await expect(page.locator(".dialog")).toContainText("Delete Globex Corporation?");
  await page.locator("#delete-organization-confirm").click();
  await expect(page).toHaveURL(`${service.baseUrl}/console`);
  await page.goto(`${service.baseUrl}/console/organizations?q=globex`);
  await expect(page.getByRole("main")).toContainText(
    "No organization matches. Check the spelling, or try the domain or ID.",
  );
});

test("the page describes how to verify a domain, and that it is not verified yet", async ({ page, service }) => {
  await openConsole(page, `${service.baseUrl}${ACME}`, ada);
  await page.locator("#add-domain").click();
  await page.getByLabel("Domain", { exact: true }).fill("acme.invalid");
  await page.locator("#add-domain-form-submit").click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("acme.invalid");
  await page.locator("#by-dns-submit").click();
  await expect(page.getByText("_service-challenge.acme.invalid", { exact: true })).toBeVisible();
  await expect(page.getByRole("heading", { name: "Not found yet" })).toBeVisible();
  await expect(page.locator("#claim-domain")).toHaveCount(0);

  await page.goto(`${service.baseUrl}${ACME}`);
  const row = page.getByRole("row").filter({ hasText: "acme.invalid" });
  await row.getByRole("button", { name: "Remove" }).click();
  await confirm(page, "Remove");
  await expect(row).toHaveCount(0);
});

test("an administrator creates a user, finds the user by the beginning of a name, locks and deletes the user", async ({
  page,
  service,
}) => {
  await openConsole(page, `${service.baseUrl}${ACME}/users`, ada);
  await page.locator("#create-user").click();
  await page.getByLabel("First name").fill("Zoë");
  await page.getByLabel("Last name").fill("Quark");
  await page.getByLabel("Email address", { exact: true }).fill("zoe.quark@example.com");
  await page.getByLabel("User name", { exact: true }).fill("zoe");
  await page.locator("#new-user-submit").click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Zoë Quark");
  await expect(page.getByRole("main")).toContainText("zoe@acme.test");
  await expect(page.getByRole("main")).toContainText("No password yet");

  await page.goto(`${service.baseUrl}${ACME}/users`);
  await page.getByLabel("Find by name, login name, email or phone").fill("quar");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/q=quar/);
  await page.getByRole("link", { name: "Zoë Quark" }).click();

  await page.locator("#lock-user").click();
  await page.locator("#lock-user-confirm").click();
  await expect(page.getByText("Locked", { exact: true })).toBeVisible();
  await page.locator("#unlock-user").click();
  await expect(page.locator("#lock-user")).toBeVisible();

  await page.getByRole("link", { name: "Signing in" }).click();
  await page.locator("#resend-init").click();
  await expect(page.locator(".toast").filter({ hasText: "on its way" })).toBeVisible();

  await page.locator("#delete-user").click();
  await expect(page.locator(".dialog")).toContainText("Delete Zoë Quark?");
  await page.locator("#delete-user-confirm").click();
  await expect(page).toHaveURL(`${service.baseUrl}${ACME}/users`);
  await expect(page.getByRole("link", { name: "Zoë Quark" })).toHaveCount(0);
});

test("a rejection is shown beside its field, and the input is kept", async ({ page, service }) => {
  await openConsole(page, `${service.baseUrl}${ACME}/users/new`, ada);
  await page.getByLabel("First name").fill("Bob");
  await page.getByLabel("Last name").fill("Again");
  await page.getByLabel("Email address", { exact: true }).fill("bob.again@example.com");
  await page.getByLabel("User name", { exact: true }).fill(bob.loginName);
  await page.locator("#new-user-submit").click();
  const problem = page.getByRole("alert").filter({ hasText: /\w/ });
  await expect(problem.first()).toBeFocused();
  await expect(page.getByLabel("Last name")).toHaveValue("Again");
});

test("an administrator changes a profile and sees the sessions of a user", async ({ page, service }) => {
  await openConsole(page, `${service.baseUrl}${ACME}/users/${bob.id}`, ada);
  await page.locator("#change-profile").click();
  await page.getByLabel("Nickname").fill("Bobby");
  const change = page.getByRole("region", { name: "What will change" });
  await expect(change.getByRole("listitem")).toHaveText([/Nickname: None Bobby/]);
  await page.locator("#change-profile-form-submit").click();
  const nickname = page.getByRole("definition").filter({ hasText: "Bobby" });
  await expect(nickname).toBeVisible();
  await page.getByRole("button", { name: /^Undo ?: Change the profile$/ }).click();
  await expect(nickname).toHaveCount(0);
  await expect(page.locator("#change-profile")).toBeFocused();
  await page.goto(`${service.baseUrl}${ACME}/users/${ada.id}?view=sessions`);
  await expect(page.getByText("This session")).toBeVisible();
  await expect(page.locator("#delete-user")).toHaveCount(0); // no one can lock themselves out
});

test("an administrator creates a machine with a secret that is shown once, and a key as a file", async ({
  page,
  service,
}) => {
  await openConsole(page, `${service.baseUrl}${ACME}/machines`, ada);
  await page.locator("#create-machine").click();
  await page.getByLabel("Name", { exact: true }).fill("Nightly job");
  await page.getByRole("textbox", { name: "User name", exact: true }).fill("nightly");
  await page.locator("#create-machine-form-submit").click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Nightly job");

  await page.locator("#change-machine").click();
  await page.locator(".dialog").getByLabel("Description").fill("Sweeps at night");
  await page.locator(".dialog").getByLabel("Access tokens").selectOption("ACCESS_TOKEN_TYPE_JWT");
  await expect(page.getByRole("region", { name: "What will change" }).getByRole("listitem")).toHaveText([
    /Description: None Sweeps at night/,
    /Applies to new tokens/,
  ]);
  await page.locator("#change-machine-form-submit").click();
  await expect(page.getByRole("main")).toContainText("Sweeps at night");
  await page.locator("#change-machine-undo").click();
  await expect(page.getByRole("main")).not.toContainText("Sweeps at night");

  await page.locator("#new-secret").click();
  await page.locator("#new-secret-form-submit").click();
  const dialog = page.locator(".dialog").filter({ hasText: "New secret" });
  const secret = await dialog.getByRole("group", { name: "Client secret" }).textContent();
  expect(secret).toMatch(/^[\w-]{32,}$/);
  await page.keyboard.press("Escape");
  await expect(dialog).toBeVisible(); // it is closed only by confirming that the key is kept
  const download = page.waitForEvent("download");
  await dialog.locator("#download-secret").click();
  expect((await download).suggestedFilename()).toBe("nightly.env");
  await expect(dialog.locator("#secret-stored")).toBeDisabled();
  await dialog.getByLabel("I have stored it").check();
  await dialog.locator("#secret-stored").click();
  await expect(page.locator("body")).not.toContainText(secret ?? "");
  await expect(page.getByText("Set", { exact: true })).toBeVisible();

  await page.getByRole("link", { name: "Keys and tokens" }).click();
  await page.locator("#make-key").click();
  await page.locator("#make-key-form-submit").click();
  const key = page.locator(".dialog").filter({ hasText: "New key" });
  const file = JSON.parse((await key.getByRole("group", { name: "Key file" }).textContent()) ?? "");
  expect(file).toMatchObject({ type: "serviceaccount", userId: expect.any(String) });
  await key.getByLabel("I have stored it").check();
  await key.locator("#secret-stored").click();
  await expect(page.getByRole("cell", { name: file.keyId })).toBeVisible();
});

test("a user becomes an administrator and loses the role; they see the pages of their organization and no others", async ({
  page,
  service,
  browser,
}) => {
  await openConsole(page, `${service.baseUrl}${ACME}/members`, ada);
  await page.locator("#add-member").click();
  await page.getByLabel("Who").fill("bob");
  await page.getByRole("option", { name: /Bob Marley/ }).click();
  await page.locator("#add-member-form-submit").click();
  await expect(page.getByRole("alert")).toHaveText("Roles: Choose at least one role.");
  await page.getByLabel("ORG_USER_MANAGER").check();
  await page.locator("#add-member-form-submit").click();
  const row = page.getByRole("row").filter({ hasText: "Bob Marley" });
  await expect(row).toContainText("ORG_USER_MANAGER");

  const theirs = await (await browser.newContext()).newPage();
  await openConsole(theirs, `${service.baseUrl}/console`, bob);
  const navigation = theirs.getByRole("navigation", { name: "Console" });
  await expect(navigation.getByRole("link", { name: "Users", exact: true })).toBeVisible();
  await expect(navigation.getByRole("link", { name: "Signing keys" })).toHaveCount(0);
  await theirs.goto(`${service.baseUrl}/console/keys`);
  await expect(theirs.getByRole("heading", { level: 1 })).toHaveText("Nothing to manage here");
  const foreign = await theirs.goto(`${service.baseUrl}/console/organizations/elsewhere/users`);
  expect(foreign?.status()).toBe(404);
  await theirs.context().close();

  await row.getByRole("button", { name: "Remove" }).click();
  await confirm(page, "Remove");
  await expect(row).toHaveCount(0);
});

test("a file of users is checked before the import, with the rejected rows", async ({ page, service }) => {
  await openConsole(page, `${service.baseUrl}${ACME}/users/import`, ada);
  const csv = [
    "userName,firstName,lastName,email,isEmailVerified",
    'yara,Yara,"Berg, Dr.",yara@example.com,true',
    `${bob.loginName},Bob,Again,bob.again@example.com,true`,
    "zed,,,nobody,true",
  ].join("\n");
  await page.getByLabel("File").setInputFiles({ name: "people.csv", mimeType: "text/csv", buffer: Buffer.from(csv) });
  await expect(page.getByRole("main")).toContainText("1 user can be imported, 2 rows have errors.");
  await expect(page.getByRole("row").filter({ hasText: bob.loginName })).toBeVisible();
  // Every mistake of a row is reported at its column.
  for (const column of ["firstName", "lastName", "email"]) {
    await expect(page.getByRole("row").filter({ hasText: "zed" }).filter({ hasText: column })).toHaveCount(1);
  }
  await page.getByRole("button", { name: "Import 1 user" }).click();
  await expect(page.getByRole("main")).toContainText("1 user imported");
  await page.goto(`${service.baseUrl}${ACME}/users?q=yara`);
  await expect(page.getByRole("link", { name: "Yara Berg, Dr." })).toBeVisible();
});
