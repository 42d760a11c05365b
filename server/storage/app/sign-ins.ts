/**
 * Finds the users who got tokens of an app. It is queried for few users with few grants each, so apps need no index.
 */
import type { Database } from "../database";
import { bind, tables } from "../statement";

export interface AppSignInRow {
  userId: string;
  displayName: string;
  organizationId: string;
  grantId: string;
  /** Epoch milliseconds: when the app redeemed its code, or when it got its tokens if there was no code. */
  at: number;
}

export interface AppSignInQuery {
  clientId: string;
  userIds: readonly string[];
  /** The redirect URI of the playground, which is not the app's own. */
  playground: string;
  /** Whether to find trials in the playground instead of sign-ins to the app. */
  isTrial: boolean;
}

/** Returns the one of these users who most recently got tokens of the app, or undefined. */
export function findLatestAppSignIn(
  db: Database,
  { clientId, userIds, playground, isTrial }: AppSignInQuery,
): Promise<AppSignInRow | undefined> {
  const signIns = tables
    .selectFrom("Grant as g")
    .innerJoin("User as u", "u.id", "g.userId")
    .select(["g.userId", "g.id as grantId", "u.organizationId"])
    .select((eb) => [
      eb.fn.coalesce("u.displayName", "u.userName").as("displayName"),
      eb.fn.coalesce("g.codeConsumedAt", "g.createdAt").as("at"),
    ])
    .where("g.userId", "in", userIds)
    .where("g.clientId", "=", clientId)
    .where((eb) => eb.or([eb("g.codeConsumedAt", "is not", null), eb("g.codeDigest", "is", null)]))
    .where((eb) =>
      isTrial
        ? eb("g.redirectUri", "=", playground)
        : eb.or([eb("g.redirectUri", "is", null), eb("g.redirectUri", "<>", playground)]),
    )
    .orderBy("at", "desc")
    .limit(1);
  return db.lookUp(bind(signIns));
}
