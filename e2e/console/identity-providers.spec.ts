/** Identity providers in the console: added by kind, offered on the sign-in page, changed and removed. */

import { findings } from "../axe";
import { ada } from "../directory";
import { confirm, expect, openConsole, test } from "./fixtures";
import { ACME } from "./pages";

test("an identity provider is added by its kind, offered, deactivated and removed", async ({ page, service }) => {
  await openConsole(page, `${service.baseUrl}${ACME}/identity-providers`, ada);
  await page.getByRole("link", { name: "Add an identity provider" }).click();
  await page.getByRole("link", { name: "Google" }).click();
  await expect(page.getByRole("heading", { name: "Add Google" })).toBeVisible();
  await expect(page.getByText(`${service.baseUrl}/idps/callback`)).toBeVisible();
  expect(await findings(page)).toEqual([]);
  await page.getByRole("button", { name: "Add an identity provider" }).click();
  await expect(page.getByRole("region", { name: "Enter what" }).getByRole("alert")).toBeVisible();
  await page.getByLabel("Client ID").fill("acme.apps.example");
  await page.getByLabel("Client secret").fill("a secret of Google");
  await page.getByRole("button", { name: "Add an identity provider" }).click();

  const card = page.getByRole("region", { name: "Google" });
  await expect(card).toContainText("acme.apps.example");
  await expect(page.getByText("a secret of Google")).toHaveCount(0);
  await card.getByRole("button", { name: "Offer on the sign-in page" }).click();
  await expect(card.getByText("On the sign-in page", { exact: true })).toBeVisible();
  await card.getByRole("button", { name: "Deactivate" }).click();
  await expect(card.getByText("Inactive", { exact: true })).toBeVisible();
  expect(await findings(page)).toEqual([]);

  await card.getByRole("button", { name: "Mapping" }).click();
  const mapping = page.getByRole("dialog");
  await mapping.getByLabel("Sample claims (JSON)").fill('{"sub": "1", "first": "Mia", "name": "Pat Doe"}');
  await mapping.getByLabel("Mapping (JSON)").fill('{"profile": {"givenName": "first"}}');
  await mapping.getByRole("button", { name: "Test mapping" }).click();
  await expect(mapping.getByText("Mia", { exact: true })).toBeVisible();
  expect(await findings(page)).toEqual([]);
  await mapping.getByRole("button", { name: "Save" }).click();
  await expect(mapping).toHaveCount(0);

  await card.getByRole("button", { name: "Change" }).click();
  await page.getByRole("dialog").getByLabel("Name").fill("Google of ACME");
  await page.getByRole("dialog").getByRole("button", { name: "Save" }).click();
  const changed = page.getByRole("region", { name: "Google of ACME" });
  await expect(changed).toBeVisible();
  await changed.getByRole("button", { name: "Remove", exact: true }).click();
  await confirm(page, "Remove");
  await expect(changed).toHaveCount(0);
});
