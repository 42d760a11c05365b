/** Certificates of clients, and of the authority that issues them, made by openssl for tests of RFC 8705. */
import { execFileSync } from "node:child_process";
import { X509Certificate } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import https from "node:https";
import { tmpdir } from "node:os";
import path from "node:path";

export interface IssuedCertificate {
  /** In PEM. */
  cert: string;
  key: string;
}

export interface CertificateMaker {
  /** The certificate of the authority, in PEM. */
  authority: string;
  /** Issues a certificate. @param names the extension subjectAltName */
  issue(subject: string, names?: string): IssuedCertificate;
  /** Makes a certificate that no authority has issued. */
  selfSigned(subject: string, names?: string): IssuedCertificate;
  close(): void;
}

export function certificateMaker(): CertificateMaker {
  const folder = mkdtempSync(path.join(tmpdir(), "certificates-"));
  const at = (name: string) => path.join(folder, name);
  const make = (name: string, subject: string, more: readonly string[]): IssuedCertificate => {
    const key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-keyout", at(`${name}.key`)];
    const to = ["-out", at(`${name}.pem`), "-days", "30", "-subj", subject];
    execFileSync("openssl", ["req", "-x509", "-utf8", ...key, ...to, ...more], { stdio: "pipe" });
    return { cert: readFileSync(at(`${name}.pem`), "utf8"), key: readFileSync(at(`${name}.key`), "utf8") };
  };
  const named = (names?: string) => (names === undefined ? [] : ["-addext", `subjectAltName=${names}`]);
  const byAuthority = ["-CA", at("ca.pem"), "-CAkey", at("ca.key"), "-addext", "basicConstraints=critical,CA:FALSE"];
  return {
    authority: make("ca", "/CN=Clients of Acme", []).cert,
    issue: (subject, names) => make("issued", subject, [...byAuthority, ...named(names)]),
    selfSigned: (subject, names) => make("own", subject, named(names)),
    close: () => rmSync(folder, { recursive: true }),
  };
}

/** The header of RFC 9440. */
export const clientCertHeader = ({ cert }: IssuedCertificate): string =>
  `:${new X509Certificate(cert).raw.toString("base64")}:`;

/** Sends a request over TLS, with a certificate if one is given. @param ca the certificate that the server must have */
export function fetchOverTls(ca: string, certificate?: IssuedCertificate): typeof fetch {
  return async (input, init = {}) => {
    const { method, headers } = init;
    const body = await new Response(init.body).text();
    const sent = { ...Object.fromEntries(new Headers(headers)), "content-length": String(Buffer.byteLength(body)) };
    return new Promise<Response>((resolve, reject) => {
      const options = { method, headers: sent, ca, agent: false, ...certificate };
      const call = https.request(input instanceof Request ? input.url : input, options, (response) => {
        const chunks: Buffer[] = [];
        response.on("data", (chunk: Buffer) => chunks.push(chunk));
        response.on("end", () => {
          const fields = Object.entries(response.headers).flatMap(([name, value]) =>
            [value ?? []].flat().map((one): [string, string] => [name, one]),
          );
          resolve(new Response(Buffer.concat(chunks), { status: response.statusCode, headers: fields }));
        });
      });
      call.on("error", reject);
      call.end(body);
    });
  };
}
