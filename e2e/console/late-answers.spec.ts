/** Late responses: lists for an earlier input, forms that are edited while they are sent, second presses. */

import type { Page } from "@playwright/test";
import { ada, bob } from "../directory";
import { routeOpenPage } from "../route";
import { beginSession, expect, openConsole, test } from "./fixtures";
import { late } from "./late";
import { addApp, openView } from "./new-app";
import { isInherited, isSetHere, passwordCard } from "./policy-card";

const ACME = "/console/organizations/acme";

/** Sends a request with the page's session. @returns the body of the response */
function send(page: Page, path: string, body: object): Promise<Record<string, string>> {
  return page.evaluate(
    async ([address, content]) => {
      const headers = { "content-type": "application/json", "x-csrf-token": document.body.dataset.csrf ?? "" };
      const place = { ...headers, "x-service-orgid": "acme" };
      const answer = await fetch(`/console/api${address}`, { method: "POST", headers: place, body: content });
      if (!answer.ok) throw new Error(await answer.text());
      return answer.json();
    },
    [path, JSON.stringify(body)] as const,
  );
}

test("Enter opens the result for the current input, not an earlier one", async ({ page, service }) => {
  await openConsole(page, `${service.baseUrl}${ACME}/policies`, ada);
  const { id } = await send(page, "/management/v1/orgs", { name: "Initrode" });
  await page.locator("#switch-organization").click();
  await expect(page.getByRole("option", { name: /ACME/ })).toBeVisible();
  const answer = await late(page, "**/orgs/_search");
  await page.keyboard.type("i");
  await answer.asked;
  await page.keyboard.type("nitrode");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(`${service.baseUrl}/console/organizations/${id}/policies`);
});

test("input while a form is sent is neither lost nor counted as saved", async ({ page }) => {
  await beginSession(page, ada);
  await addApp(page, { kind: "web", name: "Typed on" });
  await openView(page, "Settings");
  const [first, second] = ["User Info inside ID Token", "Development mode"].map((name) =>
    page.getByRole("switch", { name }),
  );
  if (!first || !second) throw new Error("no switches");
  await first.check();
  const answer = await late(page, "**/oidc_config");
  await page.locator("#app-settings-submit").click();
  await answer.asked;
  await second.check();
  await answer.come();
  await expect(page.getByText("Saved", { exact: true })).toBeVisible();
  const change = page.getByRole("region", { name: "What will change" });
  await expect(change.getByRole("listitem")).toHaveText([/Development mode: Off On/]);
  await expect(second).toBeChecked();
  await page.locator("#app-settings-submit").click();
  await page.locator("#app-settings-undo").click();
  await expect(second).not.toBeChecked();
  await expect(first).toBeChecked();
});

test("a selection while a policy is saved is kept", async ({ page }) => {
  await openConsole(page, `${ACME}/policies?view=passwords`, ada);
  const card = passwordCard(page);
  await card.getByLabel("Minimum password length").fill("21");
  const answer = await late(page, "**/policies/password/complexity");
  await card.getByRole("button", { name: "Save", exact: true }).click();
  await answer.asked;
  await card.getByLabel("Minimum password length").fill("22");
  await answer.come();
  await isSetHere(card);
  await expect(card.getByLabel("Minimum password length")).toHaveValue("22");
  await expect(card.getByRole("region", { name: "What will change" })).toContainText(/21.*22/);
  await card.getByRole("button", { name: "Discard changes" }).click();
  await card.getByRole("button", { name: /^Use the service’s setting/ }).click();
  await card.getByRole("button", { name: "Save", exact: true }).click();
  await isInherited(card);
});

test("undo reverts the later of two changes, in whatever order they are read", async ({ page }) => {
  await beginSession(page, ada);
  await addApp(page, { kind: "web", name: "Saved twice" });
  await openView(page, "Settings");
  const [first, second] = ["User Info inside ID Token", "Development mode"].map((name) =>
    page.getByRole("switch", { name }),
  );
  if (!first || !second) throw new Error("no switches");
  const isApp = /\/console\/api\/management\/v1\/projects\/[^/]+\/apps\/[^/]+$/;
  const answer = await late(page, isApp, (route) => route.request().method() === "GET");
  await first.check();
  await page.locator("#app-settings-submit").click();
  await answer.asked;
  await second.check();
  await page.locator("#app-settings-submit").click();
  await expect(page.locator("#app-settings-undo")).toBeVisible();
  await answer.come();
  await page.locator("#app-settings-undo").click();
  await expect(second).not.toBeChecked();
  await expect(first).toBeChecked();
});

