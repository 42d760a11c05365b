/**
 * The authorization code flow with openid-client 6, unmodified: discovery to sign-out, for each method of client
 * authentication.
 */
import * as client from "openid-client";
import { ada, clientSecret, clients } from "../directory";
import { expect, test } from "../fixtures";
import { backAtApplication, signIn } from "../sign-in";

type Way = "basic" | "post" | "privateKeyJwt" | "public";

for (const way of ["basic", "post", "privateKeyJwt", "public"] satisfies Way[]) {
  test(`openid-client signs a person in, refreshes and signs out: ${way}`, async ({
    page,
    service,
    relyingParty,
    clientKey,
  }) => {
    const authentication = {
      basic: client.ClientSecretBasic(clientSecret),
      post: client.ClientSecretPost(clientSecret),
      public: client.None(),
      privateKeyJwt: client.PrivateKeyJwt({
        kid: clientKey.kid,
        key: await webKey(clientKey.privateKey.export({ type: "pkcs8", format: "der" })),
      }),
    }[way];
    const config = await client.discovery(new URL(service.baseUrl), clients[way], undefined, authentication, {
      execute: [client.allowInsecureRequests], // loopback http
    });
    const codeVerifier = client.randomPKCECodeVerifier();
    const state = client.randomState();
    const nonce = client.randomNonce();
    const parameters = {
      redirect_uri: relyingParty.redirectUri,
      scope: "openid profile email offline_access",
      code_challenge: await client.calculatePKCECodeChallenge(codeVerifier),
      code_challenge_method: "S256",
      state,
      nonce,
    };
    await page.goto(client.buildAuthorizationUrl(config, parameters).href);
    await signIn(page, ada);
    const callback = await backAtApplication(page, relyingParty.redirectUri);

    const tokens = await client.authorizationCodeGrant(config, callback, {
      pkceCodeVerifier: codeVerifier,
      expectedState: state,
      expectedNonce: nonce,
      idTokenExpected: true,
    });
    expect(tokens.claims()?.sub).toBe(ada.id);
    const person = await client.fetchUserInfo(config, tokens.access_token, ada.id);
    expect(person).toMatchObject({ name: "Ada Lovelace", email: "ada@acme.test", email_verified: true });

    const refreshed = await client.refreshTokenGrant(config, tokens.refresh_token ?? "");
    expect(refreshed.refresh_token).not.toBe(tokens.refresh_token);
    expect((await client.fetchUserInfo(config, refreshed.access_token, ada.id)).sub).toBe(ada.id);

    const goodbye = client.buildEndSessionUrl(config, {
      id_token_hint: tokens.id_token ?? "",
      post_logout_redirect_uri: relyingParty.postLogoutRedirectUri,
    });
    await page.goto(goodbye.href);
    expect(page.url()).toContain(relyingParty.postLogoutRedirectUri);
    await expect(client.fetchUserInfo(config, refreshed.access_token, ada.id)).rejects.toThrow();
    await expect(client.refreshTokenGrant(config, refreshed.refresh_token ?? "")).rejects.toMatchObject({
      error: "invalid_grant",
    });

    const secrets = [ada.password, clientSecret, callback.searchParams.get("code"), tokens.access_token];
    for (const secret of [...secrets, tokens.id_token, tokens.refresh_token, refreshed.refresh_token, codeVerifier]) {
      expect(service.output()).not.toContain(secret);
    }
  });
}

function webKey(pkcs8: Uint8Array<ArrayBuffer>): Promise<CryptoKey> {
  return crypto.subtle.importKey("pkcs8", pkcs8, { name: "RSASSA-PKCS1-v1_5", hash: "SHA-256" }, false, ["sign"]);
}
