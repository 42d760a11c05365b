/** Keys with a certificate of their own, by OpenSSL. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

/** @param name the host name that the certificate is for */
export function newCertificate(name: string): { privateKey: string; certificate: string } {
  const folder = mkdtempSync(path.join(tmpdir(), "certificate-"));
  const [key, pem] = ["key", "pem"].map((file) => path.join(folder, file)) as [string, string];
  const subject = ["-days", "30", "-subj", `/CN=${name}`, "-addext", `subjectAltName=DNS:${name}`];
  execFileSync("openssl", ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", key, "-out", pem, ...subject], {
    stdio: "pipe",
  });
  const made = { privateKey: readFileSync(key, "utf8"), certificate: readFileSync(pem, "utf8") };
  rmSync(folder, { recursive: true });
  return made;
}
