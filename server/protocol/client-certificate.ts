/**
 * Certificates of clients (RFC 8705): what a certificate is compared with. A name counts only if it is equal; there are
 * no wildcards. Attacks: names with separators in them, and names that only begin or end like the registered one.
 */
import { createHash, X509Certificate } from "node:crypto";
import { parseUrl } from "./url";

/** The certificate that a request was sent with, whose private key the client has proven to have. */
export interface ClientCertificate {
  /** SHA-256 of its DER, as in `cnf.x5t#S256` (RFC 8705 §3.1). */
  thumbprint: string;
  x509: X509Certificate;
  /** Whether its chain was verified, by the service's own TLS or by the proxy in front of it. */
  isVerified: boolean;
}

/** The one name that identifies a client with `tls_client_auth` (RFC 8705 §2.1.2). */
export interface CertificateName {
  kind: "subjectDn" | "sanDns" | "sanUri" | "sanIp" | "sanEmail";
  value: string;
}

export function clientCertificate(x509: X509Certificate, isVerified: boolean): ClientCertificate {
  return { x509, isVerified, thumbprint: createHash("sha256").update(x509.raw).digest("base64url") };
}

/**
 * Returns the certificate in a header of a proxy: DER between colons (RFC 9440 §2.1), or URL-encoded PEM, as nginx
 * sends it; undefined if it is neither. The proxy has verified its chain.
 */
export function readForwardedCertificate(header: string): ClientCertificate | undefined {
  const der = /^ *:([A-Za-z0-9+/]+={0,2}): *$/.exec(header)?.[1];
  try {
    const content = der === undefined ? decodeURIComponent(header).trim() : Buffer.from(der, "base64");
    if (typeof content === "string" && !ONE_PEM.test(content)) return undefined;
    return clientCertificate(new X509Certificate(content), true);
  } catch {
    return undefined;
  }
}

const ONE_PEM = /^-----BEGIN CERTIFICATE-----[A-Za-z0-9+/=\s]+-----END CERTIFICATE-----$/;

/** Whether the certificate is within its period. @param now epoch milliseconds */
export const isInPeriod = ({ x509 }: ClientCertificate, now: number): boolean =>
  x509.validFromDate.getTime() <= now && now <= x509.validToDate.getTime();

/** Whether the certificate has exactly this name. */
export function hasCertificateName({ x509 }: ClientCertificate, { kind, value }: CertificateName): boolean {
  switch (kind) {
    case "subjectDn": {
      const wanted = readDn(value);
      // Node has one attribute a line, in the order of the certificate; RFC 4514 §2.1 writes the last one first.
      const own = readDn(x509.subject.split("\n").reverse().join(","));
      return wanted !== undefined && JSON.stringify(wanted) === JSON.stringify(own);
    }
    case "sanDns":
      return alternativeNames(x509, "DNS").some((name) => name.toLowerCase() === value.toLowerCase());
    case "sanUri":
      return alternativeNames(x509, "URI").includes(value);
    case "sanEmail":
      return alternativeNames(x509, "email").includes(value);
    case "sanIp": {
      const wanted = canonicalAddress(value);
      return alternativeNames(x509, "IP Address").some((name) => canonicalAddress(name) === wanted);
    }
  }
}

/** Returns the names of one kind; Node quotes those with separators as in JSON. */
function alternativeNames({ subjectAltName = "" }: X509Certificate, kind: string): string[] {
  const entries = subjectAltName.matchAll(/([^:,"]+):("(?:[^"\\]|\\.)*"|[^,"]*)(?:, |$)/g);
  return [...entries].flatMap(([, name, text = ""]) => {
    if (name !== kind) return [];
    return [text.startsWith('"') ? String(JSON.parse(text)) : text];
  });
}

const canonicalAddress = (address: string): string =>
  parseUrl(`http://${address.includes(":") ? `[${address}]` : address}/`)?.hostname ?? "";

/** Other names of attribute types, as they are registered and as certificates have them. */
const TYPES: Readonly<Record<string, string>> = {
  E: "EMAILADDRESS",
  EMAIL: "EMAILADDRESS",
  "1.2.840.113549.1.9.1": "EMAILADDRESS",
  S: "ST",
  "2.5.4.3": "CN",
  "2.5.4.5": "SERIALNUMBER",
  "2.5.4.6": "C",
  "2.5.4.7": "L",
  "2.5.4.8": "ST",
  "2.5.4.10": "O",
  "2.5.4.11": "OU",
  "2.5.4.97": "ORGANIZATIONIDENTIFIER",
};

/**
 * Returns the relative names of a distinguished name (RFC 4514 §3), each with its attributes in a fixed order;
 * undefined for any other text. Types match in any case, values exactly.
 */
function readDn(text: string): string[][] | undefined {
  const names: string[][] = [];
  let attributes: string[] = [];
  const attribute = /\s*([A-Za-z][\w-]*|\d+(?:\.\d+)+)\s*=\s*((?:\\(?:[\dA-Fa-f]{2}|.)|[^\\,+"])*)([,+]|$)/gsy;
  while (attribute.lastIndex < text.length) {
    const [, type = "", value = "", separator] = attribute.exec(text) ?? [];
    if (separator === undefined) return undefined;
    const name = type.toUpperCase();
    attributes.push(`${TYPES[name] ?? name}=${unescaped(value)}`);
    if (separator === "+") continue;
    names.push(attributes.sort());
    attributes = [];
  }
  return attributes.length > 0 || names.length === 0 ? undefined : names;
}

/** Returns a value without escapes (RFC 4514 §2.4) and without the spaces around it. */
function unescaped(value: string): string {
  const trimmed = value.replace(/(?<!\\) +$/, "");
  const bytes = trimmed.replace(/(?:\\[\dA-Fa-f]{2})+/g, (run) =>
    Buffer.from(run.replaceAll("\\", ""), "hex").toString("utf8"),
  );
  return bytes.replace(/\\(.)/gs, "$1");
}
