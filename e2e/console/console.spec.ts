/** The console: sign-in as with any client, the emails of the service, and users without access. */

import { COLOUR_RULES, findings, VIEWS } from "../axe";
import { ada, bob } from "../directory";
import { keepPicture } from "../pictures";
import { beginSession, causeMail, expect, openConsole, openConsoleByHand, startRefused, test } from "./fixtures";

test("the console signs in at its own provider and returns to the requested page", async ({ page, service }) => {
  const refused: string[] = [];
  page.on("console", (message) => {
    if (message.type() === "error") refused.push(message.text());
  });
  await openConsoleByHand(page, `${service.baseUrl}/console/mail`, ada);
  await expect(page).toHaveURL(`${service.baseUrl}/console/mail`);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Email log");
  await expect(page.getByRole("banner")).toContainText("Ada Lovelace");
  await expect(page.getByRole("banner")).toContainText("ACME");
  expect(refused).toEqual([]);

  const cookies = await page.context().cookies();
  const console = cookies.find(({ name }) => name === "console");
  expect(console).toMatchObject({ httpOnly: true, sameSite: "Lax", path: "/" });
});

test("the overview shows what is set up and what is left to do", async ({ page, service }) => {
  await openConsole(page, `${service.baseUrl}/console`, ada);
  await expect(page.getByText(service.baseUrl, { exact: true })).toBeVisible();
  await expect(page.getByText(/^\d+ apps are registered$/)).toBeVisible();
  await expect(page.getByRole("heading", { name: "Set up email delivery" })).toBeVisible();
  await page.getByRole("link", { name: "Read emails" }).click();
  await expect(page).toHaveURL(`${service.baseUrl}/console/mail`);
});

test("a kept email is shown with its HTML without scripts, its plain text and its headers", async ({
  page,
  service,
}) => {
  await causeMail(page, bob.loginName);
  await openConsole(page, `${service.baseUrl}/console/mail`, ada);
  await expect(page.getByText("emails are kept here")).toBeVisible();
  const mail = page.getByRole("row").filter({ hasText: bob.loginName }).first();
  await expect(async () => {
    await page.reload();
    await expect(mail).toContainText("Kept", { timeout: 500 });
  }).toPass();
  await mail.getByRole("link").first().click();

  await expect(page.getByRole("heading", { level: 1 })).toContainText("password");
  const frame = page.locator("iframe");
  await expect(frame).toHaveAttribute("sandbox", "");
  const letter = page.frameLocator("iframe");
  await expect(letter.getByText("Hello Bob")).toBeVisible();
  await expect(letter.locator("script")).toHaveCount(0);
  const address = (await frame.getAttribute("src")) ?? "";
  const answer = await page.evaluate(async (url) => (await fetch(url)).headers.get("content-security-policy"), address);
  expect(answer).toContain("default-src 'none'");
  expect(answer).toMatch(/sandbox$/);

  await page.getByRole("link", { name: "Plain text" }).click();
  await expect(page.locator("pre")).toContainText(/[2-9A-HJKMNP-Z]{4}-[2-9A-HJKMNP-Z]{4}/);
  await page.getByRole("link", { name: "Headers" }).click();
  await expect(page.getByText("Message-ID")).toBeVisible();
});

test("a user without a role only sees their name", async ({ page, service }) => {
  await causeMail(page, bob.loginName);
  for (const path of ["/console/mail", "/console", "/console/mail/anything"]) {
    if (path === "/console/mail") await openConsole(page, `${service.baseUrl}${path}`, bob);
    else await page.goto(`${service.baseUrl}${path}`);
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Nothing to manage here");
    await expect(page.getByRole("navigation")).toHaveCount(0);
    await expect(page.getByRole("main")).not.toContainText(bob.loginName);
  }
  const status = await page.evaluate(async () => (await fetch("/console/api/admin/v1/messages")).status);
  expect(status).toBe(403);
});

