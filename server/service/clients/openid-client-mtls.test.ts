/** openid-client 6 with a client certificate (RFC 8705), over TLS of the service, at the addresses of discovery. */
import { createPrivateKey } from "node:crypto";
import type { RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import tls from "node:tls";
import * as client from "openid-client";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { CERTIFICATE, KEY } from "../../testing/certificate";
import { clientApp, withApps } from "../../testing/client-apps";
import { certificateMaker, fetchOverTls } from "../../testing/client-certificates";
import { surfer } from "../../testing/on-a-port";
import { type TestService, testService } from "../../testing/test-context";
import { SERVER_LIMITS } from "../http-server/one-port";
import { requestListener } from "../http-server/request-listener";
import { createSecureServer } from "../http-server/secure-server";

const ORIGIN = "https://app.test"; // no server: the walk ends before it
const maker = certificateMaker();
const certificate = maker.issue("/CN=bank", "DNS:bank.example.com");
const key = createPrivateKey({ key: KEY, format: "jwk" }).export({ type: "pkcs8", format: "pem" });

describe("openid-client 6 with a client certificate", () => {
  let service: TestService;
  let issuer: string;
  let listener: RequestListener;
  const trusted = tls.getCACertificates("default");
  const open = async (clients?: { ca: string }) => {
    const server = createSecureServer({ cert: CERTIFICATE, key, clients }, SERVER_LIMITS, (request, response) =>
      listener(request, response),
    );
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    return { server, port: (server.address() as AddressInfo).port };
  };
  let ports: Awaited<ReturnType<typeof open>>[];

  beforeAll(async () => {
    tls.setDefaultCACertificates([...trusted, CERTIFICATE]);
    ports = [await open(), await open({ ca: maker.authority })];
    const [own, mtls] = ports.map(({ port }) => port);
    issuer = `https://localhost:${own}`;
    const { oidc, ...app } = clientApp("bank", ORIGIN);
    const { clientSecret: _, ...settings } = oidc as Record<string, unknown>;
    const certified = {
      ...settings,
      authMethodType: "OIDC_AUTH_METHOD_TYPE_TLS_CLIENT_AUTH",
      tlsClientAuthSanDns: "bank.example.com",
      tlsClientCertificateBoundAccessTokens: true,
      profile: "PROFILE_FAPI2",
    };
    service = await testService("sqlite", withApps({ ...app, oidc: certified } as never), issuer);
    const url = `https://localhost:${mtls}`;
    Object.assign(service.config, { mtls: { port: mtls, url, caFile: "ca.pem", header: "client-cert" } });
    listener = requestListener(service);
  });
  afterAll(async () => {
    tls.setDefaultCACertificates(trusted);
    for (const { server } of ports) server.close();
    maker.close();
    await service.close();
  });

  it("signs in with a pushed request and uses tokens that are bound to its certificate", async () => {
    const metadata = { use_mtls_endpoint_aliases: true, id_token_signed_response_alg: "ES256" };
    const by = { [client.customFetch]: fetchOverTls(CERTIFICATE, certificate) as client.CustomFetch };
    const config = await client.discovery(new URL(issuer), "bank", metadata, client.TlsClientAuth(), by);
    const pkceCodeVerifier = client.randomPKCECodeVerifier();
    const expectedState = client.randomState();
    const start = await client.buildAuthorizationUrlWithPAR(config, {
      redirect_uri: `${ORIGIN}/callback`,
      scope: "openid profile",
      code_challenge: await client.calculatePKCECodeChallenge(pkceCodeVerifier),
      code_challenge_method: "S256",
      state: expectedState,
    });
    const { url } = await surfer(issuer).open(start.href, ORIGIN);
    const tokens = await client.authorizationCodeGrant(config, url, { pkceCodeVerifier, expectedState });
    expect(tokens.token_type).toBe("bearer");
    expect(await client.fetchUserInfo(config, tokens.access_token, "u-ada")).toMatchObject({ name: "Ada Lovelace" });
    const stolen = await client.discovery(new URL(issuer), "bank", metadata, client.TlsClientAuth(), {
      [client.customFetch]: fetchOverTls(CERTIFICATE) as client.CustomFetch,
    });
    await expect(client.fetchUserInfo(stolen, tokens.access_token, "u-ada")).rejects.toMatchObject({ status: 401 });
  });
});
