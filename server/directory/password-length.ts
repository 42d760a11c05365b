/**
 * What policies may require of passwords, and the minimum lengths in characters that always apply (NIST SP 800-63B
 * §3.1.1.2).
 */

/** The minimum for any password, also for one that an administrator sets. */
export const MIN_PASSWORD_LENGTH = 8;
/** The minimum for a password that a user chooses. */
export const MIN_CHOSEN_PASSWORD_LENGTH = 15;

/** The kinds of characters that a policy may require, by its settings. */
export const CHARACTER_KINDS = {
  hasUppercase: /\p{Lu}/u,
  hasLowercase: /\p{Ll}/u,
  hasNumber: /\p{N}/u,
  hasSymbol: /[^\p{L}\p{M}\p{N}]/u,
} as const;
export type CharacterKind = keyof typeof CHARACTER_KINDS;
export const CHARACTER_KIND_NAMES = Object.keys(CHARACTER_KINDS) as CharacterKind[];
