/** Users: several invited at once, found by views that are kept in the address, several changed at once. */
import { findings } from "../axe";
import { ada, bob } from "../directory";

import { confirm, expect, openConsole, test } from "./fixtures";

const USERS = "/console/organizations/acme/users";
const NAME = "Bob Marley"; // of bob

test("several users are invited with two fields, mistakes are reported first, and an invitation is withdrawn", async ({
  page,
  service,
}) => {
  await openConsole(page, `${service.baseUrl}${USERS}`, ada);
  await page.locator("#invite-people").click();
  const addresses = page.getByLabel("Email addresses");
  await addresses.fill(`ivy@new.test, Jo <jo@new.test>\nIVY@new.test\nnobody ${bob.loginName}`);
  await page.locator("#invite-submit").click();
  const refused = page.getByRole("alert").filter({ hasText: "No invitations were sent" });
  await expect(refused).toBeFocused();
  await expect(refused.getByRole("listitem")).toHaveCount(3);
  await expect(refused).toContainText("This address is in the list twice. Remove one of them.");
  await expect(refused.getByRole("link", { name: bob.loginName })).toHaveAttribute(
    "href",
    new RegExp(`/users/${bob.id}$`),
  );
  expect(await findings(page)).toEqual([]);

  await page.locator("#invite-others").click();
  await expect(page.getByRole("status").filter({ hasText: "2 invitations are on their way to:" })).toContainText(
    "jo@new.test",
  );
  await page.getByRole("link", { name: "Pending invitations" }).click();
  await expect(page).toHaveURL(/\?state=invited$/);
  const row = page.getByRole("row").filter({ hasText: "ivy@new.test" });
  await expect(row).toContainText("Invited");
  await row.getByRole("button", { name: "Resend" }).click();
  await expect(page.locator(".toast").first()).toHaveText(/on its way/);
  await row.getByRole("link", { name: "ivy@new.test" }).click();
  await page.getByRole("link", { name: "Emails", exact: true }).click();
  await expect(page.getByRole("row").filter({ hasText: "ivy@new.test" })).toHaveCount(2);
  await page.goto(`${service.baseUrl}${USERS}?state=invited`);
  await row.getByRole("button", { name: "Revoke" }).click();
  await confirm(page, "Revoke");
  await expect(row).toHaveCount(0);
  await expect(page.getByRole("row").filter({ hasText: "jo@new.test" })).toBeVisible();
});

test("the list sorts by last sign-in, keeps a view, changes several users, and reports for whom it was refused", async ({
  page,
  service,
}) => {
  await openConsole(page, `${service.baseUrl}${USERS}`, ada);
  await page.getByRole("columnheader", { name: "Last sign-in" }).getByRole("link").click();
  await expect(page.getByRole("columnheader", { name: "Last sign-in" })).toHaveAttribute("aria-sort", "descending");
  await expect(page.getByRole("row").nth(1)).toContainText(ada.loginName);
  expect(await findings(page)).toEqual([]);

  await page.locator("#save-view").click();
  await page.locator("#save-view-submit").click();
  await page.getByRole("alert").getByRole("button", { name: "View name: Fill in this field" }).click();
  await expect(page.getByRole("textbox", { name: "View name" })).toBeFocused();
  await page.getByLabel("View name").fill("Recent");
  await page.locator("#save-view-submit").click();
  await page.goto(`${service.baseUrl}${USERS}`);
  await page.getByRole("link", { name: "Recent" }).click();
  await expect(page).toHaveURL(/sort=signedIn&order=desc$/);

  await expect(page.getByLabel("Select Ada Lovelace")).toHaveCount(0); // no one can lock themselves out
  await page.getByLabel(`Select ${NAME}`).check();
  await page.locator("#bulk-deactivate").click();
  await expect(page.locator(".dialog")).toContainText(NAME);
  await page.locator("#bulk-deactivate-confirm").click();
  await expect(page.getByText("Done for 1 user.")).toBeVisible();
  const row = page.getByRole("row").filter({ hasText: bob.loginName });
  await expect(row).toContainText("Inactive");
  await page.getByLabel("Select everyone on this page").check();
  await page.locator("#bulk-invite").click();
  await expect(page.getByText(/^Not done for/)).toBeVisible();
  await page.locator("#bulk-reactivate").click();
  await expect(row).not.toContainText("Inactive");
});

test("views that a browser stored earlier still work", async ({ page, service }) => {
  await openConsole(page, `${service.baseUrl}/console/users`, ada);
  const old = [{ name: "Gone quiet", query: "signedIn=90" }, { name: "no view" }];
  await page.evaluate((views) => localStorage.setItem("views /console/users", JSON.stringify(views)), old);
  await page.reload();
  const view = page.getByRole("link", { name: "Gone quiet" });
  await expect(view).toHaveAttribute("href", "/console/users?signedIn=90");
  expect(await page.evaluate(() => localStorage.length)).toBe(0);
  await page.reload();
  await expect(view).toBeVisible();
  await page.getByRole("button", { name: "Gone quiet" }).click();
  await expect(view).toHaveCount(0);
  await page.reload();
  await expect(page.locator(".views a").first()).toBeVisible();
  await expect(view).toHaveCount(0);
});

test("the list of all users changes users of two organizations at once", async ({ page, service }) => {
  await openConsole(page, `${service.baseUrl}/console/organizations/new`, ada);
  const made = await page.evaluate(async () => {
    const headers = { "content-type": "application/json", "x-csrf-token": document.body.dataset.csrf ?? "" };
    const send = (path: string, body: object) =>
      fetch(`/console/api${path}`, { method: "POST", headers, body: JSON.stringify(body) });
    const organization = await send("/management/v1/orgs", { id: "initech", name: "Initech" });
    const email = { email: "peter@initech.test", isVerified: true };
    const person = { username: "peter@initech.test", profile: { givenName: "Peter", familyName: "Gibbons" }, email };
    const added = await send("/v2/users/human", { organization: { orgId: "initech" }, ...person });
    return [organization.status, added.status];
  });
  expect(made).toEqual([200, 200]);

  await page.goto(`${service.baseUrl}/console/users`);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("All users");
  await expect(page.locator("#create-user")).toHaveCount(0); // users are added to an organization
  const rows = ["Peter Gibbons", NAME].map((name) => page.getByRole("row").filter({ hasText: name }));
  await expect(page.getByRole("row").filter({ hasText: "Peter Gibbons" })).toContainText("Initech"); // not its id
  await page.getByLabel(`Select ${NAME}`).check();
  await expect(page.locator("#bulk-roles")).toBeVisible();
  await page.getByLabel("Select Peter Gibbons").check();
  await expect(page.locator("#bulk-roles")).toHaveCount(0); // roles belong to projects of one organization
  await page.locator("#bulk-deactivate").click();
  await expect(page.locator(".dialog")).toContainText("Peter Gibbons");
  await page.locator("#bulk-deactivate-confirm").click();
  await expect(page.getByText("Done for 2 users.")).toBeVisible();
  for (const row of rows) await expect(row).toContainText("Inactive");
  expect(await findings(page)).toEqual([]);

  for (const name of ["Peter Gibbons", NAME]) await page.getByLabel(`Select ${name}`).check();
  await expect(page.getByRole("region", { name: "2 selected" })).toBeVisible();
  await page.locator("#bulk-reactivate").click();
  for (const row of rows) await expect(row).not.toContainText("Inactive");
});
