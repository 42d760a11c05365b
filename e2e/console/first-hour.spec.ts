/**
 * The first hour, from an empty database: the setup link signs in, an app is added for its framework, the copied code
 * runs unchanged, and the console shows the first sign-in. The clicks are counted.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { Locator, Page } from "@playwright/test";
import { freePort } from "../../scripts/free-port.mjs";
import { findings } from "../axe";
import { expect, test } from "../fixtures";
import { keepPicture } from "../pictures";
import { startService } from "../service";
import { codeOf, connectionValue } from "./new-app";

const person = { loginName: "grace@navy.test", password: "a few random words work well" };

/** The folder of an application, inside the project, so that it finds the installed libraries. */
const folder = path.join(import.meta.dirname, "../../test-results/first-hour");

test("four clicks lead from the setup link to the first sign-in with copied code", async ({ page, context }) => {
  const service = await startService();
  let application: ChildProcess | undefined;
  try {
    await context.grantPermissions(["clipboard-read", "clipboard-write"], { origin: service.baseUrl });
    await setUp(page, /http\S+\/setup\?token=[\w-]+/.exec(service.output())?.[0] ?? "");

    let clicks = 0;
    const click = async (what: Locator) => {
      clicks++;
      await what.click();
    };
    await click(page.getByRole("link", { name: "Add an app" }));
    await click(page.getByRole("radio", { name: /Next\.js/ })); // changes the choice
    await expect(page.locator("#redirectUris-0")).toHaveValue("http://localhost:3000/api/auth/callback/identity");
    clicks = 1;
    await click(page.getByRole("radio", { name: "Node.js · Express, openid-client" }));
    await expect(page.locator("#redirectUris-0")).toHaveValue("http://localhost:3001/callback");
    await expect(page.locator("#postLogoutRedirectUris-0")).toHaveValue("http://localhost:3001/");
    await expect(page.getByLabel("Name of the project")).toHaveCount(0);
    expect(await findings(page)).toEqual([]);
    // A port other than 3001, which may be in use on the test machine.
    const home = `http://localhost:${await freePort()}/`;
    await page.locator("#redirectUris-0").fill(`${home}callback`);
    await page.locator("#postLogoutRedirectUris-0").fill(home);
    await page.getByLabel("Name", { exact: true }).fill("Shop");
    await click(page.locator("#create-app"));
    await click(page.getByRole("button", { name: "Copy .env and continue" }));
    await expect(page.locator("#first-sign-in")).toContainText("Waiting for the first sign-in");
    expect(await findings(page)).toEqual([]);

    const environment = await page.evaluate(() => navigator.clipboard.readText());
    expect(environment).toMatch(
      new RegExp(`^ISSUER=${service.baseUrl}\nCLIENT_ID=\\S+\nCLIENT_SECRET=\\S+\nSESSION_SECRET=\\S+\n$`),
    );
    const files = await codeOf(page, /Express/);
    expect([...files.keys()]).toEqual(["Install", ".env", "app.mjs", "Run"]);
    // The page still has what the dialog had: one click on "Copy" loses nothing.
    expect(files.get(".env")).toBe(environment);
    expect(environment).toContain(`CLIENT_SECRET=${await connectionValue(page, "Client secret")}\n`);
    const [download] = await Promise.all([page.waitForEvent("download"), page.locator("#download-env").click()]);
    expect(readFileSync(await download.path(), "utf8")).toBe(environment);
    await expect(page.getByRole("tab").first()).toHaveAttribute("aria-selected", "true");
    await expect(page.getByRole("tab").first()).toContainText("Express");
    mkdirSync(folder, { recursive: true });
    writeFileSync(path.join(folder, ".env"), environment);
    writeFileSync(path.join(folder, "app.mjs"), files.get("app.mjs") ?? "");
    application = spawn("sh", ["-c", `exec ${files.get("Run")}`], { cwd: folder });
    await said(application, /Open http/);

    const visit = await context.newPage();
    await visit.goto(`${home}sign-in`);
    await expect(visit.locator("body")).toContainText('"name":"Grace Hopper"');
    await visit.close();
    await expect(page.locator("#first-sign-in")).toContainText("Grace Hopper signed in");
    expect(clicks).toBeLessThanOrEqual(4);
    const token = page.getByRole("region", { name: "First sign-in" }).locator("pre");
    expect(JSON.parse((await token.textContent()) ?? "")).toMatchObject({ iss: service.baseUrl, amr: ["pwd"] });
    expect(await findings(page)).toEqual([]);
    await keepPicture(page, "console/first-sign-in");
    await page.setViewportSize({ width: 320, height: 640 });
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);
    await page.setViewportSize({ width: 1280, height: 720 });

    // The app came with a project, which can be renamed.
    await page.getByRole("link", { name: "Projects", exact: true }).click();
    await expect(page.getByRole("link", { name: "Default", exact: true })).toBeVisible();
  } finally {
    application?.kill();
    await service.stop();
  }
});

