/**
 * The results of sign-in attempts, and who may read them in what detail. The organization of the user reads everything.
 * Any other organization, whose app the attempt was for, reads only what the page showed, and not who the user was.
 * Otherwise an owner of an app could find out at their own sign-in page who has an account elsewhere (attack: trying
 * names and reading the reasons).
 */

/** What the page showed for each reason, which organizations other than the user's read. */
const SAID = {
  signed_in: "signed_in",
  wrong_password: "not_recognized",
  unknown_name: "not_recognized",
  no_password: "not_recognized",
  password_not_allowed: "not_recognized",
  user_locked: "not_recognized",
  user_inactive: "not_recognized",
  organization_inactive: "not_recognized",
  /** Too many wrong passwords for this user from this network or browser. */
  throttled: "throttled",
  /** Too many wrong passwords for this user from all networks. */
  locked_out: "throttled",
  /** Too many wrong passwords from this network for any users. */
  network_throttled: "throttled",
  /** The queue of password checks was full. */
  busy: "busy",
  /** The user's password is in another system, which gave no usable answer; the detail says why. */
  password_hook_failed: "busy",
  passkey_failed: "passkey_failed",
  factor_failed: "factor_failed",
  factor_throttled: "factor_throttled",
  /** A code, a link or the time for the second step has expired. */
  code_expired: "code_expired",
  /** The page was older than the lifetime of a flow. */
  flow_expired: "flow_expired",
  cookies_blocked: "cookies_blocked",
  /** A check of the identity provider's response failed; the detail names it. */
  provider_failed: "provider_failed",
  provider_denied: "provider_denied",
  /** The account at the identity provider is linked to no user, and may not be. */
  provider_unknown_user: "provider_unknown_user",
  /** The project admits only users with one of its roles. */
  no_role: "no_role",
  /** The project admits only users of the organization that owns it. */
  other_organization: "other_organization",
  /** The organization of the user forbids the app (rule TRUST-5). */
  client_forbidden: "client_forbidden",
  consent_refused: "consent_refused",
  unknown_client: "unknown_client",
  redirect_uri_refused: "redirect_uri_refused",
  request_refused: "request_refused",
  /** "This wasn't me": the user reported that someone else changed their account. */
  disowned: "disowned",
  error: "error",
} as const;

export type AttemptReason = keyof typeof SAID;
/**
 * A reason as an organization reads it: `not_recognized` is what the page shows for a wrong name and for a wrong
 * password.
 */
export type ReadReason = AttemptReason | "not_recognized";

export const ATTEMPT_REASONS = Object.keys(SAID) as AttemptReason[];
export const READ_REASONS: readonly ReadReason[] = [...ATTEMPT_REASONS, "not_recognized"];

/** Returns the reason that organizations other than the user's read. A newer process may have stored an unknown one. */
export function reasonForOthers(reason: AttemptReason): ReadReason {
  return SAID[reason] ?? "error";
}

/** Returns the stored reasons that match a search for this one, by the user's own organization or by others. */
export function storedReasons(wanted: ReadReason, reader: "own" | "other"): AttemptReason[] {
  const isGeneral = reader === "other" || wanted === "not_recognized";
  return ATTEMPT_REASONS.filter((reason) => wanted === (isGeneral ? SAID[reason] : reason));
}

/** Whether the detail is about the app's request, and not about the user. */
export function isAboutRequest(reason: AttemptReason): boolean {
  return reason === "redirect_uri_refused" || reason === "request_refused";
}

/**
 * Returns an address as another organization reads it: only the network, so that an attack is visible, but a user
 * cannot be identified. For IPv4 it is the first 24 bits, for IPv6 the first 48, the size of one site (RFC 6177 §2).
 */
export function addressForOthers(address: string): string {
  const plain = address.replace(/%.*$/, "").replace(/^::ffff:(?=\d+\.)/i, "");
  if (/^\d+\.\d+\.\d+\.\d+$/.test(plain)) return plain.replace(/\.\d+$/, ".0/24");
  const [head = "", tail] = plain.split("::");
  const groups = head === "" ? [] : head.split(":");
  if (tail === undefined && groups.length < 3) return "";
  return `${[...groups, "0", "0", "0"].slice(0, 3).join(":")}::/48`;
}
