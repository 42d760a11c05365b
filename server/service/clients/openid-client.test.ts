/** openid-client 6 as its README begins: `discovery(issuer, client id, secret)`, which sends the secret in the form. */
import * as client from "openid-client";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { setSecuritySettings } from "../../directory/instance-settings";
import { createInitialToken } from "../../directory/registration/initial-tokens";
import { clientApp, withApps } from "../../testing/client-apps";
import { SECRET } from "../../testing/example";
import { type ServiceOnAPort, serviceOnAPort, surfer } from "../../testing/on-a-port";

const ORIGIN = "http://localhost:3000"; // no server: the walk ends before it

describe("openid-client 6 with a bare secret", () => {
  let service: ServiceOnAPort;
  beforeAll(async () => {
    service = await serviceOnAPort(withApps(clientApp("web", ORIGIN)));
  });
  afterAll(() => service.close());

  it("signs in, refreshes, revokes and signs out", async () => {
    const insecure = { execute: [client.allowInsecureRequests] }; // http on this machine
    const config = await client.discovery(new URL(service.origin), "web", SECRET, undefined, insecure);
    const pkceCodeVerifier = client.randomPKCECodeVerifier();
    const expectedState = client.randomState();
    const start = client.buildAuthorizationUrl(config, {
      redirect_uri: `${ORIGIN}/callback`,
      scope: "openid profile offline_access",
      code_challenge: await client.calculatePKCECodeChallenge(pkceCodeVerifier),
      code_challenge_method: "S256",
      state: expectedState,
    });
    const ada = surfer(service.origin);
    const { url } = await ada.open(start.href, ORIGIN);
    const tokens = await client.authorizationCodeGrant(config, url, { pkceCodeVerifier, expectedState });
    expect(tokens.claims()?.sub).toBe("u-ada");
    expect(await client.fetchUserInfo(config, tokens.access_token, "u-ada")).toMatchObject({ name: "Ada Lovelace" });

    const refreshed = await client.refreshTokenGrant(config, tokens.refresh_token ?? "");
    await client.tokenRevocation(config, refreshed.access_token);
    await expect(client.fetchUserInfo(config, refreshed.access_token, "u-ada")).rejects.toThrow();

    const goodbye = client.buildEndSessionUrl(config, {
      id_token_hint: tokens.id_token ?? "",
      post_logout_redirect_uri: ORIGIN,
    });
    expect((await ada.open(goodbye.href, ORIGIN)).url.origin).toBe(ORIGIN);
    await expect(client.refreshTokenGrant(config, refreshed.refresh_token ?? "")).rejects.toMatchObject({
      error: "invalid_grant",
    });
  });

  it("registers itself with an initial access token and signs in with what it got", async () => {
    await setSecuritySettings(
      { ...service.ctx, origin: { actor: "system" } },
      { dynamicClientRegistration: { enabled: true, allowUnauthenticated: false } },
    );
    const metadata = { client_name: "Tool", redirect_uris: [`${ORIGIN}/callback`], scope: "openid profile" };
    const insecure = { execute: [client.allowInsecureRequests], algorithm: "oidc" as const };
    const registering = (initialAccessToken?: string) =>
      client.dynamicClientRegistration(new URL(service.origin), metadata, undefined, {
        ...insecure,
        initialAccessToken,
      });
    await expect(registering()).rejects.toThrow();
    const { token } = (await createInitialToken({ ...service.ctx, origin: { actor: "u-ada" } }, undefined)) as {
      token: string;
    };
    const config = await registering(token);
    const pkceCodeVerifier = client.randomPKCECodeVerifier();
    const start = client.buildAuthorizationUrl(config, {
      redirect_uri: `${ORIGIN}/callback`,
      scope: "openid profile",
      code_challenge: await client.calculatePKCECodeChallenge(pkceCodeVerifier),
      code_challenge_method: "S256",
    });
    const { url } = await surfer(service.origin).open(start.href, ORIGIN);
    const tokens = await client.authorizationCodeGrant(config, url, { pkceCodeVerifier });
    expect(tokens.claims()?.aud).toBe(config.clientMetadata().client_id);
  });

  it("signs in with a pushed authorization request", async () => {
    const insecure = { execute: [client.allowInsecureRequests] };
    const config = await client.discovery(new URL(service.origin), "web", SECRET, undefined, insecure);
    const pkceCodeVerifier = client.randomPKCECodeVerifier();
    const expectedState = client.randomState();
    const start = await client.buildAuthorizationUrlWithPAR(config, {
      redirect_uri: `${ORIGIN}/callback`,
      scope: "openid",
      code_challenge: await client.calculatePKCECodeChallenge(pkceCodeVerifier),
      code_challenge_method: "S256",
      state: expectedState,
    });
    expect([...start.searchParams.keys()].sort()).toEqual(["client_id", "request_uri"]);
    const { url } = await surfer(service.origin).open(start.href, ORIGIN);
    const tokens = await client.authorizationCodeGrant(config, url, { pkceCodeVerifier, expectedState });
    expect(tokens.claims()?.sub).toBe("u-ada");
  });

  it("gets and uses tokens that are bound to its key (DPoP)", async () => {
    const insecure = { execute: [client.allowInsecureRequests] };
    const config = await client.discovery(new URL(service.origin), "web", SECRET, undefined, insecure);
    const DPoP = client.getDPoPHandle(config, await client.randomDPoPKeyPair("ES256"));
    const pkceCodeVerifier = client.randomPKCECodeVerifier();
    const expectedState = client.randomState();
    const start = client.buildAuthorizationUrl(config, {
      redirect_uri: `${ORIGIN}/callback`,
      scope: "openid profile offline_access",
      code_challenge: await client.calculatePKCECodeChallenge(pkceCodeVerifier),
      code_challenge_method: "S256",
      state: expectedState,
    });
    const { url } = await surfer(service.origin).open(start.href, ORIGIN);
    const checks = { pkceCodeVerifier, expectedState };
    const tokens = await client.authorizationCodeGrant(config, url, checks, undefined, { DPoP });
    expect(tokens.token_type).toBe("dpop");
    const info = await client.fetchUserInfo(config, tokens.access_token, "u-ada", { DPoP });
    expect(info.name).toBe("Ada Lovelace");
    await expect(client.fetchUserInfo(config, tokens.access_token, "u-ada")).rejects.toThrow();
    const renewed = await client.refreshTokenGrant(config, tokens.refresh_token ?? "", undefined, { DPoP });
    expect(renewed.token_type).toBe("dpop");
  });

  it("gets an error that says what to send if introspection needs the secret in the header", async () => {
    const insecure = { execute: [client.allowInsecureRequests] };
    const bare = await client.discovery(new URL(service.origin), "web", SECRET, undefined, insecure);
    const refused = await client.tokenIntrospection(bare, "none").catch((error: unknown) => error);
    expect(refused).toMatchObject({
      cause: [{ scheme: "basic", parameters: { error: "invalid_client", error_description: expect.any(String) } }],
    });
    const inHeader = client.ClientSecretBasic(SECRET);
    const basic = await client.discovery(new URL(service.origin), "web", undefined, inHeader, insecure);
    expect(await client.tokenIntrospection(basic, "none")).toEqual({ active: false });
  });
});
