/** App approvals: an app is allowed and all others are blocked, then both are changed back. */
import { findings } from "../axe";
import { ada } from "../directory";
import { confirm, expect, openConsole, test } from "./fixtures";
import { ACME } from "./pages";

test("an app is allowed, all others of other organizations are blocked, and both are removed", async ({
  page,
  service,
}) => {
  await openConsole(page, `${service.baseUrl}${ACME}/app-approvals`, ada);
  await expect(page.getByText("No app approvals yet.")).toBeVisible();
  expect(await findings(page)).toEqual([]);
  const add = async (kind: string, value: string, access: string) => {
    await page.getByRole("button", { name: "Add an app approval" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Identified by").selectOption(kind);
    await dialog.getByLabel("Client ID or host").fill(value);
    await dialog.getByLabel("Access").selectOption(access);
    await dialog.getByRole("button", { name: "Add", exact: true }).click();
    return dialog;
  };
  const refused = await add("Host", "*", "Allowed");
  await expect(refused.getByText("can only be blocked").first()).toBeVisible();
  expect(await findings(page)).toEqual([]);
  await refused.getByLabel("Access").selectOption("Blocked");
  await refused.getByRole("button", { name: "Add", exact: true }).click();
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await expect(await add("Client ID", "https://agent.example.com/client.json", "Allowed")).toHaveCount(0);

  const rows = page.getByRole("table", { name: "App approvals" }).getByRole("row");
  const agent = rows.filter({ hasText: "https://agent.example.com/client.json" });
  await expect(agent).toContainText("Allowed");
  const all = rows.filter({ hasText: "All apps of others" });
  await expect(all).toContainText("Blocked");
  expect(await findings(page)).toEqual([]);
  for (const row of [agent, all]) {
    await row.getByRole("button", { name: "Remove" }).click();
    await confirm(page, "Remove");
    await expect(row).toHaveCount(0);
  }
});