test("an app on a server, and one in a browser, lead to the profile in the playground in five clicks", async ({
  page,
}) => {
  const service = await startService();
  try {
    await setUp(page, /http\S+\/setup\?token=[\w-]+/.exec(service.output())?.[0] ?? "");
    for (const kind of ["web", "browser"]) {
      await page.goto(`${service.baseUrl}/console`);
      await page.locator("a[href$='/apps/new']").click();
      await page.locator(kind === "browser" ? "#kind-browser" : "#kind-web").check();
      await page.locator(kind === "browser" ? "#stack-react" : "#stack-spring").check();
      await page.getByLabel("Name", { exact: true }).fill(kind);
      await page.locator("#create-app").click();
      if (kind !== "browser") {
        await page.getByRole("checkbox", { name: "I have stored it" }).check();
        await page.locator("#secret-stored").click();
      }
      await expect(page.locator("#try-it")).toBeVisible();
      await page.locator("#try-it").click();
      await expect(page.getByRole("heading", { name: "Signed in as Grace Hopper" })).toBeVisible();
      await expect(page.locator("#profile")).toContainText(person.loginName);
      await expect(page.locator("[data-what=userinfo]")).toContainText(person.loginName);
      await expect(page.locator("nav [aria-current=page]").first()).toContainText("Playground");
      await expect(page.getByRole("heading", { level: 1 })).toHaveText(`What ${kind} received`);
      if (kind !== "web") continue;
      // The page of the app knows of the trial, and still has the secret.
      await page.getByRole("link", { name: "Back to web" }).click();
      await expect(page.locator("#first-sign-in")).toContainText(/Tried in the playground, \d+:\d\d/);
      await expect(page.locator("#first-sign-in")).toContainText("Waiting for your app’s own code");
      expect(await connectionValue(page, "Client secret")).not.toBe("");
    }
    // Its sign-out warns that the console session ends too, and ends nothing before.
    expect(await findings(page)).toEqual([]);
    await page.locator("#end-session").click();
    await expect(page.getByRole("dialog")).toContainText("Signing out ends it for both");
    await page.getByRole("dialog").getByRole("button", { name: "Cancel" }).click();
    await page.goto(`${service.baseUrl}/console`);
    await expect(page.locator("#sign-out")).toBeVisible();

    // A wrong address is fixed where it is explained, and the open app is selected.
    await page.getByRole("link", { name: "Playground", exact: true }).click();
    await expect(page.locator("#run")).toBeInViewport();
    const clientId =
      (await page.locator(".request tr", { hasText: "client_id" }).locator("code").last().textContent()) ?? "";
    const wrong = { client_id: clientId, redirect_uri: "http://localhost:5173/callback/", response_type: "code" };
    const query = new URLSearchParams({
      ...wrong,
      scope: "openid",
      code_challenge: "x".repeat(43),
      code_challenge_method: "S256",
    });
    await page.locator("#address-check textarea").fill(`${service.baseUrl}/oauth/v2/authorize?${query}`);
    await page.locator("#check-address").click();
    await expect(page.locator("#check-result")).toContainText("Closest registered address");
    await page.getByRole("button", { name: "Register this address" }).click();
    await expect(page.locator("#check-result")).toContainText("The address passes every check.");
  } finally {
    await service.stop();
  }
});

/** Opens the console by the setup link, without typing anything twice. */
async function setUp(page: Page, link: string): Promise<void> {
  await page.goto(link);
  await page.locator("#organizationName").fill("Navy");
  await page.locator("#email").fill(person.loginName);
  await page.locator("#givenName").fill("Grace");
  await page.locator("#familyName").fill("Hopper");
  await page.locator("#password").fill(person.password);
  await page.locator("#submit").click();
  await expect(page.locator("#sign-out")).toBeVisible();
}

async function said(program: ChildProcess, words: RegExp): Promise<void> {
  let output = "";
  const hear = (chunk: Buffer) => {
    output += chunk;
  };
  program.stdout?.on("data", hear);
  program.stderr?.on("data", hear);
  await expect.poll(() => output).toMatch(words);
}
