/** How long passwords must be, in characters (NIST SP 800-63B §3.1.1.2): policies name the numbers, checks use them. */

/** The minimum for any password, whoever sets it. */
export const MIN_PASSWORD_LENGTH = 8;
/** The minimum for a password that a person chooses. */
export const MIN_CHOSEN_PASSWORD_LENGTH = 15;
