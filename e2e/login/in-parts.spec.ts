/** Pages on a slow network, shown before they are complete: nothing that was shown moves. */
import { ada, clients } from "../directory";
import { expect, test } from "../fixtures";
import { startSlowNetwork } from "../slow-network";
import { shifts, watchShifts } from "../steady";

for (const width of [390, 1280]) {
  test(`pages stay where they are while they arrive in parts, ${width} px wide`, async ({
    browser,
    service,
    relyingParty,
  }) => {
    const network = await startSlowNetwork();
    const proxy = { server: network.server, bypass: "<-loopback>" };
    const context = await browser.newContext({ proxy, viewport: { width, height: 800 } });
    const page = await context.newPage();
    await watchShifts(page);
    const stays = async (what: string) => expect(await shifts(page), what).toEqual([]);

    await page.goto(`${service.baseUrl}/nowhere`);
    await stays("an address that is no page");
    await page.goto(`${service.baseUrl}/device`);
    await stays("the code of a device");
    const request = { client_id: clients.basic, redirect_uri: relyingParty.redirectUri, response_type: "code" };
    await page.goto(`${service.baseUrl}/oauth/v2/authorize?${new URLSearchParams({ ...request, scope: "openid" })}`);
    await stays("the sign-in");
    await page.locator("#loginName").fill(ada.loginName);
    await page.locator("#password").fill("not the password");
    await page.locator("#submit").click();
    await expect(page.getByRole("alert")).toBeVisible();
    await page.waitForLoadState();
    await stays("the sign-in with an error");
    for (const path of ["/docs", "/docs/first-app", "/docs/api"]) {
      await page.goto(service.baseUrl + path);
      const moved = (await shifts(page)).filter((what) => what.includes("<main") || what.includes("<img"));
      expect(moved, path).toEqual([]);
    }
    await context.close();
    network.close();
  });
}
