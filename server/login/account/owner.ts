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
import { findFactorSummary } from "../../storage/second-factors";
import type { SessionRow } from "../../storage/sessions";
import type { Attempt } from "../attempt";
import { withFactors } from "../factors/second-factor";

/** Milliseconds since the last authentication. */
const FRESH_FOR = 15 * 60_000;

/** Somebody who is signed in. */
export interface Owner {
  session: Pick<SessionRow, "id">;
  user: SignInUser;
  /** Authenticated minutes ago, with the second factor if there is one. */
  isFresh: boolean;
}

/** Somebody signed in on this browser. */
export interface AccountOwner extends Owner {
  session: SessionRow;
}

/** An owner who may change how one signs in to the account. */
export type FreshOwner = AccountOwner & { isFresh: true };
/** The same, signed in on a browser or by an app. */
export type RecentOwner = Owner & { isFresh: true };

export const isFreshOwner = (owner: AccountOwner): owner is FreshOwner => owner.isFresh;
export const isRecentOwner = (owner: Owner): owner is RecentOwner => owner.isFresh;

/** The owner of a session of this browser. */
export async function accountOwner(
  ctx: Context,
  sessionId: string | undefined,
  userAgent: UserAgent,
): Promise<AccountOwner | undefined> {
  const session = (await listCurrentSessions(ctx, userAgent)).find(({ id }) => id === sessionId);
  const user = session && (await findUser(ctx, session.userId));
  if (!session || !user?.mayAuthenticate || session.passwordChangeRequired) return undefined;
  const isRecent = isFreshNow(ctx, session);
  // A session that began before the second factor was set up has not proven it.
  const isWhole = !session.hasSecondFactor || isMultiFactor(session.amr);
  return { session, user, isFresh: isRecent && isWhole };
}

const isFreshNow = (ctx: Context, { authTime }: { authTime: number }) => ctx.clock() - authTime <= FRESH_FOR;

/** Whose token it is, and how they signed in for it; undefined if nobody did. */
export interface TokenHolder {
  userId: string;
  authentication?: { sessionId: string; authTime: number; amr: string };
}

/**
 * The owner of an account who shows a token instead of a browser. What counts is the authentication that the token comes
 * from, not a later one in the same browser: that proves nothing about whoever has the token now.
 * @returns undefined if nobody signed in for the token
 */
export async function tokenOwner(ctx: Context, { userId, authentication }: TokenHolder): Promise<Owner | undefined> {
  const user = await findUser(ctx, userId);
  if (!authentication || !user?.mayAuthenticate) return undefined;
  const { sessionId: id, amr } = authentication;
  const { hasSecondFactor } = await findFactorSummary(ctx.db, userId);
  const isFresh = isFreshNow(ctx, authentication) && (!hasSecondFactor || isMultiFactor(amr));
  return { session: { id }, user, isFresh };
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
  return (await authenticate(ctx, userAgent, user, amr, { requestId })).userAgentToken;
}
