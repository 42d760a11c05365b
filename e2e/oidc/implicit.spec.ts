/**
 * The implicit flow (OIDC Core §3.2) with third-party clients: oidc-client 1 in Chromium, which checks the signature,
 * nonce and at_hash (§3.2.2.9, §3.2.2.11) before it reports the user, and openid-client 6.
 */
import * as client from "openid-client";
import { ada, clients } from "../directory";
import { expect, test } from "../fixtures";
import { backAtApplication, signIn } from "../sign-in";
import { singlePageApplication } from "./pages/serve";

test("oidc-client signs in with id_token token, renews in a frame and signs out", async ({
  page,
  service: { baseUrl },
  relyingParty,
}) => {
  const { siteOrigin } = relyingParty;
  const implicitSettings = {
    authority: baseUrl,
    client_id: clients.implicit,
    redirect_uri: `${siteOrigin}/callback`,
    silent_redirect_uri: `${siteOrigin}/callback`,
    post_logout_redirect_uri: `${siteOrigin}/signed-out`,
    response_type: "id_token token",
    scope: "openid profile email",
    monitorSession: false,
  };
  relyingParty.serve(await singlePageApplication("oidc-client.ts", { implicitSettings }));
  await page.goto(siteOrigin);
  await page.evaluate(() => void window.implicitManager.signinRedirect());
  await signIn(page, ada);
  await expect(page.getByRole("heading", { name: `Signed in as ${ada.id}` })).toBeVisible();
  const user = await page.evaluate(() => window.implicitManager.getUser());
  expect(user?.profile).toMatchObject({ sub: ada.id, name: "Ada Lovelace", email: "ada@acme.test" });

  const renewed = await page.evaluate(async () => {
    const { access_token, id_token, profile } = await window.implicitManager.signinSilent();
    return { access_token, id_token, profile };
  });
  expect(renewed.access_token).not.toBe(user?.access_token);
  expect(renewed.profile.sub).toBe(ada.id);

  await page.evaluate(() => void window.implicitManager.signoutRedirect());
  await page.waitForURL(`${siteOrigin}/signed-out**`);
  const userinfo = `${baseUrl}/oidc/v1/userinfo`;
  const dead = await fetch(userinfo, { headers: { authorization: `Bearer ${renewed.access_token}` } });
  expect(dead.status).toBe(401);
});

test("openid-client signs in with id_token alone", async ({ page, service: { baseUrl }, relyingParty }) => {
  const config = await client.discovery(new URL(baseUrl), clients.implicit, undefined, client.None(), {
    execute: [client.allowInsecureRequests, client.useIdTokenResponseType],
  });
  const nonce = client.randomNonce();
  const state = client.randomState();
  const parameters = { redirect_uri: relyingParty.redirectUri, scope: "openid email", nonce, state };
  await page.goto(client.buildAuthorizationUrl(config, parameters).href);
  await signIn(page, ada);
  const callback = await backAtApplication(page, relyingParty.redirectUri);
  const claims = await client.implicitAuthentication(config, callback, nonce, { expectedState: state });
  expect(claims).toMatchObject({ sub: ada.id, email: "ada@acme.test" }); // OIDC Core §5.4: there is no access token for userinfo
  await expect(client.implicitAuthentication(config, callback, "another", { expectedState: state })).rejects.toThrow();
});
