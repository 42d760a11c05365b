import { createPrivateKey, X509Certificate } from "node:crypto";
import http from "node:http";
import type { AddressInfo } from "node:net";
import { calculateJwkThumbprint, decodeJwt, exportJWK, generateKeyPair, SignJWT } from "jose";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { tokenHash } from "../protocol/dpop";
import { SERVER_LIMITS } from "../service/http-server/one-port";
import { requestListener } from "../service/http-server/request-listener";
import { createSecureServer } from "../service/http-server/secure-server";
import { CERTIFICATE, KEY } from "../testing/certificate";
import {
  certificateMaker,
  clientCertHeader,
  fetchOverTls,
  type IssuedCertificate,
} from "../testing/client-certificates";
import { ruleDatabases } from "../testing/database";
import { exampleBootstrap, SECRET } from "../testing/example";
import { authorize, pkcePair, REDIRECT_URI } from "../testing/flow";
import { anotherProcess, BASE_URL, type TestService, testService } from "../testing/test-context";

const maker = certificateMaker();
afterAll(() => maker.close());
const [acme] = exampleBootstrap.organizations;
const ownKey = createPrivateKey({ key: KEY, format: "jwk" }).export({ type: "pkcs8", format: "pem" });

const bank = maker.issue("/C=DE/O=Acme/CN=bank", "DNS:bank.example.com");
const stranger = maker.issue("/C=DE/O=Acme/CN=stranger", "DNS:stranger.example.com");
const unknownAuthority = maker.selfSigned("/C=DE/O=Acme/CN=bank", "DNS:bank.example.com");
const own = maker.selfSigned("/CN=anything");
const jwkOf = ({ cert }: IssuedCertificate) => new X509Certificate(cert).publicKey.export({ format: "jwk" });
const thumbprintOf = ({ cert }: IssuedCertificate) =>
  Buffer.from(new X509Certificate(cert).fingerprint256.replaceAll(":", ""), "hex").toString("base64url");

type Answer = Record<string, unknown> & { access_token: string; refresh_token: string };

