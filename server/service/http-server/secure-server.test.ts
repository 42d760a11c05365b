import { createPrivateKey } from "node:crypto";
import { once } from "node:events";
import http from "node:http";
import http2 from "node:http2";
import type { AddressInfo } from "node:net";
import tls from "node:tls";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { CERTIFICATE, KEY } from "../../testing/certificate";
import { exampleBootstrap } from "../../testing/example";
import { type TestService, testService } from "../../testing/test-context";
import { requestListener } from "./request-listener";
import { createSecureServer, strictTransport } from "./secure-server";

const limits = { requestTimeout: 30_000, headersTimeout: 15_000, keepAliveTimeout: 65_000 };
const key = createPrivateKey({ key: KEY, format: "jwk" }).export({ type: "pkcs8", format: "pem" });

describe("TLS (RFC 9325 §4.2)", () => {
  let service: TestService;
  let server: http2.Http2SecureServer;
  beforeAll(async () => {
    service = await testService("sqlite", exampleBootstrap);
    const strict = strictTransport({ baseUrl: "https://id.acme.test" });
    server = createSecureServer({ cert: CERTIFICATE, key }, limits, requestListener({ ...service, strict }));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  });
  afterAll(async () => {
    server.close();
    await service.close();
  });

  const shake = (options: tls.ConnectionOptions) =>
    new Promise<string>((resolve) => {
      const { port } = server.address() as AddressInfo;
      const socket = tls.connect({ host: "127.0.0.1", port, rejectUnauthorized: false, ...options });
      socket.on("secureConnect", () => {
        resolve(`${socket.getProtocol()} ${socket.getCipher().standardName}`);
        socket.destroy();
      });
      socket.on("error", ({ code }: NodeJS.ErrnoException) => resolve(`refused ${code}`));
    });

  it("supports 1.3, and 1.2 with ephemeral keys and authenticated encryption", async () => {
    expect(await shake({})).toMatch(/^TLSv1.3 TLS_/);
    const second = { minVersion: "TLSv1.2", maxVersion: "TLSv1.2" } as const;
    for (const ciphers of ["ECDHE-ECDSA-AES128-GCM-SHA256", "ECDHE-ECDSA-CHACHA20-POLY1305"]) {
      expect(await shake({ ...second, ciphers })).toMatch(/^TLSv1.2 TLS_ECDHE_ECDSA_WITH_(AES_128_GCM|CHACHA20)/);
    }
  });

  it.each<[string, tls.ConnectionOptions]>([
    ["TLS 1.1", { minVersion: "TLSv1.1", maxVersion: "TLSv1.1", ciphers: "DEFAULT@SECLEVEL=0" }],
    ["TLS 1.0", { minVersion: "TLSv1", maxVersion: "TLSv1", ciphers: "DEFAULT@SECLEVEL=0" }],
    [
      "CBC",
      { maxVersion: "TLSv1.2", ciphers: "ECDHE-ECDSA-AES128-SHA256:ECDHE-ECDSA-AES128-SHA:ECDHE-RSA-AES128-SHA" },
    ],
    ["key exchange by RSA", { maxVersion: "TLSv1.2", ciphers: "AES128-GCM-SHA256:AES256-GCM-SHA384:AES128-SHA" }],
    ["finite-field Diffie-Hellman", { maxVersion: "TLSv1.2", ciphers: "DHE-RSA-AES128-GCM-SHA256" }],
    ["CCM", { maxVersion: "TLSv1.2", ciphers: "ECDHE-ECDSA-AES128-CCM" }],
  ])("refuses %s", async (_, options) => {
    expect(await shake(options)).toMatch(/^refused /);
  });

  it("sends Strict-Transport-Security with every response, over HTTP/1.1 and HTTP/2", async () => {
    const { port } = server.address() as AddressInfo;
    const session = http2.connect(`https://localhost:${port}`, { rejectUnauthorized: false });
    for (const path of ["/healthz", "/oauth/v2/keys", "/login", "/management/v1/x", "/a//b"]) {
      const stream = session.request({ ":path": path });
      const [headers] = await once(stream, "response");
      stream.resume().end();
      expect([path, headers["strict-transport-security"]]).toEqual([path, "max-age=31536000"]);
    }
    session.destroy();
  });
});

describe("Strict-Transport-Security (RFC 6797 §7.2)", () => {
  it.each([
    ["https://id.acme.test", "max-age=31536000"],
    ["http://id.acme.test", undefined],
    ["https://localhost:8443", undefined],
    ["https://127.0.0.1", undefined],
    ["https://[::1]:8443", undefined],
    ["https://id.localhost", undefined],
  ])("of %s: %s", (baseUrl, expected) => {
    expect(strictTransport({ baseUrl })).toBe(expected);
  });

  it("is only sent if it is configured", async () => {
    const service = await testService("sqlite", exampleBootstrap);
    const server = http.createServer(requestListener(service));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const answer = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/healthz`);
    expect(answer.headers.has("strict-transport-security")).toBe(false);
    await new Promise((resolve) => server.close(resolve));
    await service.close();
  });
});
