/** From an empty database to a signed-in user, as the README describes it: setup link, a file with an app, sign-in. */
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { clientSecret, clients } from "../directory";
import { expect, test } from "../fixtures";
import { startService } from "../service";
import { backAtApplication } from "../sign-in";

const person = { loginName: "grace@navy.test", password: "a few random words work well" };

test("the setup link makes the first administrator, once, and an applied file makes an app", async ({
  page,
  relyingParty,
}) => {
  const service = await startService();
  try {
    const link = /http\S+\/setup\?token=[\w-]+/.exec(service.output())?.[0] ?? "";
    await page.goto(link);
    await page.reload(); // opening the link does not use it up
    await page.locator("#organizationName").fill("Navy");
    await page.locator("#email").fill("not an address");
    await page.locator("#givenName").fill("Grace");
    await page.locator("#familyName").fill("Hopper");
    await page.locator("#password").fill("too short");
    await page.locator("#submit").click();
    await expect(page.getByRole("alert")).toBeVisible();
    await expect(page.locator("#organizationName")).toHaveValue("Navy");
    await page.locator("#email").fill(person.loginName);
    await page.locator("#password").fill(person.password);
    await page.locator("#submit").click();
    await expect(page.locator("#sign-out")).toBeVisible(); // in the console, without further input
    await expect(page.getByText(person.loginName)).toBeVisible();

    expect((await page.goto(link))?.status()).toBe(410);
    expect(service.output()).not.toContain(person.password);

    const file = join(service.folder, "shop.json");
    writeFileSync(file, JSON.stringify(shop(relyingParty.redirectUri)));
    const admin = (...words: string[]) =>
      spawnSync(process.execPath, ["dist/admin.mjs", ...words], {
        env: { ...process.env, ...service.env },
        encoding: "utf8",
      });
    const applied = admin("apply", file);
    expect([applied.status, applied.stderr]).toEqual([0, ""]);

    const parameters = { client_id: clients.basic, redirect_uri: relyingParty.redirectUri, response_type: "code" };
    await page.goto(`${service.baseUrl}/oauth/v2/authorize?${new URLSearchParams({ ...parameters, scope: "openid" })}`);
    expect((await backAtApplication(page, relyingParty.redirectUri)).searchParams.get("code")).toBeTruthy();
  } finally {
    await service.stop();
  }
});

function shop(redirectUri: string) {
  const oidc = {
    clientId: clients.basic,
    clientSecret,
    redirectUris: [redirectUri],
    responseTypes: ["OIDC_RESPONSE_TYPE_CODE"],
    grantTypes: ["OIDC_GRANT_TYPE_AUTHORIZATION_CODE"],
    appType: "OIDC_APP_TYPE_WEB",
    authMethodType: "OIDC_AUTH_METHOD_TYPE_BASIC",
  };
  return { organizations: [{ name: "Navy", projects: [{ name: "Fleet", apps: [{ name: "Log", oidc }] }] }] };
}
