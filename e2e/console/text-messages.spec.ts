/** SMS providers in the console: set, tested, used and removed; their secrets are shown once or never. */
import http from "node:http";
import type { AddressInfo } from "node:net";
import { ada } from "../directory";
import { confirm, expect, openConsole, test } from "./fixtures";

const ACME = "/console/organizations/acme";

test("text messages are sent through Twilio and through a webhook whose key is shown once", async ({
  page,
  service,
}) => {
  const taken: URLSearchParams[] = [];
  const gateway = http.createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += chunk;
    taken.push(new URLSearchParams(body));
    response.writeHead(201).end(JSON.stringify({ sid: "SM1", status: "queued" }));
  });
  await new Promise<void>((resolve) => gateway.listen(0, "127.0.0.1", resolve));
  const baseUrl = `http://127.0.0.1:${(gateway.address() as AddressInfo).port}`;
  try {
    await openConsole(page, `${service.baseUrl}${ACME}/text-messages`, ada);
    await expect(page.getByRole("main")).toContainText("has no active provider");
    await page.locator("#add-twilio").click();
    const form = page.locator("#add-twilio-form");
    await form.getByLabel("Account SID").fill("AC1");
    await form.getByLabel("Auth token").fill("s3cret");
    await form.getByLabel("From").fill("much too long a name");
    await form.getByLabel("API URL, if not Twilio’s own").fill(baseUrl);
    await form.getByRole("button", { name: "Save" }).click();
    await expect(form).toContainText("From: Enter a phone number, a short code, or a name");
    await form.getByLabel("From").fill("ACME");
    await form.getByRole("button", { name: "Save" }).click();
    const account = page.getByRole("region", { name: "ACME" });
    await expect(account).toContainText("Inactive");
    await account.getByRole("button", { name: "Send a test message" }).click();
    await page.getByLabel("Phone number").fill("+15551234567");
    await page.locator(".dialog").getByRole("button", { name: "Send a test message" }).click();
    await expect(page.getByText("The provider has accepted the message.")).toBeVisible();
    expect(taken[0]?.get("Body")).toMatch(/^\[Test\]/);
    await account.getByRole("button", { name: "Activate", exact: true }).click();
    await expect(account.locator(".state")).toHaveText("Active");

    // The code for an unverified number is sent through it.
    await page.goto(`${service.baseUrl}${ACME}/users/u-bob?view=profile`);
    await page.locator("#change-phone").click();
    await page.locator("#change-phone-form").getByLabel("Phone number").fill("+15557654321");
    await page.locator("#change-phone-form-submit").click();
    await expect.poll(() => taken.at(-1)?.get("To")).toBe("+15557654321");

    await page.goto(`${service.baseUrl}${ACME}/text-messages`);
    await page.locator("#add-webhook").click();
    await page.locator("#add-webhook-form").getByLabel("Webhook URL").fill(baseUrl);
    await page.locator("#add-webhook-form-submit").click();
    await expect(page.locator(".dialog").last()).toContainText("whsec_");
    await page.getByRole("checkbox").check();
    await page.locator("#secret-stored").click();
    await expect(page.getByRole("region", { name: baseUrl })).toBeVisible();
    expect(await page.content()).not.toMatch(/whsec_|s3cret/);
    await account.getByRole("button", { name: "Remove" }).click();
    await confirm(page, "Remove");
    await expect(account).toHaveCount(0);
  } finally {
    gateway.closeAllConnections();
    await new Promise((resolve) => gateway.close(resolve));
  }
});