test("the offered roles belong to the selected project", async ({ page }) => {
  await openConsole(page, `${ACME}/users/${bob.id}?view=grants`, ada);
  for (const name of ["Slow", "Quick"]) {
    const { id } = await send(page, "/management/v1/projects", { name: `${name} project` });
    await send(page, `/management/v1/projects/${id}/roles`, { roleKey: name, displayName: `${name} role` });
  }
  await page.locator("#add-grant").click();
  const project = page.getByLabel("Project", { exact: true });
  await project.fill("Slow");
  await expect(page.getByRole("option")).toHaveText([/Slow project/]);
  const answer = await late(page, "**/roles/_search");
  await page.getByRole("option", { name: /Slow project/ }).click();
  await answer.asked;
  await project.fill("Quick");
  await page.getByRole("option", { name: /Quick project/ }).click();
  await expect(page.getByLabel("Quick role")).toBeVisible();
  await answer.come();
  await expect(page.getByLabel("Slow role")).toHaveCount(0);
  await expect(page.getByLabel("Quick role")).toBeVisible();
});

test("the report belongs to the selected file", async ({ page }) => {
  await openConsole(page, `${ACME}/users/import`, ada);
  const choose = (...names: string[]) => {
    const rows = names.map((name) => `${name},${name},Late,${name}@late.test,true`);
    const csv = ["userName,firstName,lastName,email,isEmailVerified", ...rows].join("\n");
    return page.getByLabel("File").setInputFiles({ name: "p.csv", mimeType: "text/csv", buffer: Buffer.from(csv) });
  };
  const answer = await late(page, "**/users/**");
  await choose("one", "two");
  await answer.asked;
  await choose("three");
  await expect(page.getByRole("button", { name: "Import 1 user" })).toBeVisible();
  await answer.come();
  await expect(page.getByRole("button", { name: "Import 1 user" })).toBeVisible();
});

test("a secret is shown even if the dialog is closed before it arrives", async ({ page }) => {
  await openConsole(page, "/console", ada);
  // Its own machine, because a new secret replaces the previous one.
  const { userId } = await send(page, "/management/v1/users/machine", { userName: "hasty", name: "Hasty" });
  await page.goto(`${ACME}/machines/${userId}`);
  await page.locator("#new-secret").click();
  const answer = await late(page, "**/secret", (route) => route.request().method() !== "GET");
  await page.locator("#new-secret-form-submit").click();
  await answer.asked;
  await page.keyboard.press("Escape");
  await answer.come();
  const dialog = page.locator(".dialog").filter({ hasText: "New secret" });
  await expect(dialog).toBeVisible();
  await dialog.getByLabel("I have stored it").check();
  await dialog.locator("#secret-stored").click();
  await expect(page.locator(".dialog")).toHaveCount(0);
});

test("a second press before the next page arrives does not create a second user", async ({ page }) => {
  await openConsole(page, `${ACME}/users/new`, ada);
  await page.getByLabel("First name").fill("Una");
  await page.getByLabel("Last name").fill("Once");
  await page.getByLabel("Email address", { exact: true }).fill("una@once.test");
  const sent: string[] = [];
  page.on("request", (request) => request.url().includes("/console/api/") && sent.push(request.url()));
  await routeOpenPage(page, /\/users\/(?!new)[^/]+$/, async (route) => {
    await page.evaluate(() => document.querySelector<HTMLElement>("#new-user-submit")?.click());
    await route.fallback();
  });
  await page.locator("#new-user-submit").click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Una Once");
  expect(sent).toHaveLength(1);
});

test("branding is saved again before the page has read that the organization has its own", async ({ page }) => {
  await openConsole(page, `${ACME}/branding`, ada);
  await expect(page.locator("#primaryColor")).toBeEnabled();
  const refreshed = await late(page, /\/branding(\?.*)?$/, (route) => route.request().headers().rsc === "1");
  await page.locator("#primaryColor").fill("#0a3d91");
  await page.locator("#save-brand").click();
  await refreshed.asked;
  await page.locator("#primaryColor").fill("#7a1f5c");
  await page.locator("#save-brand").click();
  await expect(page.locator("#discard-brand")).toHaveCount(0);
  await expect(page.locator("main").getByRole("alert")).toHaveCount(0);
  await refreshed.come();
  await page.reload();
  await expect(page.locator("#primaryColor")).toHaveValue("#7a1f5c");
  await page.locator("#reset-brand").click();
  await page.locator("#reset-brand-confirm").click();
  await expect(page.locator("#primaryColor")).not.toHaveValue("#7a1f5c");
});

