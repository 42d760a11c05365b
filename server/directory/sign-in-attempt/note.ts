/**
 * Noting how an attempt to sign in ended, so that administrators can see why somebody could not. Nothing of it reaches
 * whoever made the attempt: it happens behind the answer and is the same work for people and for nobody (ASVS 6.3.8).
 * What was typed is kept only if it means the person; otherwise it may be a password in the wrong field, of which only
 * a keyed digest is kept, by which somebody who knows it can search.
 */
import type { Context } from "../../context";
import { beginAtZero, countSignInAttempt } from "../../metrics/instruments";
import { deviceName } from "../../protocol/device-name";
import { ATTEMPT_REASONS, type AttemptReason } from "../../protocol/sign-in-attempt";
import { networkOf } from "../../throttle";
import { comparableLoginName } from "../names";
import { type AttemptOrganizations, take } from "./batch";

export interface EndedAttempt {
  reason: AttemptReason;
  /** Undefined while nobody is known. */
  person?: { id: string; organizationId: string };
  /** As typed at the sign-in. */
  typed?: string;
  clientId?: string;
  /** The redirect_uri that was refused, or what is wrong with the request. */
  detail?: string;
  userAgent: { address: string | undefined; name: string | undefined };
  /** Whether it was noted for another person already. */
  isRepeated?: boolean;
  /** Asked behind the answer. */
  organizations(): Promise<AttemptOrganizations>;
}

/** Characters. A longer client id or address is not stored: no app has it. */
const MAX_LENGTH = 500;
/** Characters; what is typed beyond names nobody. */
const MAX_NAME_LENGTH = 320;

beginAtZero(
  "attempts",
  ATTEMPT_REASONS.map((reason) => ({ reason })),
);

/** Notes it; never waits and never throws. */
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
  // What was typed comes before whom it means, or two spellings would show that they mean the same person.
  // For the same reason a second person of the name has rows, and a count, of their own.
  const whose = attempt.isRepeated ? row.userId : null;
  const kind = JSON.stringify([reason, row.clientId, nameDigest ?? row.userId, whose]);
  const isExempt = reason === "signed_in" || whose !== null;
  take(ctx, { row, network: networkOf(userAgent.address), kind, isExempt, organizations });
}

/** Undefined for what is too long, or what PostgreSQL refuses. */
function storable(text: string | undefined, most: number): string | undefined {
  return text === undefined || text.length > most || /[\0\p{Cs}]/u.test(text) ? undefined : text;
}

/** What names are searched for by. After SECRET_KEY was replaced, older attempts are found by their person only. */
export function nameDigestOf(ctx: Context, typed: string): string {
  return ctx.secrets.mac("sign-in-attempt", Buffer.from(comparableLoginName(typed))).toString("base64url");
}
