import { createPrivateKey, generateKeyPairSync, type KeyObject } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { CERTIFICATE, KEY } from "../testing/certificate";
import { describeProblem, loadConfig } from "./config";

describe("configuration: TLS", () => {
  const folder = mkdtempSync(join(tmpdir(), "tls-"));
  afterAll(() => rmSync(folder, { recursive: true }));

  const files = (cert: string, key: KeyObject) => {
    const [TLS_CERT_FILE, TLS_KEY_FILE] = [join(folder, "cert.pem"), join(folder, "key.pem")];
    writeFileSync(TLS_CERT_FILE, cert);
    writeFileSync(TLS_KEY_FILE, key.export({ type: "pkcs8", format: "pem" }));
    return { TLS_CERT_FILE, TLS_KEY_FILE };
  };
  const load = (env: Record<string, string>) => {
    const config = loadConfig(env);
    return Array.isArray(config) ? config.map(describeProblem) : config;
  };
  const own = createPrivateKey({ key: KEY, format: "jwk" });
  const foreign = generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey;

  it("uses https by default if it serves https itself", () => {
    expect(load(files(CERTIFICATE, own))).toMatchObject({ baseUrl: "https://localhost:8080" });
  });

  it("refuses a certificate where the socket is another server's", () => {
    expect(loadConfig(files(CERTIFICATE, own), ".env", { isHosted: true })).toEqual([
      expect.objectContaining({ name: "TLS_CERT_FILE", reason: expect.stringMatching(/not used under next start/) }),
    ]);
  });

  it("names the endpoints for client certificates, on a port of their own or where MTLS_URL says", () => {
    const own8443 = { ...files(CERTIFICATE, own), MTLS_PORT: "8443", BASE_URL: "https://id.example.com" };
    expect(load(own8443)).toMatchObject({ mtls: { port: 8443, url: "https://id.example.com:8443" } });
    const elsewhere = { MTLS_URL: "https://mtls.example.com", CLIENT_CERT_HEADER: "X-SSL-Client-Cert" };
    expect(load(elsewhere)).toMatchObject({ mtls: { url: "https://mtls.example.com", header: "x-ssl-client-cert" } });
  });

  it.each([
    [{ MTLS_PORT: "8443" }, /^MTLS_PORT: requires TLS_CERT_FILE/],
    [{ TLS_CLIENT_CA_FILE: import.meta.filename }, /^TLS_CLIENT_CA_FILE: requires MTLS_PORT/],
    [{ MTLS_URL: "http://mtls.example.com" }, /^MTLS_URL: must be https/],
    [{ CLIENT_CERT_HEADER: "a b" }, /^CLIENT_CERT_HEADER: must be the name of a header/],
  ])("refuses %j, which has no effect", (env, reason) => {
    expect(load(env as Record<string, string>)).toEqual([expect.stringMatching(reason)]);
  });

  it("refuses the same port for clients with certificates and for others", () => {
    expect(load({ ...files(CERTIFICATE, own), MTLS_PORT: "8080" })).toEqual([
      expect.stringMatching(/^MTLS_PORT: must differ/),
    ]);
  });

  it("refuses a certificate of another key", () => {
    expect(load(files(CERTIFICATE, foreign))).toEqual([
      expect.stringMatching(/^TLS_CERT_FILE: belongs to another key than TLS_KEY_FILE \(example: /),
    ]);
  });

  it("refuses what is no certificate", () => {
    expect(load(files("nothing", own))).toEqual([
      expect.stringMatching(/^TLS_CERT_FILE: must be a certificate in PEM/),
    ]);
  });

  it("refuses a base address of http beside them: every link would be dead", () => {
    expect(load({ ...files(CERTIFICATE, own), BASE_URL: "http://localhost:8080" })).toEqual([
      expect.stringMatching(/^BASE_URL: must be https where TLS_CERT_FILE is set/),
    ]);
  });
});
