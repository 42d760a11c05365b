/** Minimum lengths of passwords in characters (NIST SP 800-63B §3.1.1.2), used by policies and checks. */

/** The minimum for any password, also for one that an administrator sets. */
export const MIN_PASSWORD_LENGTH = 8;
/** The minimum for a password that a user chooses. */
export const MIN_CHOSEN_PASSWORD_LENGTH = 15;
