/**
 * The mark that a user's password is in another system. It is stored instead of a hash, like `{SASL}name` in LDAP
 * directories: `{HOOK}`, and the user's name there if it differs from the login name here.
 */
const MARK = /^\{HOOK\}([^\p{Cc}]{0,200})$/u;

/** Returns the name in the other system, which may be empty; undefined for a hash. */
export const nameElsewhere = (passwordHash: string | null | undefined): string | undefined =>
  MARK.exec(passwordHash ?? "")?.[1];

/** Returns the mark. */
export const passwordElsewhere = (name = ""): string => `{HOOK}${name}`;
