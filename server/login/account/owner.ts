/**
 * The owner of an account: a user with a session in this browser, and whether they authenticated recently. Everything
 * that affects who can sign in requires a recent authentication, so that an unlocked device is not enough to take an
 * account over (ASVS 7.5.1).
 */
import type { Context } from "../../context";
import { findUser, type SignInUser } from "../../directory/user/user";
import { isMultiFactor } from "../../protocol/authentication-context";
import { whyChangePassword } from "../../sessions/required-action";
import { authenticate, listCurrentSessions } from "../../sessions/session";
import type { UserAgent } from "../../sessions/user-agent";
import { findFactorSummary } from "../../storage/factor/second-factors";
import type { SessionRow } from "../../storage/session/session";
import type { Attempt } from "../attempt";
import { withFactors } from "../factors/second-factor";

/** The maximum age of a recent authentication, in milliseconds. */
const FRESH_FOR = 15 * 60_000;

/** A signed-in user. */
export interface Owner {
  session: Pick<SessionRow, "id">;
  user: SignInUser;
  /** Whether the user authenticated recently, with the second factor if there is one. */
  isFresh: boolean;
}

/** A user who is signed in in this browser. */
export interface AccountOwner extends Owner {
  session: SessionRow;
}

/** An owner who may change how to sign in to the account. */
export type FreshOwner = AccountOwner & { isFresh: true };
/** A recently authenticated owner, signed in in a browser or by an app. */
export type RecentOwner = Owner & { isFresh: true };

export const isFreshOwner = (owner: AccountOwner): owner is FreshOwner => owner.isFresh;
export const isRecentOwner = (owner: Owner): owner is RecentOwner => owner.isFresh;

/** Returns the owner of a session of this browser. */
export async function accountOwner(
  ctx: Context,
  sessionId: string | undefined,
  userAgent: UserAgent,
): Promise<AccountOwner | undefined> {
  const session = (await listCurrentSessions(ctx, userAgent)).find(({ id }) => id === sessionId);
  const user = session && (await findUser(ctx, session.userId));
  if (!session || !user?.mayAuthenticate || (await whyChangePassword(ctx, session))) return undefined;
  const isRecent = isFreshNow(ctx, session);
  // A session that started before the second factor was set up has not proven it.
  const isWhole = !session.hasSecondFactor || isMultiFactor(session.amr);
  return { session, user, isFresh: isRecent && isWhole };
}

const isFreshNow = (ctx: Context, { authTime }: { authTime: number }) => ctx.clock() - authTime <= FRESH_FOR;

/** The user of a token and the sign-in it comes from; undefined if there was no sign-in. */
export interface TokenHolder {
  userId: string;
  authentication?: { sessionId: string; authTime: number; amr: string };
}

/**
 * Returns the owner of an account by a token instead of a browser session. The token's own authentication counts, not a
 * later one in the same browser, which proves nothing about the current holder of the token.
 * @returns undefined if the token does not come from a sign-in
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
 * Replaces the session of a user who has just proven a new factor with one that includes it.
 * @param proven the RFC 8176 values
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
