/**
 * What a password must be: long. NIST SP 800-63B §3.1.1.2 asks for 15 characters where the password is the only factor
 * and for 8 in any case, counts code points after normalization, and forbids rules about kinds of characters.
 */
import { normalizePassword } from "../crypto/password-hash";
import { characters } from "./fields";

/** No password is shorter, whoever sets it. */
export const SHORTEST_PASSWORD = 8;
/** What a person who chooses a password is asked for. */
export const SHORTEST_CHOSEN_PASSWORD = 15;
/** Room for any passphrase, UTF-16 units; a bound, so that no password makes work by its size. */
export const LONGEST_PASSWORD = 1_000;

export interface PasswordProblem {
  code: "too_short" | "too_long" | "malformed";
  /** Characters. */
  limit?: number;
}

/** What is wrong with a new password, or undefined. */
export function checkPassword(password: string, shortest = SHORTEST_CHOSEN_PASSWORD): PasswordProblem | undefined {
  // A lone surrogate would be hashed as U+FFFD: two different passwords, one hash.
  if (/\p{Cs}/u.test(password)) return { code: "malformed" };
  if (password.length > LONGEST_PASSWORD) return { code: "too_long", limit: LONGEST_PASSWORD };
  if (characters(normalizePassword(password)) < shortest) return { code: "too_short", limit: shortest };
  return undefined;
}
