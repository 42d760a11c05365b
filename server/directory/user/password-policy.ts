/**
 * The requirements for passwords: long enough, and not among the first guesses. NIST SP 800-63B §3.1.1.2 requires 15
 * characters if the password is the only factor and at least 8 otherwise, counts code points after normalization,
 * requires common and context-specific values to be rejected, and forbids composition rules, which only apply where a
 * policy asks for them.
 */
import { normalizePassword } from "../../crypto/password-hash";
import { characters } from "../fields";
import {
  CHARACTER_KIND_NAMES,
  CHARACTER_KINDS,
  type CharacterKind,
  MIN_CHOSEN_PASSWORD_LENGTH,
  MIN_PASSWORD_LENGTH,
} from "../password-length";
import type { PolicySettings } from "../policy/settings";
import { isCommonPassword } from "./common-passwords";

/** UTF-16 units. Enough for any passphrase, but bounded, so that no password is expensive to hash. */
export const MAX_PASSWORD_LENGTH = 1_000;
/** Shorter names occur by chance in good passphrases. */
const MIN_NAME_LENGTH = 4;

export interface PasswordProblem {
  /** The kind of characters that is missing, or one of the others. */
  code: "too_short" | "too_long" | "malformed" | "common" | "personal" | CharacterKind;
  /** Characters. */
  limit?: number;
}

/** Returns what is wrong with a new password, or undefined. */
export function checkPassword(password: string, shortest = MIN_CHOSEN_PASSWORD_LENGTH): PasswordProblem | undefined {
  // Lone surrogates would all be hashed as U+FFFD, so different passwords would be equal.
  if (/\p{Cs}/u.test(password)) return { code: "malformed" };
  if (password.length > MAX_PASSWORD_LENGTH) return { code: "too_long", limit: MAX_PASSWORD_LENGTH };
  if (characters(normalizePassword(password)) < shortest) return { code: "too_short", limit: shortest };
  return undefined;
}

/** Returns the first required kind of characters that a password lacks, or undefined. */
export function checkCharacters(
  password: string,
  required: Pick<PolicySettings<"password">, CharacterKind>,
): PasswordProblem | undefined {
  const code = CHARACTER_KIND_NAMES.find((kind) => required[kind] && !CHARACTER_KINDS[kind].test(password));
  return code && { code };
}

/**
 * Returns what is wrong with a password that a user chooses, or undefined.
 * @param policy the password policy of the user's organization
 * @param names what others know about the user: names, login name, address; a password consisting of little else is
 * rejected
 */
export function checkChosenPassword(
  password: string,
  policy: PolicySettings<"password">,
  names: readonly (string | null | undefined)[] = [],
): PasswordProblem | undefined {
  const problem = checkPassword(password, policy.minLength) ?? checkCharacters(password, policy);
  if (problem) return problem;
  if (isCommonPassword(password)) return { code: "common" };
  return isMadeOf(password, names) ? { code: "personal" } : undefined;
}

/** Returns whether removing the names leaves less than the shortest password. */
function isMadeOf(password: string, names: readonly (string | null | undefined)[]): boolean {
  const plain = (text: string) => text.normalize("NFKC").toLowerCase();
  const words = names
    .flatMap((name) => (name ? [plain(name), ...plain(name).split(/[\s@.,_+-]+/u)] : []))
    .filter((word) => characters(word) >= MIN_NAME_LENGTH)
    .sort((a, b) => b.length - a.length);
  const whole = plain(password);
  const rest = words.reduce((text, word) => text.replaceAll(word, ""), whole);
  return rest !== whole && characters(rest) < MIN_PASSWORD_LENGTH;
}
