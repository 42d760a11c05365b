/** A service without a mail server, which keeps emails, as a new administrator sees it. */
import type { AddressInfo } from "node:net";
import type { APIResponse, Page } from "@playwright/test";
import { SMTPServer } from "smtp-server";
import { directory } from "../directory";
import { test as base, expect } from "../fixtures";
import type { RelyingParty } from "../relying-party";
import { startService } from "../service";
import { signIn } from "../sign-in";

export { expect };

export const test = base.extend<object, { service: { baseUrl: string; output(): string } }>({
  service: [
    async ({ application }, use) => {
      const service = await startService({ bootstrap: directory(application, []) });
      await use(service);
      const status = await service.stop();
      if (status !== 0) throw new Error(`The service ended with ${status}:\n${service.output()}`);
    },
    { scope: "worker", timeout: 300_000 },
  ],
  /**
   * Fails if a text is missing: a page contains only the texts of its scripts, and a missing one is logged to the
   * browser's console.
   */
  page: async ({ page }, use) => {
    const missing: string[] = [];
    page.on("console", (message) => {
      if (message.text().includes("_MESSAGE")) missing.push(message.text());
    });
    await use(page);
    expect(missing).toEqual([]);
  },
});

/** Starts a service whose mail server rejects all recipients, and whose access tokens expire quickly. */
export async function startRefused(relyingParty: RelyingParty) {
  let tries = 0;
  const mailServer = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS", "AUTH"],
    onRcptTo(_, __, done) {
      tries++;
      done(Object.assign(new Error("no such mailbox"), { responseCode: 550 }));
    },
  });
  await new Promise<void>((resolve) => mailServer.listen(0, "127.0.0.1", resolve));
  const { port } = mailServer.server.address() as AddressInfo;
  const service = await startService({
    bootstrap: directory(relyingParty, []),
    env: { SMTP_URL: `smtp://127.0.0.1:${port}`, MAIL_FROM: "no-reply@acme.test", ACCESS_TOKEN_LIFETIME: "3s" },
  });
  return {
    baseUrl: service.baseUrl,
    /** The number of attempts to deliver an email. */
    tries: () => tries,
    async stop() {
      await service.stop();
      await new Promise<void>((resolve) => mailServer.close(resolve));
    },
  };
}

/** A user of the console. */
interface Person {
  loginName: string;
  password: string;
}

/** Opens the console at a typed address and signs in by the hosted form, as a user does. */
export async function openConsoleByHand(page: Page, address: string, person: Person): Promise<void> {
  await page.goto(address);
  await signIn(page, person);
  await expect(page.locator("#sign-out")).toBeVisible();
}

/** Opens a page of the console, for a test that starts there. */
export async function openConsole(page: Page, address: string, person: Person): Promise<void> {
  await beginSession(page, person, address);
  await page.goto(address);
  await expect(page.locator("#sign-out")).toBeVisible();
}

/**
 * Signs in at the console with the requests of a browser, without rendering a page. The session is a new one, in the
 * cookies of the page's browser.
 */
export async function beginSession(page: Page, person: Person, address = "/console"): Promise<void> {
  const leadsFrom = (place: string) => redirectOf(page.request.get(place, { maxRedirects: 0 }));
  const authorize = await leadsFrom(await leadsFrom(address));
  const signInPage = new URL(await leadsFrom(authorize));
  const { loginName, password } = person;
  const form = { loginName, password, flow: signInPage.searchParams.get("flow") ?? "" };
  const back = await redirectOf(page.request.post(`${signInPage.origin}/login/submit`, { form, maxRedirects: 0 }));
  await leadsFrom(back);
}

/**
 * Presses a button of the open dialog, and waits until its action is done and the dialog has closed. While a dialog is
 * open, nothing behind it has a role: a search by role would find nothing.
 */
export async function confirm(page: Page, button: string): Promise<void> {
  const dialog = page.locator(".dialog");
  await dialog.getByRole("button", { name: button, exact: true }).click();
  await expect(dialog).toHaveCount(0);
}

/** Returns the address of a redirect. */
async function redirectOf(asked: Promise<APIResponse>): Promise<string> {
  const answer = await asked;
  const { location } = answer.headers();
  if (!location) throw new Error(`${answer.status()} without a redirect at ${answer.url()}: ${await answer.text()}`);
  return new URL(location, answer.url()).href;
}

/** Requests a new password without a session, which causes an email. */
export async function causeMail(page: Page, loginName: string, baseUrl = ""): Promise<void> {
  await page.goto(`${baseUrl}/console`);
  await page.locator("#forgot-password").click();
  await page.locator("#loginName").fill(loginName);
  await page.locator("#submit").click();
  await expect(page.locator("#loginName[type=text]")).toHaveCount(0);
}