test("the playground sends the values of its form, and each token once", async ({ page }) => {
  await beginSession(page, ada);
  await addApp(page, { kind: "browser", name: "Played quickly" });
  await page.locator("#open-playground").click();
  await page.locator("#allow-playground").click();
  await expect(page.locator(".request")).toBeVisible();
  await page.evaluate(() => {
    const digest = crypto.subtle.digest.bind(crypto.subtle);
    crypto.subtle.digest = async (...what) => {
      await new Promise((resolve) => Reflect.set(window, "goOn", resolve));
      return digest(...what);
    };
  });
  await page.getByLabel("Scopes").fill("openid offline_access");
  await page.getByLabel("Scopes").blur();
  const sent = page.waitForRequest(/\/oauth\/v2\/authorize/);
  await page.locator("#run").click();
  await page.evaluate(() => Reflect.get(window, "goOn")());
  expect(new URL((await sent).url()).searchParams.get("scope")).toBe("openid offline_access");

  await expect(page.locator("[data-what=token]")).toContainText("200");
  const answer = await late(page, "**/oauth/v2/token", () => true);
  await page.locator("#refresh-tokens").click();
  await answer.asked;
  await page.locator("#refresh-tokens").dispatchEvent("click");
  await answer.come();
  await expect(page.locator("[data-what=refresh]")).toContainText("200");
  expect(answer.count()).toBe(1);
});

test("a change by another user is shown, and does not count as an own change", async ({ page, context }) => {
  await openConsole(page, "/console", ada);
  const { id } = await send(page, "/management/v1/projects", { name: "Shared" });
  await page.goto(`${ACME}/projects/${id}`);
  const claim = page.getByLabel("Claim with a list of roles");
  await expect(claim).toHaveValue("");
  const other = await context.newPage();
  await other.goto(`${ACME}/projects/${id}`);
  await other.getByLabel("Claim with a list of roles").fill("groups");
  await expect(other.locator("#project-settings-discard")).toBeVisible();
  await other.locator("#project-settings-submit").click();
  await expect(other.locator("#project-settings-discard")).toHaveCount(0); // it is saved
  await other.close();
  await page.locator("#add-role").click();
  await page.getByLabel("Key", { exact: true }).fill("reader");
  await page.getByRole("dialog").getByLabel("Name", { exact: true }).fill("Reader");
  await page.locator("#add-role-form-submit").click();
  await expect(page.getByRole("cell", { name: "reader" }).first()).toBeVisible();
  await expect(claim).toHaveValue("groups");
  await claim.press("End");
  await claim.click();
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
  await expect(page.locator("#project-settings-discard")).toHaveCount(0);
});

test("branding is saved again after its pictures, and after the failure of one of them", async ({ page }) => {
  await openConsole(page, `${ACME}/branding`, ada);
  await expect(page.locator("#primaryColor")).toBeEnabled();
  const logo = await page.evaluate(() => {
    const canvas = Object.assign(document.createElement("canvas"), { width: 200, height: 60 });
    return canvas.toDataURL("image/png").split(",")[1] ?? "";
  });
  const choose = () =>
    page.getByLabel("Logo", { exact: true }).setInputFiles({
      name: "logo.png",
      mimeType: "image/png",
      buffer: Buffer.from(logo, "base64"),
    });
  const isLogo = /\/policies\/label\/logo$/;
  await routeOpenPage(page, isLogo, (route) => route.abort(), { times: 1 });
  await choose();
  await expect(page.locator("#discard-brand")).toBeVisible();
  await page.locator("#save-brand").click();
  await expect(page.locator("main").getByRole("alert")).not.toBeEmpty();
  expect(await page.locator(".toast").count()).toBe(0); // now, because one would disappear after a while
  const answer = await late(page, isLogo);
  await page.locator("#save-brand").click();
  await answer.asked;
  await page.locator("#primaryColor").fill("#0a3d91");
  await expect(page.locator("#save-brand")).toBeDisabled();
  await answer.come();
  await page.locator("#save-brand").click();
  await expect(page.locator("#discard-brand")).toHaveCount(0);
  await expect(page.locator(".toast").last()).toBeVisible();
  await page.reload();
  await expect(page.locator("#primaryColor")).toHaveValue("#0a3d91");
  await page.locator("#reset-brand").click();
  await page.locator("#reset-brand-confirm").click();
  await expect(page.locator("#primaryColor")).not.toHaveValue("#0a3d91");
});
