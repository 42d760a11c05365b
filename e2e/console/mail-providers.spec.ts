/**
 * Email providers of the service in the console: a mail server, and a webhook whose key is shown once and can be
 * replaced.
 */
import { findings } from "../axe";
import { ada } from "../directory";
import { confirm, expect, openConsole, test } from "./fixtures";

test("emails are sent through a webhook whose key can be replaced, or through a mail server", async ({
  page,
  service,
}) => {
  await openConsole(page, `${service.baseUrl}/console/mail-providers`, ada);
  await expect(page.getByRole("main")).toContainText("No provider is active");
  await page.locator("#add-server").click();
  const server = page.locator("#add-server-form");
  await server.getByLabel("Host and port").fill("mail.acme.test:22");
  await server.getByLabel("From address").fill("id@acme.test");
  await server.getByRole("button", { name: "Save" }).click();
  await expect(server.locator(".field-problem")).toBeVisible();
  await server.getByLabel("Host and port").fill("mail.acme.test:587");
  await server.getByRole("button", { name: "Save" }).click();
  const relay = page.getByRole("region", { name: "mail.acme.test" });
  await expect(relay).toContainText("Inactive");

  const change = page.locator(".dialog").getByRole("region", { name: "What will change" });
  const undo = page.getByRole("button", { name: /^Undo ?: Change$/ });
  const changed = async (fields: Readonly<Record<string, string>>, said: RegExp[]) => {
    await relay.getByRole("button", { name: "Change", exact: true }).click();
    for (const [label, value] of Object.entries(fields))
      await page.locator(".dialog").getByLabel(label, { exact: true }).fill(value);
    await expect(change.getByRole("listitem")).toHaveText(said);
    expect(await findings(page)).toEqual([]);
    await page.locator(".dialog").getByRole("button", { name: "Save" }).click();
    await expect(page.locator(".dialog")).toHaveCount(0);
  };
  await changed({ "From name": "Acme" }, [/^From name: None Acme/]);
  await expect(relay).toContainText("Acme · id@acme.test");
  await undo.click();
  await expect(relay).not.toContainText("Acme ·");
  await changed({ "From name": "Acme" }, [/^From name: None Acme/]);
  await expect(undo).toBeVisible();
  await expect(relay).toContainText("Acme · id@acme.test");
  // The earlier password cannot be read, so the change before it cannot be undone either.
  await changed({ Username: "acme", Password: "only typed here" }, [
    /^Username: None acme/,
    /^Password: None ••••••••\s*$/,
  ]);
  await expect(relay).toContainText("acme");
  await expect(undo).toHaveCount(0);

  const keyShown = async () => {
    const key = /whsec_[\w+/=]+/.exec((await page.locator(".dialog").last().textContent()) ?? "")?.[0];
    await page.getByRole("checkbox", { name: /./ }).last().check();
    await page.locator("#secret-stored").click();
    return key;
  };
  await page.locator("#add-webhook").click();
  await page.locator("#add-webhook-form").getByLabel("Webhook URL").fill("https://hook.acme.test/mail");
  await page.locator("#add-webhook-form-submit").click();
  await expect(page.locator(".dialog").last()).toContainText("whsec_");
  const first = await keyShown();
  const hook = page.getByRole("region", { name: "https://hook.acme.test/mail" });
  await hook.getByRole("button", { name: "Rotate signing key" }).click();
  await page.locator(".dialog").getByRole("button", { name: "Rotate signing key" }).click();
  await expect(page.locator(".dialog").last()).toContainText("whsec_");
  expect(await keyShown()).not.toBe(first);
  await hook.getByRole("button", { name: "Change", exact: true }).click();
  await page.locator(".dialog").getByLabel("Webhook URL").fill("https://hook.acme.test/other");
  await expect(change.getByRole("listitem")).toHaveText([/hook\.acme\.test\/mail https:\/\/hook\.acme\.test\/other/]);
  await page.locator(".dialog").getByRole("button", { name: "Save" }).click();
  await undo.click();
  await expect(hook).toContainText("https://hook.acme.test/mail");
  await hook.getByRole("button", { name: "Activate", exact: true }).click();
  await expect(hook.locator(".state")).toHaveText("Active");
  expect(await findings(page)).toEqual([]);
  for (const provider of [hook, relay]) {
    await provider.getByRole("button", { name: "Remove" }).click();
    await confirm(page, "Remove");
    await expect(provider).toHaveCount(0);
  }
});
