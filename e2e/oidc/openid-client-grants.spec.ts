/** Further features of openid-client 6, unmodified: other grants, other endpoints, other response modes. */
import type { Page } from "@playwright/test";
import * as client from "openid-client";
import { ada, clientSecret, clients, machine } from "../directory";
import { type ClientKey, expect, test } from "../fixtures";
import type { RelyingParty } from "../relying-party";
import { backAtApplication, signIn } from "../sign-in";

const TOKEN_EXCHANGE = "urn:ietf:params:oauth:grant-type:token-exchange";
const ACCESS_TOKEN = "urn:ietf:params:oauth:token-type:access_token";

const discover = (baseUrl: string, clientId: string, authentication: client.ClientAuth) =>
  client.discovery(new URL(baseUrl), clientId, undefined, authentication, {
    execute: [client.allowInsecureRequests], // loopback http
  });

/** Returns the configuration of the API that introspects tokens, with private_key_jwt. */
async function api(baseUrl: string, { kid, privateKey }: ClientKey): Promise<client.Configuration> {
  const pkcs8 = privateKey.export({ type: "pkcs8", format: "der" });
  const algorithm = { name: "RSASSA-PKCS1-v1_5", hash: "SHA-256" };
  const key = await crypto.subtle.importKey("pkcs8", pkcs8, algorithm, false, ["sign"]);
  return discover(baseUrl, clients.api, client.PrivateKeyJwt({ kid, key }));
}

/** Signs Ada in with PKCE and a form_post response, which this server's callback receives as a request. */
async function signInByFormPost(page: Page, config: client.Configuration, relyingParty: RelyingParty, scope: string) {
  const pkceCodeVerifier = client.randomPKCECodeVerifier();
  const expectedState = client.randomState();
  const url = client.buildAuthorizationUrl(config, {
    redirect_uri: relyingParty.redirectUri,
    response_mode: "form_post",
    scope,
    state: expectedState,
    code_challenge: await client.calculatePKCECodeChallenge(pkceCodeVerifier),
    code_challenge_method: "S256",
  });
  await page.goto(url.href);
  await signIn(page, ada);
  await backAtApplication(page, relyingParty.redirectUri);
  const [arrival] = relyingParty.arrivals.slice(-1);
  expect(arrival).toMatchObject({ method: "POST", url: { search: "" } });
  const callback = new Request(relyingParty.redirectUri, { method: "POST", body: arrival?.form });
  return client.authorizationCodeGrant(config, callback, { pkceCodeVerifier, expectedState, idTokenExpected: true });
}

test("openid-client signs in by form_post; an API introspects; the app revokes", async ({
  page,
  service: { baseUrl },
  relyingParty,
  clientKey,
}) => {
  const config = await discover(baseUrl, clients.basic, client.ClientSecretBasic(clientSecret));
  const tokens = await signInByFormPost(page, config, relyingParty, "openid email offline_access");
  expect(tokens.claims()?.sub).toBe(ada.id);

  const shop = await api(baseUrl, clientKey);
  const known = await client.tokenIntrospection(shop, tokens.access_token);
  expect(known).toMatchObject({ active: true, sub: ada.id, client_id: clients.basic, username: ada.loginName });
  await client.tokenRevocation(config, tokens.access_token);
  expect(await client.tokenIntrospection(shop, tokens.access_token)).toEqual({ active: false });

  const refreshed = await client.refreshTokenGrant(config, tokens.refresh_token ?? "");
  await client.tokenRevocation(config, refreshed.refresh_token ?? "");
  expect(await client.tokenIntrospection(shop, refreshed.access_token)).toEqual({ active: false });
  const again = client.refreshTokenGrant(config, refreshed.refresh_token ?? "");
  await expect(again).rejects.toMatchObject({ error: "invalid_grant" });
});

test("openid-client exchanges a person's token (RFC 8693)", async ({
  page,
  service: { baseUrl },
  relyingParty,
  clientKey,
}) => {
  const app = await discover(baseUrl, clients.post, client.ClientSecretPost(clientSecret));
  const tokens = await signInByFormPost(page, app, relyingParty, "openid profile email");
  const backend = await discover(baseUrl, clients.backend, client.ClientSecretBasic(clientSecret));
  const exchanged = await client.genericGrantRequest(backend, TOKEN_EXCHANGE, {
    subject_token: tokens.access_token,
    subject_token_type: ACCESS_TOKEN,
    scope: "openid email",
  });
  expect(exchanged.issued_token_type).toBe(ACCESS_TOKEN);
  const known = await client.tokenIntrospection(await api(baseUrl, clientKey), exchanged.access_token);
  expect(known).toMatchObject({ active: true, sub: ada.id, client_id: clients.backend, scope: "openid email" });
});

test("openid-client gets a token for a machine, which the API in its audience accepts", async ({
  service: { baseUrl },
  clientKey,
}) => {
  const config = await discover(baseUrl, machine.clientId, client.ClientSecretBasic(machine.secret));
  const scope = "openid urn:service:iam:org:project:id:shop:aud";
  const tokens = await client.clientCredentialsGrant(config, { scope });
  expect(tokens.refresh_token).toBeUndefined();
  const known = await client.tokenIntrospection(await api(baseUrl, clientKey), tokens.access_token);
  expect(known).toMatchObject({ active: true, sub: "m-ci", client_id: machine.clientId });
  await client.tokenRevocation(config, tokens.access_token);
  expect(await client.tokenIntrospection(await api(baseUrl, clientKey), tokens.access_token)).toEqual({
    active: false,
  });
});

test("openid-client signs a person in on a device without a browser (RFC 8628)", async ({ page, service }) => {
  const config = await discover(service.baseUrl, clients.native, client.None());
  const device = await client.initiateDeviceAuthorization(config, { scope: "openid profile offline_access" });
  const [tokens] = await Promise.all([
    client.pollDeviceAuthorizationGrant(config, device),
    allow(page, device.verification_uri, device.user_code),
  ]);
  expect(tokens.claims()?.sub).toBe(ada.id);
  expect(await client.fetchUserInfo(config, tokens.access_token, ada.id)).toMatchObject({ name: "Ada Lovelace" });
  expect((await client.refreshTokenGrant(config, tokens.refresh_token ?? "")).access_token).toBeTruthy();
});

/** Enters the code on Ada's phone and allows the request of the device. */
async function allow(page: Page, address: string, userCode: string): Promise<void> {
  await page.goto(address);
  await page.locator("#user_code").fill(userCode);
  await page.locator("#submit").click();
  await signIn(page, ada);
  await page.locator("#allow").click();
  await page.waitForURL("**/device/done**");
}
