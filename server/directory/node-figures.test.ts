import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { CERTIFICATE } from "../testing/certificate";
import { readCertificateEnd, readDiskRoom } from "./node-figures";

describe("figures of the machine", () => {
  const folder = mkdtempSync(join(tmpdir(), "figures-"));
  afterAll(() => rmSync(folder, { recursive: true }));

  it("measures the disk of the embedded database", async () => {
    const room = await readDiskRoom({ databaseUrl: `file:${join(folder, "service.db")}` });
    expect(room?.sizeBytes).toBeGreaterThan(0);
    expect(room?.freeBytes).toBeLessThanOrEqual(room?.sizeBytes ?? 0);
  });

  it("does not measure the disk of a database on another machine", async () => {
    expect(await readDiskRoom({ databaseUrl: "postgresql://somewhere/service" })).toBeUndefined();
  });

  it("reads the end of the certificate", async () => {
    const certFile = join(folder, "cert.pem");
    writeFileSync(certFile, CERTIFICATE);
    const end = await readCertificateEnd({ tls: { certFile, keyFile: "" } });
    expect(new Date(end ?? 0).getUTCFullYear()).toBe(2126);
  });

  it("knows no end without a certificate that can be read", async () => {
    expect(await readCertificateEnd({ tls: undefined })).toBeUndefined();
    expect(await readCertificateEnd({ tls: { certFile: join(folder, "gone.pem"), keyFile: "" } })).toBeUndefined();
  });
});