test("a failed email is sent again, even after the token has expired", async ({ page, application }) => {
  const service = await startRefused(application);
  try {
    await causeMail(page, bob.loginName, service.baseUrl);
    await expect.poll(service.tries).toBe(1);
    await openConsole(page, `${service.baseUrl}/console/mail`, ada);
    const mail = page.getByRole("row").nth(1);
    await expect(async () => {
      await page.reload();
      await expect(mail).toContainText("Failed", { timeout: 500 });
    }).toPass();
    await expect(mail).toContainText("550");
    await mail.getByRole("link").first().click();
    await expect(page.locator("#resend")).toBeVisible();
    // An operation that needs a token reports that this one has expired.
    await expect
      .poll(() => page.evaluate(async () => (await fetch("/console/api/admin/v1/messages?limit=1")).status))
      .toBe(401);
    const triesBefore = service.tries();
    const answered = page.waitForResponse((response) => response.url().endsWith("/_retry") && response.ok());
    await page.locator("#resend").click();
    await answered;
    // The worker retries at once, so the state between two attempts may never be visible; the attempt is.
    await expect.poll(service.tries).toBeGreaterThan(triesBefore);
    const attempts = page.getByRole("region", { name: "Attempts" }).getByRole("listitem");
    await expect(async () => {
      await page.reload();
      await expect(attempts).toHaveText([/550/, /550/], { timeout: 500 });
    }).toPass();
  } finally {
    await service.stop();
  }
});

test("every page has its own nonce, and scripts only run with it", async ({ page, service }) => {
  await beginSession(page, ada);
  const nonces = new Set<string>();
  for (let visit = 0; visit < 2; visit++) {
    const answer = await page.request.get(`${service.baseUrl}/console`, {
      headers: { "content-security-policy": "script-src 'nonce-planted'" },
    });
    const policy = answer.headers()["content-security-policy"] ?? "";
    const nonce = /script-src 'nonce-([\w-]{43})' 'strict-dynamic';/.exec(policy)?.[1] ?? "";
    const html = await answer.text();
    expect(html.match(/<script(?![^>]*nonce=)/g)).toBeNull();
    expect(html).toContain(`nonce="${nonce}"`);
    expect(html).not.toContain("planted");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(answer.headers()["cache-control"]).toContain("no-store");
    nonces.add(nonce);
  }
  expect(nonces.size).toBe(2);
});

test("sign-out ends the session, and the next sign-in asks for the password", async ({ page, service }) => {
  await openConsole(page, `${service.baseUrl}/console`, ada);
  await page.locator("#sign-out").click();
  await expect(page).toHaveURL(`${service.baseUrl}/logout/done`);
  await page.goto(`${service.baseUrl}/console`);
  await expect(page.locator("#password")).toBeVisible();
});

test("an expired token within a session is renewed silently", async ({ page, service }) => {
  await openConsole(page, `${service.baseUrl}/console/mail`, ada);
  await page.context().clearCookies({ name: "console" });
  await page.goto(`${service.baseUrl}/console/mail`);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Email log");
});

test("an unknown address is reported inside the frame", async ({ page, service }) => {
  await beginSession(page, ada);
  const answer = await page.goto(`${service.baseUrl}/console/mail/nobody`);
  expect(answer?.status()).toBe(404);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Page not found");
});

test("the frame of the console and its emails have no accessibility errors, light and dark, and fit a narrow screen", async ({
  page,
  service,
}) => {
  await causeMail(page, bob.loginName);
  await openConsole(page, `${service.baseUrl}/console/mail`, ada);
  await page.reload();
  const mail = (await page.getByRole("row").nth(1).getByRole("link").first().getAttribute("href")) ?? "";
  const look = async (path: string, width: number, colorScheme: "light" | "dark", rules?: readonly string[]) => {
    await page.setViewportSize({ width, height: 800 });
    await page.emulateMedia({ colorScheme });
    expect(await findings(page, rules), `${path} at ${width}, ${colorScheme}`).toEqual([]);
    const sideways = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    expect(sideways, `${path} at ${width}`).toBeLessThanOrEqual(0);
    const name = `${path.replace(/[^a-z]+/gi, "-").slice(0, 24)}${path.slice(-4)}-${width}-${colorScheme}`;
    await keepPicture(page, name);
  };
  for (const path of ["/console/mail", mail, `${mail}?view=headers`, "/console/mail/nobody"]) {
    await page.goto(`${service.baseUrl}${path}`);
    if (path === mail) await expect(page.frameLocator("iframe").getByText("Hello Bob")).toBeVisible();
    for (const { width, colorScheme, rules } of VIEWS) await look(path, width, colorScheme, rules);
  }
  // The frame of all pages: its narrow menu by every rule, and its wide one in the dark.
  await page.goto(`${service.baseUrl}/console`);
  await look("/console", 320, "light");
  await look("/console", 1280, "dark", COLOUR_RULES);
});
