/**
 * The same change for several people, each by itself, through the use case for one: so power over each of them is asked
 * where it always is, and one who is refused keeps nobody else from it.
 */
import { nextTurn } from "../../concurrency/pauses";
import type { Context } from "../../context";
import type { Origin } from "../../events/record";
import { type ApiError, isApiError } from "../../protocol/api-error";
import type { UserRef } from "./change";
import { invitePerson } from "./invite";
import { type StateChange, setUserState } from "./set-state";

/** At once. */
export const MAX_EACH = 100;

/** What became of one of them. */
export interface EachOutcome {
  userId: string;
  error?: ApiError;
}

/** @param work answers a refusal, or whatever it does */
export async function changeEach(
  { organizationId, userIds }: { organizationId: string; userIds: readonly string[] },
  work: (ref: UserRef) => Promise<unknown>,
): Promise<EachOutcome[]> {
  const outcomes: EachOutcome[] = [];
  for (const userId of new Set(userIds)) {
    await nextTurn();
    const outcome = await work({ organizationId, userId });
    outcomes.push(isApiError(outcome) ? { userId, error: outcome } : { userId });
  }
  return outcomes;
}

const LEADS_TO = { lock: "locked", unlock: "active", deactivate: "inactive", reactivate: "active" } as const;

/** Whoever is in that state already is no failure among several. */
export async function setStateOrLeave(ctx: Context, ref: UserRef, change: StateChange, origin: Origin) {
  const outcome = await setUserState(ctx, ref, change, origin);
  const isThere = isApiError(outcome) && outcome.id === `user.is_${LEADS_TO[change]}`;
  return isThere ? undefined : outcome;
}

/** Mails the message `invite_user`, whether for the first time or again. */
export function sendInvitation(ctx: Context, ref: UserRef, origin: Origin) {
  return invitePerson(ctx, ref, { passing: { by: "mail" } }, origin);
}
