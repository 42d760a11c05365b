/**
 * How an attempt to sign in ended, and who may read how much of it. Rule: the organization of the person reads
 * everything; any other organization, whose app the attempt was for, reads what the page said to whoever made it, and
 * not who that was. Otherwise an owner of an app could learn at their own sign-in page who has an account elsewhere
 * (attack: trying names and reading the reasons).
 */

/** Each with what the page said: the reason that other organizations than the person's read. */
const SAID = {
  signed_in: "signed_in",
  wrong_password: "not_recognized",
  unknown_name: "not_recognized",
  no_password: "not_recognized",
  password_not_allowed: "not_recognized",
  user_locked: "not_recognized",
  user_inactive: "not_recognized",
  organization_inactive: "not_recognized",
  /** Too many wrong passwords for this person from this network or browser. */
  throttled: "throttled",
  /** Too many wrong passwords for this person from everywhere. */
  locked_out: "throttled",
  /** Too many wrong passwords from this network, whoever they were for. */
  network_throttled: "throttled",
  /** The queue of password checks was full. */
  busy: "busy",
  passkey_failed: "passkey_failed",
  factor_failed: "factor_failed",
  factor_throttled: "factor_throttled",
  /** A code, a link or the time for the second step. */
  code_expired: "code_expired",
  /** The page was older than a flow lives. */
  flow_expired: "flow_expired",
  cookies_blocked: "cookies_blocked",
  /** The project admits only people with one of its roles. */
  no_role: "no_role",
  /** The project admits only people of the organization that owns it. */
  other_organization: "other_organization",
  consent_refused: "consent_refused",
  unknown_client: "unknown_client",
  redirect_uri_refused: "redirect_uri_refused",
  request_refused: "request_refused",
  /** "This wasn't me": the person has said of a change of their account that it was somebody else. */
  disowned: "disowned",
  error: "error",
} as const;

export type AttemptReason = keyof typeof SAID;
/** As an organization reads it: `not_recognized` is what the page says to a wrong name and to a wrong password. */
export type ReadReason = AttemptReason | "not_recognized";

export const ATTEMPT_REASONS = Object.keys(SAID) as AttemptReason[];
export const READ_REASONS: readonly ReadReason[] = [...ATTEMPT_REASONS, "not_recognized"];

/** The reason as another organization than the person's reads it. */
export function reasonForOthers(reason: AttemptReason): ReadReason {
  return SAID[reason];
}

/** The stored reasons that a search for this one finds, by the person's own organization and by others. */
export function storedReasons(wanted: ReadReason, reader: "own" | "other"): AttemptReason[] {
  const isGeneral = reader === "other" || wanted === "not_recognized";
  return ATTEMPT_REASONS.filter((reason) => wanted === (isGeneral ? SAID[reason] : reason));
}

/** Whether the detail is about the app's request, and not about the person. */
export function isAboutRequest(reason: AttemptReason): boolean {
  return reason === "redirect_uri_refused" || reason === "request_refused";
}

/**
 * An address as another organization reads it: the network, so that an attack can be seen and nobody be found again by
 * it (of IPv4 the first 24 bits, of IPv6 the first 48, RFC 6177 §2: what one site gets).
 */
export function addressForOthers(address: string): string {
  const plain = address.replace(/%.*$/, "").replace(/^::ffff:(?=\d+\.)/i, "");
  if (/^\d+\.\d+\.\d+\.\d+$/.test(plain)) return plain.replace(/\.\d+$/, ".0/24");
  const [head = "", tail] = plain.split("::");
  const groups = head === "" ? [] : head.split(":");
  if (tail === undefined && groups.length < 3) return "";
  return `${[...groups, "0", "0", "0"].slice(0, 3).join(":")}::/48`;
}
