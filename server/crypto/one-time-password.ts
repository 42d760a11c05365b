/**
 * Time-based one-time passwords (TOTP, RFC 6238) of authenticator apps, with the parameters that every app supports:
 * SHA-1, six digits, 30 seconds. SHA-1 is safe here because HMAC does not depend on collision resistance (RFC 6238
 * §1.2, RFC 4226 appendix B.2).
 */
import { Secret, TOTP } from "otpauth";
import { plainCode } from "./normalize-code";

const PERIOD = 30;
const DIGITS = 6;
/** RFC 4226 §4, R6: 160 bits. */
const SECRET_BYTES = 20;
/** How many steps early or late a code may be, to allow for network delay and inaccurate clocks (RFC 6238 §5.2). */
const WINDOW = 1;

export interface TotpLabel {
  issuer: string;
  account: string;
}

/** Returns a new shared secret in base32. */
export function newTotpSecret(): string {
  return new Secret({ size: SECRET_BYTES }).base32;
}

/** Whether a text is a secret in base32 of at least 80 bits. */
export const isTotpSecret = (secret: string): boolean => /^[A-Z2-7]{16,128}=*$/.test(secret);

/** Returns the `otpauth:` URI that authenticator apps open or read from a QR code. */
export function totpUri(secret: string, { issuer, account }: TotpLabel): string {
  // In the label a colon separates issuer and account.
  const plain = (text: string) => text.replaceAll(":", " ");
  return totp(secret, plain(issuer), plain(account)).toString();
}

/**
 * Returns the time step that a code belongs to, at most one step from now, or undefined if the code is wrong. Ignores
 * spaces and dashes, and accepts digits of any script.
 * @param now epoch milliseconds
 */
export function matchTotp(secret: string, code: string, now: number): number | undefined {
  const token = plainCode(code).replace(/[\s-]/g, "");
  if (token.length !== DIGITS) return undefined;
  const delta = totp(secret, "", "").validate({ token, timestamp: now, window: WINDOW });
  return delta === null ? undefined : Math.floor(now / 1000 / PERIOD) + delta;
}

function totp(secret: string, issuer: string, label: string): TOTP {
  return new TOTP({
    issuer,
    label,
    algorithm: "SHA1",
    digits: DIGITS,
    period: PERIOD,
    secret: Secret.fromBase32(secret),
  });
}
