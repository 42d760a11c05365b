/**
 * Records how a sign-in attempt ended, so that administrators can see why a user could not sign in. Nothing of it is
 * visible to the person who made the attempt: it happens after the response and takes the same work for known and
 * unknown users (ASVS 6.3.8). What was typed is stored only if it identifies the user; otherwise it may be a password
 * in the wrong field, of which only a keyed digest is stored, so that someone who knows it can search for it.
 */
import type { Context } from "../../context";
import { countSignInAttempt } from "../../metrics/instruments";
import { deviceName } from "../../protocol/device-name";
import { ATTEMPT_REASONS, type AttemptReason } from "../../protocol/sign-in-attempt";
import { networkOf } from "../../throttle";
import { comparableLoginName } from "../names";
import { type AttemptOrganizations, take } from "./batch";

export interface EndedAttempt {
  reason: AttemptReason;
  /** Undefined while the user is unknown. */
  person?: { id: string; organizationId: string };
  /** The name as typed at the sign-in. */
  typed?: string;
  clientId?: string;
  /** The redirect_uri that was rejected, or what is wrong with the request. */
  detail?: string;
  userAgent: { address: string | undefined; name: string | undefined };
  /** Whether it was already recorded for another user. */
  isRepeated?: boolean;
  /** Called after the response. */
  organizations(): Promise<AttemptOrganizations>;
}

/** Characters. A longer client id or address is not stored: no app has one. */
const MAX_LENGTH = 500;
/** Characters. Longer input is no user's name. */
const MAX_NAME_LENGTH = 320;

for (const reason of ATTEMPT_REASONS) countSignInAttempt.beginAtZero([reason]);

/** Records an attempt. Never waits and never throws. */
export function noteAttempt(ctx: Context, attempt: EndedAttempt): void {
  const { reason, person, userAgent, clientId, detail, organizations } = attempt;
  countSignInAttempt(reason);
  if (ctx.config.signInAttemptRetention === 0) return;
  const typed = attempt.typed === undefined ? undefined : storable(attempt.typed.trim(), MAX_NAME_LENGTH);
  const nameDigest = typed === undefined || typed === "" ? null : nameDigestOf(ctx, typed);
  const row = {
    createdAt: ctx.clock(),
    reason,
    userId: person?.id ?? null,
    loginName: person && typed ? typed : null,
    nameDigest,
    clientId: storable(clientId, MAX_LENGTH) ?? null,
    address: storable(userAgent.address, MAX_LENGTH) ?? null,
    device: (userAgent.name && deviceName(userAgent.name)) || null,
    detail: storable(detail, MAX_LENGTH) ?? null,
  };
  // The typed text takes precedence over the user it identifies; otherwise two spellings would reveal that they
  // identify the same user. For the same reason a second user with the name has separate rows and a separate count.
  const whose = attempt.isRepeated ? row.userId : null;
  // Checks of a provider's response fail for separate causes.
  const check = reason === "provider_failed" ? row.detail : null;
  const kind = JSON.stringify([reason, row.clientId, nameDigest ?? row.userId, whose, check]);
  const isExempt = reason === "signed_in" || whose !== null;
  take(ctx, { row, network: networkOf(userAgent.address), kind, isExempt, organizations });
}

/** Returns the text; undefined if it is too long, or if PostgreSQL rejects it. */
function storable(text: string | undefined, most: number): string | undefined {
  return text === undefined || text.length > most || /[\0\p{Cs}]/u.test(text) ? undefined : text;
}

/**
 * Returns the digest by which names are searched. After SECRET_KEY was replaced, older attempts are only found by their
 * user.
 */
export function nameDigestOf(ctx: Context, typed: string): string {
  return ctx.secrets.mac("sign-in-attempt", Buffer.from(comparableLoginName(typed))).toString("base64url");
}
