/** A single-page application with oidc-client-ts 3, unmodified, in Chromium: sign-in, renewal, two tabs, sign-out. */
import type { Page } from "@playwright/test";
import { ada, clients } from "../directory";
import { expect, test } from "../fixtures";
import type { RelyingParty } from "../relying-party";
import { signIn } from "../sign-in";
import { singlePageApplication } from "./pages/serve";

const signedIn = (page: Page) => expect(page.getByRole("heading", { name: `Signed in as ${ada.id}` })).toBeVisible();

/** Opens the application and signs Ada in. */
async function start(page: Page, baseUrl: string, { siteOrigin, serve }: RelyingParty, scope: string): Promise<void> {
  const settings = {
    authority: baseUrl,
    client_id: clients.public,
    redirect_uri: `${siteOrigin}/callback`,
    post_logout_redirect_uri: `${siteOrigin}/signed-out`,
    scope,
    loadUserInfo: true,
    automaticSilentRenew: false,
  };
  serve(await singlePageApplication("oidc-client-ts.ts", { settings }));
  await page.goto(siteOrigin);
  await expect(page.getByRole("heading", { name: "Nobody is signed in" })).toBeVisible();
  await page.evaluate(() => void window.manager.signinRedirect());
  await signIn(page, ada);
  await signedIn(page);
}

const renewed = (page: Page) =>
  page.evaluate(async () => {
    const user = await window.manager.signinSilent();
    return { accessToken: user?.access_token, refreshToken: user?.refresh_token, name: user?.profile.name };
  });

const userinfoStatus = (page: Page, baseUrl: string, accessToken: string | undefined) =>
  page.evaluate(
    async ([url, token]) =>
      (await fetch(`${url}/oidc/v1/userinfo`, { headers: { authorization: `Bearer ${token}` } })).status,
    [baseUrl, accessToken],
  );

test("oidc-client-ts signs in, loads userinfo, renews silently in a frame and signs out", async ({
  page,
  service: { baseUrl },
  relyingParty,
}) => {
  await start(page, baseUrl, relyingParty, "openid profile email");
  const user = await page.evaluate(() => window.manager.getUser());
  expect(user?.refresh_token).toBeUndefined();
  expect(user?.profile).toMatchObject({ name: "Ada Lovelace", email: "ada@acme.test" }); // by userinfo: CORS

  const { accessToken, name } = await renewed(page); // prompt=none in a frame
  expect(accessToken).not.toBe(user?.access_token);
  expect(name).toBe("Ada Lovelace");

  await page.evaluate(() => void window.manager.signoutRedirect());
  await expect(page.getByRole("heading", { name: "Nobody is signed in" })).toBeVisible();
  expect(page.url()).toContain(`${relyingParty.siteOrigin}/signed-out`);
  expect(await userinfoStatus(page, baseUrl, accessToken)).toBe(401);
  const silent = page.evaluate(() => window.manager.signinSilent({ forceIframeAuth: true }));
  await expect(silent).rejects.toThrow(/login_required|sign in/);
});

test("oidc-client-ts stays signed in in two tabs that refresh at the same moment", async ({
  page,
  context,
  service: { baseUrl },
  relyingParty,
}) => {
  await start(page, baseUrl, relyingParty, "openid profile offline_access");
  const other = await context.newPage();
  await other.goto(relyingParty.siteOrigin);
  await signedIn(other);

  // Both requests are sent before either is answered, with the same refresh token.
  const presented: (string | null)[] = [];
  let bothAreThere = () => {};
  const together = new Promise<void>((resolve) => {
    bothAreThere = resolve;
  });
  await context.route(`${baseUrl}/oauth/v2/token`, async (route) => {
    presented.push(new URLSearchParams(route.request().postData() ?? "").get("refresh_token"));
    if (presented.length === 2) bothAreThere();
    await together;
    await route.continue();
  });
  const [one, two] = await Promise.all([renewed(page), renewed(other)]);
  await context.unroute(`${baseUrl}/oauth/v2/token`);

  expect(presented).toHaveLength(2);
  expect(presented[0]).toBe(presented[1]);
  expect(one.refreshToken).not.toBe(presented[0]);
  expect(two.refreshToken).toBe(one.refreshToken); // the order in which the tabs write the store does not matter
  expect(await userinfoStatus(page, baseUrl, one.accessToken)).toBe(200);
  expect(await userinfoStatus(other, baseUrl, two.accessToken)).toBe(200);
  const later = await renewed(other);
  expect(later.refreshToken).not.toBe(two.refreshToken);
});

test("oidc-client-ts revokes its tokens", async ({ page, service: { baseUrl }, relyingParty }) => {
  await start(page, baseUrl, relyingParty, "openid profile offline_access");
  const { accessToken } = await renewed(page);
  await page.evaluate(() => window.manager.revokeTokens());
  expect(await userinfoStatus(page, baseUrl, accessToken)).toBe(401);
});
