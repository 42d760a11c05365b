/**
 * Makes the same change for several users, one after the other, with the use case for one user. Permissions are
 * therefore checked as usual for each of them, and an error for one does not affect the others.
 */
import { nextTurn } from "../../concurrency/pauses";
import type { OriginContext } from "../../events/record";
import { type ApiError, isApiError } from "../../protocol/api-error";
import type { UserRef } from "./change";
import { invitePerson } from "./invite";
import { type StateChange, setUserState } from "./set-state";

/** The maximum number of users per call. */
export const MAX_EACH = 100;

export interface EachOutcome {
  userId: string;
  error?: ApiError;
}

/**
 * Runs `work` for each user.
 * @param work resolves with an error, or any other value for success
 */
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

/** In bulk calls, users already in the target state are not an error. */
export async function setStateOrLeave(ctx: OriginContext, ref: UserRef, change: StateChange) {
  const outcome = await setUserState(ctx, ref, change);
  const isThere = isApiError(outcome) && outcome.id === `user.is_${LEADS_TO[change]}`;
  return isThere ? undefined : outcome;
}

/** Mails the message `invite_user`, whether for the first time or again. */
export function sendInvitation(ctx: OriginContext, ref: UserRef) {
  return invitePerson(ctx, ref, { delivery: { by: "mail" } });
}