describe.each(ruleDatabases)("client certificates (RFC 8705) on %s", (kind) => {
  let service: TestService;
  let mtls: string;
  let proxied: string;
  const servers: { close(): unknown; closeAllConnections?(): void }[] = [];

  beforeAll(async () => {
    const common = { redirectUris: [REDIRECT_URI], tlsClientCertificateBoundAccessTokens: true };
    const grants = ["AUTHORIZATION_CODE", "REFRESH_TOKEN", "CLIENT_CREDENTIALS"].map((one) => `OIDC_GRANT_TYPE_${one}`);
    const byName = { ...common, authMethodType: "OIDC_AUTH_METHOD_TYPE_TLS_CLIENT_AUTH", grantTypes: grants };
    const bySelf = { ...byName, authMethodType: "OIDC_AUTH_METHOD_TYPE_SELF_SIGNED_TLS_CLIENT_AUTH" };
    const none = { ...common, authMethodType: "OIDC_AUTH_METHOD_TYPE_NONE", grantTypes: grants.slice(0, 2) };
    const dn = { tlsClientAuthSubjectDn: "CN=bank,O=Acme,C=DE" };
    const jwt = { accessTokenType: "OIDC_TOKEN_TYPE_JWT" };
    const secret = { clientSecret: SECRET, tlsClientCertificateBoundAccessTokens: false };
    const apps = [
      { id: "a-dn", name: "By DN", oidc: { clientId: "dn", ...byName, ...dn } },
      {
        id: "a-dns",
        name: "By DNS",
        oidc: { clientId: "dns", ...byName, ...jwt, tlsClientAuthSanDns: "bank.example.com" },
      },
      {
        id: "a-two",
        name: "Two names",
        oidc: { clientId: "two", ...byName, ...dn, tlsClientAuthSanDns: "bank.example.com" },
      },
      {
        id: "a-self",
        name: "Self",
        oidc: { clientId: "self", ...bySelf, jwks: { keys: [{ ...jwkOf(own), kid: "1" }] } },
      },
      {
        id: "a-seer",
        name: "Sees tokens",
        api: { clientId: "seer", authMethodType: "API_AUTH_METHOD_TYPE_TLS_CLIENT_AUTH", ...dn },
      },
      { id: "a-fapi", name: "FAPI", oidc: { clientId: "fapi", ...byName, ...dn, profile: "PROFILE_FAPI2" } },
      { id: "a-public", name: "Public", oidc: { clientId: "public", ...none } },
      { id: "a-api", name: "Reads", oidc: { clientId: "reader", redirectUris: [REDIRECT_URI], ...secret } },
    ];
    service = await testService(kind, { organizations: [{ ...acme, projects: [{ id: "p1", name: "Bank", apps }] }] });
    Object.assign(service.config, {
      mtls: { port: 1, caFile: "ca.pem", url: "https://mtls.test", header: "client-cert" },
    });
    const tls = createSecureServer(
      { cert: CERTIFICATE, key: ownKey, clients: { ca: maker.authority } },
      SERVER_LIMITS,
      requestListener(service),
    );
    const config = { ...service.config, trustedProxies: ["127.0.0.1"] };
    const plain = http.createServer(requestListener(anotherProcess({ ...service, ctx: { ...service.ctx, config } })));
    const untrusting = http.createServer(requestListener(service));
    servers.push(tls, plain, untrusting);
    const port = async (server: http.Server | typeof tls) => {
      await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
      return (server.address() as AddressInfo).port;
    };
    mtls = `https://localhost:${await port(tls)}`;
    proxied = `http://127.0.0.1:${await port(plain)}`;
    elsewhere = `http://127.0.0.1:${await port(untrusting)}`;
  });
  let elsewhere: string;
  afterAll(async () => {
    for (const server of servers) server.close();
    await service.close();
  });

  const call = async (address: string, init: RequestInit, certificate?: IssuedCertificate) => {
    const response = await (address.startsWith("https:") ? fetchOverTls(CERTIFICATE, certificate) : fetch)(
      address,
      init,
    );
    return { status: response.status, body: (await response.json()) as Answer };
  };
  const post = (path: string, form: Record<string, string>, certificate?: IssuedCertificate, headers = {}) =>
    call(
      `${mtls}${path}`,
      { method: "POST", body: new URLSearchParams(form), headers: { ...FORM, ...headers } },
      certificate,
    );
  const FORM = { "content-type": "application/x-www-form-urlencoded" };
  const forItself = (clientId: string, certificate?: IssuedCertificate) =>
    post("/oauth/v2/token", { grant_type: "client_credentials", client_id: clientId, scope: "openid" }, certificate);
  const signedIn = async (clientId: string, certificate?: IssuedCertificate, headers = {}) => {
    const { verifier, challenge } = pkcePair();
    const request = { client_id: clientId, scope: "openid offline_access", prompt: "consent" };
    const pkce = { code_challenge: challenge, code_challenge_method: "S256" };
    const code = (await authorize(service.browser(), { ...request, ...pkce })).get("code") ?? "";
    const form = { grant_type: "authorization_code", client_id: clientId, code, redirect_uri: REDIRECT_URI };
    return post("/oauth/v2/token", { ...form, code_verifier: verifier }, certificate, headers);
  };
  const refreshed = (clientId: string, token: string, certificate?: IssuedCertificate) =>
    post("/oauth/v2/token", { grant_type: "refresh_token", client_id: clientId, refresh_token: token }, certificate);
  const userinfo = (token: string, certificate?: IssuedCertificate, headers = {}) =>
    call(`${mtls}/oidc/v1/userinfo`, { headers: { authorization: `Bearer ${token}`, ...headers } }, certificate);

  describe("on the connection", () => {
    it.each<[string, string, IssuedCertificate]>([
      ["the subject", "dn", bank],
      ["a DNS name", "dns", bank],
      ["the key of a self-signed one", "self", own],
    ])("authenticate a client by %s", async (_, clientId, certificate) => {
      expect(await forItself(clientId, certificate)).toMatchObject({ status: 200, body: { token_type: "Bearer" } });
    });

    it.each<[string, string, IssuedCertificate | undefined]>([
      ["no certificate", "dn", undefined],
      ["another name", "dn", stranger],
      ["an authority that is not trusted", "dn", unknownAuthority],
      ["no certificate of its own", "self", undefined],
      ["another key", "self", bank],
      ["two registered names", "two", bank],
      ["an unknown client id", "nobody", bank],
    ])("refuse a client with %s as invalid_client", async (_, clientId, certificate) => {
      expect(await forItself(clientId, certificate)).toMatchObject({ status: 401, body: { error: "invalid_client" } });
    });

    it("refuse an expired certificate", async () => {
      service.advance(40 * 86_400_000);
      expect(await forItself("dn", bank)).toMatchObject({ status: 401, body: { error: "invalid_client" } });
      service.advance(-40 * 86_400_000);
    });

    it("do not replace a secret", async () => {
      const form = { grant_type: "refresh_token", client_id: "reader", refresh_token: "x" };
      expect(await post("/oauth/v2/token", form, bank)).toMatchObject({
        status: 401,
        body: { error: "invalid_client" },
      });
    });

    it("authenticate at introspection, revocation and pushed requests", async () => {
      const { body } = await forItself("dn", bank);
      const token = { client_id: "dn", token: body.access_token };
      const shown = await post("/oauth/v2/introspect", token, bank);
      expect(shown.body).toMatchObject({ active: true, token_type: "Bearer", cnf: { "x5t#S256": thumbprintOf(bank) } });
      expect((await post("/oauth/v2/introspect", token)).status).toBe(401);
      expect((await post("/oauth/v2/introspect", { ...token, client_id: "seer" }, bank)).status).toBe(200);
      expect((await post("/oauth/v2/introspect", { ...token, client_id: "seer" }, stranger)).status).toBe(401);
      expect((await post("/oauth/v2/revoke", token, bank)).status).toBe(200);
      const pushed = { client_id: "dn", response_type: "code", redirect_uri: REDIRECT_URI, scope: "openid" };
      expect((await post("/oauth/v2/par", pushed, bank)).status).toBe(201);
      expect((await post("/oauth/v2/par", pushed, stranger)).status).toBe(401);
    });
  });

  describe("bind tokens", () => {
    it("to the certificate: in JWTs, and at userinfo and the management API", async () => {
      const { body } = await signedIn("dns", bank);
      expect(decodeJwt(body.access_token).cnf).toEqual({ "x5t#S256": thumbprintOf(bank) });
      expect((await userinfo(body.access_token, bank)).status).toBe(200);
      for (const other of [undefined, stranger]) {
        expect(await userinfo(body.access_token, other)).toMatchObject({
          status: 401,
          body: { error: "invalid_token" },
        });
        const headers = { authorization: `Bearer ${body.access_token}` };
        const refused = await call(`${mtls}/auth/v1/users/me`, { headers }, other);
        expect(refused).toMatchObject({ status: 401 });
        expect(JSON.stringify(refused.body)).toContain("access.certificate_missing");
      }
      const known = await call(
        `${mtls}/auth/v1/users/me`,
        { headers: { authorization: `Bearer ${body.access_token}` } },
        bank,
      );
      expect(JSON.stringify(known.body)).not.toContain("access.certificate_missing");
    });

    it("to certificate and key, if the request proves both", async () => {
      const { privateKey, publicKey } = await generateKeyPair("ES256");
      const jwk = await exportJWK(publicKey);
      const proof = (path: string, more = {}, method = "POST") =>
        new SignJWT({
          jti: crypto.randomUUID(),
          htm: method,
          htu: `${BASE_URL}${path}`,
          iat: Math.floor(service.ctx.clock() / 1000),
          ...more,
        })
          .setProtectedHeader({ typ: "dpop+jwt", alg: "ES256", jwk })
          .sign(privateKey);
      const { body } = await signedIn("dns", bank, { dpop: await proof("/oauth/v2/token") });
      expect(body.token_type).toBe("DPoP");
      const jkt = await calculateJwkThumbprint(jwk);
      expect(decodeJwt(body.access_token).cnf).toEqual({ jkt, "x5t#S256": thumbprintOf(bank) });
      const headers = async () => ({
        authorization: `DPoP ${body.access_token}`,
        dpop: await proof("/oidc/v1/userinfo", { ath: tokenHash(body.access_token) }, "GET"),
      });
      expect((await userinfo(body.access_token, bank, await headers())).status).toBe(200);
      expect((await userinfo(body.access_token, undefined, await headers())).status).toBe(401);
      expect((await userinfo(body.access_token, bank)).status).toBe(401);
    });

    it("of public clients, also when they are refreshed", async () => {
      expect(await signedIn("public")).toMatchObject({ status: 400, body: { error: "invalid_request" } });
      const { body } = await signedIn("public", own);
      for (const other of [bank, undefined])
        expect((await refreshed("public", body.refresh_token, other)).status).toBe(400);
      expect((await refreshed("public", body.refresh_token, bank)).body.error).toBe("invalid_grant");
      const again = await refreshed("public", body.refresh_token, own);
      expect(again.status).toBe(200);
      expect((await userinfo(again.body.access_token, own)).status).toBe(200);
    });

    it("of confidential clients to the certificate of each request, so that they can replace it", async () => {
      const { body } = await signedIn("dn", bank);
      const renewed = maker.issue("/C=DE/O=Acme/CN=bank");
      const again = await refreshed("dn", body.refresh_token, renewed);
      expect((await userinfo(again.body.access_token, renewed)).status).toBe(200);
      expect((await userinfo(again.body.access_token, bank)).status).toBe(401);
    });
  });

  it("satisfy FAPI 2.0 without DPoP", async () => {
    const { verifier, challenge } = pkcePair();
    const request = { client_id: "fapi", response_type: "code", redirect_uri: REDIRECT_URI, scope: "openid" };
    const pkce = { code_challenge: challenge, code_challenge_method: "S256" };
    const pushed = await post("/oauth/v2/par", { ...request, ...pkce }, bank);
    const request_uri = String(pushed.body.request_uri);
    const code = (await authorize(service.browser(), { client_id: "fapi", request_uri })).get("code") ?? "";
    const form = { grant_type: "authorization_code", client_id: "fapi", code, redirect_uri: REDIRECT_URI };
    const answer = await post("/oauth/v2/token", { ...form, code_verifier: verifier }, bank);
    expect(answer).toMatchObject({ status: 200, body: { token_type: "Bearer" } });
    expect((await userinfo(answer.body.access_token, bank)).status).toBe(200);
    expect((await userinfo(answer.body.access_token)).status).toBe(401);
  });

  describe("in a header", () => {
    const token = (origin: string, headers: Record<string, string>) =>
      call(`${origin}/oauth/v2/token`, {
        method: "POST",
        body: new URLSearchParams({ grant_type: "client_credentials", client_id: "dn", scope: "openid" }),
        headers,
      });

    it("count if a trusted proxy sends them (RFC 9440)", async () => {
      const answer = await token(proxied, { "client-cert": clientCertHeader(bank) });
      expect(answer.status).toBe(200);
      const shown = { client_id: "dn", token: answer.body.access_token };
      const { body } = await post("/oauth/v2/introspect", shown, bank);
      expect(body.cnf).toEqual({ "x5t#S256": thumbprintOf(bank) });
      expect((await token(proxied, { "client-cert": clientCertHeader(stranger) })).status).toBe(401);
      expect((await token(proxied, { "client-cert": "nonsense" })).status).toBe(401);
    });

    it("are ignored from any other address, and in any other header", async () => {
      expect((await token(elsewhere, { "client-cert": clientCertHeader(bank) })).status).toBe(401);
      const forwarded = { "client-cert": clientCertHeader(bank), "x-forwarded-for": "127.0.0.1" };
      expect((await token(elsewhere, forwarded)).status).toBe(401);
      expect((await token(proxied, { "x-ssl-client-cert": encodeURIComponent(bank.cert) })).status).toBe(401);
      // Not even on the port for certificates, beside another certificate.
      const form = { grant_type: "client_credentials", client_id: "dn", scope: "openid" };
      const beside = await post("/oauth/v2/token", form, stranger, { "client-cert": clientCertHeader(bank) });
      expect(beside.status).toBe(401);
    });
  });
});
