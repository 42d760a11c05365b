/**
 * The owner of an account: somebody with a session in this browser, and whether they authenticated only minutes ago.
 * Everything that affects who can sign in requires the latter, so that an unlocked device alone is not enough to take
 * an account over (ASVS 7.5.1).
 */
import type { Context } from "../../context";
import { findUser, type SignInUser } from "../../directory/user/user";
import { isMultiFactor } from "../../protocol/authentication-context";
import { authenticate, listCurrentSessions } from "../../sessions/session";
import type { UserAgent } from "../../sessions/user-agent";
import type { SessionRow } from "../../storage/sessions";
import type { Attempt } from "../attempt";
import { withFactors } from "../factors/second-factor";

/** Milliseconds since the last authentication. */
const FRESH_FOR = 15 * 60_000;

/** Somebody signed in on this browser. */
export interface AccountOwner {
  session: SessionRow;
  user: SignInUser;
  /** Authenticated minutes ago, with the second factor if there is one. */
  isFresh: boolean;
}

/** An owner who may change how one signs in to the account. */
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
  // A session that began before the second factor was set up has not proven it.
  const isWhole = !session.hasSecondFactor || isMultiFactor(session.amr);
  return { session, user, isFresh: isRecent && isWhole };
}

/**
 * Replaces the session of somebody who has just proven a new factor with one that counts it.
 * @param proven RFC 8176 values
 * @returns the new value of the browser's cookie
 */
export async function strengthenSession(
  ctx: Context,
  { session, user }: AccountOwner,
  proven: readonly string[],
  { userAgent, requestId }: Attempt,
): Promise<string> {
  const amr = withFactors(session.amr.split(" "), proven);
  return (await authenticate(ctx, userAgent, user, amr, requestId)).userAgentToken;
}
