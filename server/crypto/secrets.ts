/**
 * Keys derived from SECRET_KEY, one per purpose (HKDF, RFC 5869), so that a value sealed for one purpose cannot be
 * opened for another. The first configured key seals and signs. The others only open and verify, which allows
 * SECRET_KEY to be rotated.
 */
import { createCipheriv, createDecipheriv, createHmac, hkdfSync, timingSafeEqual } from "node:crypto";
import { randomNonce } from "./random";

export type SecretPurpose =
  | "flow"
  | "login-session"
  | "provider-intent"
  | "signing-key"
  | "refresh-token"
  | "console"
  | "second-factor"
  | "mail"
  | "settled-mail"
  | "mailed-code"
  | "device-user-code"
  | "dpop-nonce"
  | "sign-in-attempt"
  | "identity-provider"
  | "pairwise";

export interface Secrets {
  /** Encrypts and authenticates (AES-256-GCM). The result is base64url and different each time. */
  seal(purpose: SecretPurpose, content: string | Uint8Array): string;
  /** Returns the sealed text, or undefined if it was altered or not sealed for this purpose with a configured key. */
  open(purpose: SecretPurpose, sealed: string): string | undefined;
  /** Like `open`, for content that need not be text. */
  openBytes(purpose: SecretPurpose, sealed: string): Buffer | undefined;
  /** Returns the HMAC-SHA-256 under the current key. */
  mac(purpose: SecretPurpose, message: Uint8Array): Buffer;
  /** Whether the MAC is valid under any configured key. The comparison takes constant time. */
  verifyMac(purpose: SecretPurpose, message: Uint8Array, mac: Uint8Array): boolean;
}

const NONCE_BYTES = 12; // NIST SP 800-38D §8.2: 96-bit random nonces
const TAG_BYTES = 16;

/** @param secretKeys the SECRET_KEY values, the current one first; at least one */
export function openSecrets(secretKeys: readonly string[]): Secrets {
  if (secretKeys.length === 0) throw new Error("at least one secret key is needed");
  const derived = new Map<SecretPurpose, Buffer[]>();
  const keysFor = (purpose: SecretPurpose): Buffer[] => {
    let keys = derived.get(purpose);
    if (!keys) {
      keys = secretKeys.map((key) => Buffer.from(hkdfSync("sha256", key, "", `identity-service/${purpose}`, 32)));
      derived.set(purpose, keys);
    }
    return keys;
  };
  const currentKey = (purpose: SecretPurpose): Buffer => keysFor(purpose)[0] as Buffer;

  const openBytes = (purpose: SecretPurpose, sealed: string): Buffer | undefined => {
    const bytes = Buffer.from(sealed, "base64url");
    if (bytes.length < NONCE_BYTES + TAG_BYTES) return undefined;
    for (const key of keysFor(purpose)) {
      const decipher = createDecipheriv("aes-256-gcm", key, bytes.subarray(0, NONCE_BYTES));
      decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
      try {
        return Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()]);
      } catch {
        // Not sealed with this key. The next one may open it.
      }
    }
    return undefined;
  };

  return {
    seal(purpose, content) {
      const nonce = randomNonce(NONCE_BYTES);
      const cipher = createCipheriv("aes-256-gcm", currentKey(purpose), nonce);
      const body = typeof content === "string" ? cipher.update(content, "utf8") : cipher.update(content);
      return Buffer.concat([nonce, body, cipher.final(), cipher.getAuthTag()]).toString("base64url");
    },
    open: (purpose, sealed) => openBytes(purpose, sealed)?.toString("utf8"),
    openBytes,
    mac(purpose, message) {
      return createHmac("sha256", currentKey(purpose)).update(message).digest();
    },
    verifyMac(purpose, message, mac) {
      return keysFor(purpose).some((key) => {
        const expected = createHmac("sha256", key).update(message).digest();
        return expected.length === mac.length && timingSafeEqual(expected, mac);
      });
    },
  };
}
