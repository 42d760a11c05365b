/**
 * What a password must be: long, and not what everybody tries first. NIST SP 800-63B §3.1.1.2 asks for 15 characters
 * where the password is the only factor and for 8 in any case, counts code points after normalization, wants common and
 * context-specific values refused, and forbids rules about kinds of characters.
 */
import { normalizePassword } from "../../crypto/password-hash";
import { characters } from "../fields";
import { isCommonPassword } from "./common-passwords";

/** No password is shorter, whoever sets it. */
export const SHORTEST_PASSWORD = 8;
/** What a person who chooses a password is asked for. */
export const SHORTEST_CHOSEN_PASSWORD = 15;
/** Room for any passphrase, UTF-16 units; a bound, so that no password makes work by its size. */
export const LONGEST_PASSWORD = 1_000;
/** A name of fewer characters is found in many a good passphrase. */
const SHORTEST_NAME = 4;

export interface PasswordProblem {
  code: "too_short" | "too_long" | "malformed" | "common" | "personal";
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

/**
 * What is wrong with a password that a person chooses, or undefined.
 * @param names what others know of the person: names, login name, address; a password made of little else is refused
 */
export function checkChosenPassword(
  password: string,
  shortest: number,
  names: readonly (string | null | undefined)[] = [],
): PasswordProblem | undefined {
  const problem = checkPassword(password, shortest);
  if (problem) return problem;
  if (isCommonPassword(password)) return { code: "common" };
  return isMadeOf(password, names) ? { code: "personal" } : undefined;
}

/** Whether less than the shortest password is left when the names are taken out. */
function isMadeOf(password: string, names: readonly (string | null | undefined)[]): boolean {
  const plain = (text: string) => text.normalize("NFKC").toLowerCase();
  const words = names
    .flatMap((name) => (name ? [plain(name), ...plain(name).split(/[\s@.,_+-]+/u)] : []))
    .filter((word) => characters(word) >= SHORTEST_NAME)
    .sort((a, b) => b.length - a.length);
  const whole = plain(password);
  const rest = words.reduce((text, word) => text.replaceAll(word, ""), whole);
  return rest !== whole && characters(rest) < SHORTEST_PASSWORD;
}
