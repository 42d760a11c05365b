/**
 * Makes a self-signed certificate (RFC 5280) for an RSA key: what SAML metadata wraps a public key in. Node reads
 * certificates and makes none, so its few fields are written in DER here.
 */
import { createPublicKey, generateKeyPair, randomBytes, sign } from "node:crypto";
import { promisify } from "node:util";

export interface CertifiedKey {
  /** Both in PEM. */
  privateKey: string;
  certificate: string;
}

const SEQUENCE = 0x30;
const YEAR = 365.25 * 24 * 3_600_000;
const generate = promisify(generateKeyPair);

function der(tag: number, ...content: readonly Uint8Array[]): Buffer {
  const body = Buffer.concat(content);
  const size = body.length;
  const length = size < 0x80 ? [size] : size < 0x100 ? [0x81, size] : [0x82, size >> 8, size & 0xff];
  return Buffer.concat([Buffer.from([tag, ...length]), body]);
}

const VERSION_3 = Buffer.from("a003020102", "hex");
/** sha256WithRSAEncryption. */
const ALGORITHM = Buffer.from("300d06092a864886f70d01010b0500", "hex");
/** 2.5.4.3. */
const COMMON_NAME = Buffer.from("0603550403", "hex");

/** UTCTime, or GeneralizedTime from 2050 (§4.1.2.5). */
function time(at: number): Buffer {
  const digits = `${new Date(at).toISOString().replace(/[-:T]/g, "").slice(0, 14)}Z`;
  return digits < "2050" ? der(0x17, Buffer.from(digits.slice(2))) : der(0x18, Buffer.from(digits));
}

/**
 * Makes a key of 2048 bits with its certificate.
 * @param name the common name, at most 64 characters
 * @param now epoch milliseconds
 */
export async function newCertifiedKey(name: string, now: number, years: number): Promise<CertifiedKey> {
  const { privateKey } = await generate("rsa", { modulusLength: 2048 });
  const publicKey = createPublicKey(privateKey).export({ type: "spki", format: "der" });
  const subject = der(SEQUENCE, der(0x31, der(SEQUENCE, COMMON_NAME, der(0x0c, Buffer.from(name.slice(0, 64))))));
  const serial = randomBytes(16);
  serial[0] = ((serial[0] ?? 0) & 0x3f) | 0x40; // positive, and without leading zeros
  const validity = der(SEQUENCE, time(now), time(now + years * YEAR));
  const content = der(SEQUENCE, VERSION_3, der(0x02, serial), ALGORITHM, subject, validity, subject, publicKey);
  const signature = der(0x03, Buffer.from([0]), sign("sha256", content, privateKey));
  const certificate = der(SEQUENCE, content, ALGORITHM, signature).toString("base64");
  const lines = certificate.match(/.{1,64}/g) ?? [];
  return {
    privateKey: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
    certificate: ["-----BEGIN CERTIFICATE-----", ...lines, "-----END CERTIFICATE-----", ""].join("\n"),
  };
}
