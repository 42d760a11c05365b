import { createPrivateKey, generateKeyPairSync, type KeyObject } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { describeProblem, loadConfig } from "./config";

/** Of localhost, signed by itself, until 2126. */
const CERTIFICATE = `-----BEGIN CERTIFICATE-----
MIIBmzCCAUGgAwIBAgIUQX2wm/H7lqVL/nQqo1rig2NLlTUwCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTEyMTAxMDAxOVoYDzIxMjYxMDI4
MDEwMDE5WjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAAR//SbB0tS7wyHtDWX/iGemP6CxfsfZpAg/dFAnx4P2hPAKuyFSMMYY
TPsMfe5TBAnVnuVhjdlP4qqJEre4DaDto28wbTAdBgNVHQ4EFgQUZr4q6ugmZupv
C4SZZGU2YpCyg7UwHwYDVR0jBBgwFoAUZr4q6ugmZupvC4SZZGU2YpCyg7UwDwYD
VR0TAQH/BAUwAwEB/zAaBgNVHREEEzARgglsb2NhbGhvc3SHBH8AAAEwCgYIKoZI
zj0EAwIDSAAwRQIgMpzBM7OZrRnhDIFy4xl43IFkZvvhOc5hlTU4YfNMnhQCIQC6
+zc2TXkrq8x5se/Qo83tPREbVUdNN1ZgGXts9HrXlg==
-----END CERTIFICATE-----
`;
const KEY = {
  ...{ kty: "EC", crv: "P-256", d: "VfySIR0_-A_GfrE7WwWLnsKpt6n2vcY4B81UPRIkow0" },
  ...{ x: "f_0mwdLUu8Mh7Q1l_4hnpj-gsX7H2aQIP3RQJ8eD9oQ", y: "8Aq7IVIwxhhM-wx97lMECdWe5WGN2U_iqokSt7gNoO0" },
};

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

  it("speaks https by default where it serves https itself", () => {
    expect(load(files(CERTIFICATE, own))).toMatchObject({ baseUrl: "https://localhost:8080" });
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
