/**
 * Whoever looks after an account of his own: a session of this browser, and whether it began, or was proven again, only
 * minutes ago. Everything that lets somebody in or out needs that, so that an unlocked device alone takes nothing over
 * (ASVS 7.5.1).
 */
import type { Context } from "../../context";
import { findUser, type SignInUser } from "../../directory/user/user";
import { isMultiFactor } from "../../protocol/authentication-context";
import { authenticate, listCurrentSessions } from "../../sessions/session";
import type { UserAgent } from "../../sessions/user-agent";
import type { SessionRow } from "../../storage/sessions";
import { withFactors } from "../factors/second-factor";

/** Milliseconds since the last authentication. */
export const FRESH_FOR = 15 * 60_000;

/** Somebody signed in on this browser. */
export interface AccountOwner {
  session: SessionRow;
  user: SignInUser;
  /** Authenticated minutes ago, with everything the person has. */
  isFresh: boolean;
}

/** Whoever may change what lets people in or out. */
export type FreshOwner = AccountOwner & { isFresh: true };

export const isFreshOwner = (owner: AccountOwner): owner is FreshOwner => owner.isFresh;

/** The owner of a session of this browser. */
export async function accountOwner(
  ctx: Context,
  sessionId: string | undefined,
  userAgent: UserAgent,
): Promise<AccountOwner | undefined> {
  const session = (await listCurrentSessions(ctx, userAgent)).find(({ id }) => id === sessionId);
  const user = session && (await findUser(ctx, session.userId));
  if (!session || !user?.mayAuthenticate || session.passwordChangeRequired) return undefined;
  const isRecent = ctx.clock() - session.authTime <= FRESH_FOR;
  // A session from before the second factor was set up has not shown it.
  const isWhole = !session.hasSecondFactor || isMultiFactor(session.amr);
  return { session, user, isFresh: isRecent && isWhole };
}

/**
 * The session of somebody who has just proven a new factor, beside what began it minutes ago.
 * @param proven RFC 8176 values
 * @returns what the browser's cookie must say from now on
 */
export async function strengthenSession(
  ctx: Context,
  { session, user }: AccountOwner,
  proven: readonly string[],
  { userAgent, requestId }: { userAgent: UserAgent; requestId: string | undefined },
): Promise<string> {
  const amr = withFactors(session.amr.split(" "), proven);
  return (await authenticate(ctx, userAgent, user, amr, requestId)).userAgentToken;
}
