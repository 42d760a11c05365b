/**
 * The authorization code flow with oauth4webapi 3, unmodified: it validates every response strictly, including the
 * signature of the id_token.
 */
import * as oauth from "oauth4webapi";
import { bob, clients } from "../directory";
import { expect, test } from "../fixtures";
import { backAtApplication, signIn } from "../sign-in";

const insecure = { [oauth.allowInsecureRequests]: true }; // loopback http

test("oauth4webapi signs a person in as a public client with PKCE", async ({ page, service, relyingParty }) => {
  const issuer = new URL(service.baseUrl);
  const server = await oauth.processDiscoveryResponse(issuer, await oauth.discoveryRequest(issuer, insecure));
  const client: oauth.Client = { client_id: clients.public };
  const codeVerifier = oauth.generateRandomCodeVerifier();
  const state = oauth.generateRandomState();
  const nonce = oauth.generateRandomNonce();
  const url = new URL(server.authorization_endpoint ?? "");
  url.search = new URLSearchParams({
    client_id: client.client_id,
    redirect_uri: relyingParty.redirectUri,
    response_type: "code",
    scope: "openid email offline_access",
    code_challenge: await oauth.calculatePKCECodeChallenge(codeVerifier),
    code_challenge_method: "S256",
    state,
    nonce,
  }).toString();
  await page.goto(url.href);
  await signIn(page, bob);
  const callback = await backAtApplication(page, relyingParty.redirectUri);

  const parameters = oauth.validateAuthResponse(server, client, callback, state); // checks iss too, RFC 9207
  const { redirectUri } = relyingParty;
  const redeem = () =>
    oauth.authorizationCodeGrantRequest(server, client, oauth.None(), parameters, redirectUri, codeVerifier, insecure);
  const response = await redeem();
  const tokens = await oauth.processAuthorizationCodeResponse(server, client, response, {
    expectedNonce: nonce,
    requireIdToken: true,
  });
  await oauth.validateApplicationLevelSignature(server, response, insecure);
  expect(oauth.getValidatedIdTokenClaims(tokens)?.sub).toBe(bob.id);

  const info = await oauth.userInfoRequest(server, client, tokens.access_token, insecure);
  expect(await oauth.processUserInfoResponse(server, client, bob.id, info)).toMatchObject({ email: bob.loginName });

  const refreshToken = tokens.refresh_token ?? "";
  const refreshed = await oauth.processRefreshTokenResponse(
    server,
    client,
    await oauth.refreshTokenGrantRequest(server, client, oauth.None(), refreshToken, insecure),
  );
  expect(refreshed.refresh_token).not.toBe(refreshToken);

  const replayed = await oauth.processAuthorizationCodeResponse(server, client, await redeem()).catch((error) => error);
  expect(replayed).toMatchObject({ error: "invalid_grant", status: 400 });
  const dead = await oauth.userInfoRequest(server, client, refreshed.access_token, insecure);
  expect(dead.status).toBe(401);
});
