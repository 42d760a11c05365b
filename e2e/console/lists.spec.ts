/** Lists: chosen columns, filters that apply at once, the email logs, and a change of a text that is undone. */
import { findings } from "../axe";
import { ada, bob } from "../directory";
import { causeMail, expect, openConsole, test } from "./fixtures";

const ACME = "/console/organizations/acme";

test("columns of a list are chosen, and stay chosen on the next page", async ({ page, service }) => {
  await openConsole(page, `${service.baseUrl}${ACME}/users`, ada);
  const header = (name: string) => page.getByRole("columnheader", { name });
  await expect(header("Login name")).toBeVisible();
  await expect(header("User ID")).toHaveCount(0);
  await page.locator(".column-chooser summary").click();
  await page.getByRole("checkbox", { name: "Login name" }).uncheck();
  await expect(header("Login name")).toHaveCount(0);
  await page.getByRole("checkbox", { name: "User ID" }).check();
  await expect(header("User ID")).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(page.locator(".column-chooser summary")).toBeFocused();
  await page.goto(`${service.baseUrl}/console/users`);
  await expect(header("Login name")).toHaveCount(0);
  await expect(page.getByRole("row").filter({ hasText: "Bob Marley" })).toContainText(bob.id);
});

test("rows have one line of 44 px near the top of the page, and small cards on a phone", async ({ page, service }) => {
  await openConsole(page, `${service.baseUrl}${ACME}/users`, ada);
  const first = page.locator("tbody tr").first();
  const places = async () => {
    const bar = await page.locator(".bar").boundingBox();
    const row = await first.boundingBox();
    return { top: (row?.y ?? 0) - (bar?.height ?? 0), height: row?.height ?? 0 };
  };
  for (const path of [
    `${ACME}/users`,
    `${ACME}/attempts`,
    `${ACME}/apps`,
    "/console/organizations",
    "/console/events",
  ]) {
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.goto(service.baseUrl + path);
    const wide = await places();
    expect(wide.height, path).toBeLessThanOrEqual(45);
    expect(wide.top, path).toBeLessThanOrEqual(200);
    await page.setViewportSize({ width: 390, height: 844 });
    const narrow = await places();
    expect(narrow.height, path).toBeLessThanOrEqual(110);
    expect(narrow.top, path).toBeLessThanOrEqual(300);
  }
});

test("the email log shows the messages of one organization, and that of the service those of all", async ({
  page,
  service,
}) => {
  await causeMail(page, bob.loginName, service.baseUrl);
  await openConsole(page, `${service.baseUrl}/console/mail/all`, ada);
  const rows = page.getByRole("row").filter({ hasText: bob.loginName });
  await expect(rows.first()).toContainText("ACME");
  await page.getByRole("combobox", { name: "Organization" }).fill("ACME");
  await page.getByRole("option", { name: /^ACME/ }).first().click();
  await expect(page).toHaveURL(/organization=acme/);
  await expect(rows.first()).toBeVisible();
  await page.goto(`${service.baseUrl}/console/mail`);
  await expect(page.getByRole("columnheader", { name: "Organization" })).toHaveCount(0);
  await expect(rows.first()).toBeVisible();
});

test("a change of a text is found in the audit log and undone in four clicks", async ({ page, service }) => {
  await openConsole(page, `${service.baseUrl}${ACME}`, ada);
  const text = "/console/api/management/v1/text/message/verifyemail/nl";
  const subject = () =>
    page.evaluate(async (path) => {
      const answer = await fetch(path, { headers: { "x-service-orgid": "acme" } });
      return (await answer.json()).customText.subject as string;
    }, text);
  for (const wanted of ["Eerst", "Daarna"]) {
    const status = await page.evaluate(
      async ([path = "", value]) => {
        const headers = {
          "content-type": "application/json",
          "x-csrf-token": document.body.dataset.csrf ?? "",
          "x-service-orgid": "acme",
        };
        return (await fetch(path, { method: "PUT", headers, body: JSON.stringify({ subject: value }) })).status;
      },
      [text, wanted],
    );
    expect(status).toBe(200);
  }
  await page.getByRole("link", { name: "Audit log" }).first().click();
  await page.getByRole("row").filter({ hasText: "(Dutch)" }).first().getByRole("link", { name: "Details" }).click();
  const details = page.locator(".event-panel");
  await expect(details.locator("del")).toContainText("Eerst");
  await expect(details.locator("ins")).toContainText("Daarna");
  await details.getByRole("button", { name: "Restore previous text" }).click();
  await expect(page.locator(".toast").first()).toHaveText(/Previous text restored/);
  expect(await subject()).toBe("Eerst");
  expect(await findings(page)).toEqual([]);
  await details.locator("#undo-restore").click();
  await expect.poll(subject).toBe("Daarna");

  await details.getByRole("link", { name: "Open in editor" }).click();
  await expect(page).toHaveURL(/texts\/verifyemail\/nl$/);
  await page.locator("#text-history").click();
  await page.getByRole("link", { name: "In the audit log" }).first().click();
  await expect(page).toHaveURL(/events\?event=\d+$/);
  await expect(page.locator(".event-panel")).toContainText("Daarna");
});
