/** Users as the management APIs show them. */
import type { Database } from "../database";
import type { AggregateRow } from "../event/event";
import { IS_INVITED } from "./invitations";
import { LAST_SIGN_IN } from "./search-filter";

/** Times are epoch milliseconds; booleans may be 0 or 1. */
export interface ShownUser extends AggregateRow {
  id: string;
  organizationId: string;
  kind: "human" | "machine";
  state: "active" | "inactive" | "locked";
  userName: string;
  /** The displayed login name. */
  loginName: string;
  firstName: string | null;
  lastName: string | null;
  nickName: string | null;
  displayName: string | null;
  preferredLanguage: string | null;
  gender: string | null;
  email: string | null;
  isEmailVerified: boolean | number;
  phone: string | null;
  isPhoneVerified: boolean | number;
  passwordChangedAt: number | null;
  passwordChangeRequired: boolean | number;
  name: string | null;
  description: string | null;
  accessTokenType: string | null;
  legacyAssertionAudience: boolean | number;
  jwksUri: string | null;
  hasSecret: number;
  /** ISO 8601; empty if the user never signed in. */
  lastSignIn: string;
  /** Space-delimited kinds (protocol/second-factor), one entry for each factor; null if there are none. */
  factorKinds: string | null;
  passkeyCount: number;
  mfaSkippedAt: number | null;
  /** When the user was invited, if the invitation is not accepted yet. */
  invitedAt: number | null;
  /** When the invitation link expires; null if the link is no longer stored. */
  invitationEndsAt: number | null;
  /** Null before `ensureWords`. */
  displayNameKey: string | null;
  userNameKey: string;
  loginNameKey: string;
  emailKey: string | null;
}

export const SHOWN_COLUMNS = `u."id", u."organizationId", u."kind", u."state", u."userName", u."firstName", u."lastName",
  u."nickName", u."displayName", u."preferredLanguage", u."gender", u."email", u."isEmailVerified", u."phone",
  u."isPhoneVerified", u."passwordChangedAt", u."passwordChangeRequired", u."mfaSkippedAt", u."name", u."description",
  u."accessTokenType", u."legacyAssertionAudience", u."jwksUri",
  CASE WHEN u."secretDigest" IS NULL THEN 0 ELSE 1 END AS "hasSecret", u."displayNameKey",
  ${LAST_SIGN_IN} AS "lastSignIn",
  (SELECT STRING_AGG(f."kind", ' ') FROM "SecondFactor" f WHERE f."userId" = u."id") AS "factorKinds",
  (SELECT CAST(COUNT(*) AS INTEGER) FROM "Passkey" p WHERE p."userId" = u."id") AS "passkeyCount",
  CASE WHEN ${IS_INVITED} THEN u."invitedAt" END AS "invitedAt",
  CASE WHEN ${IS_INVITED} THEN (SELECT MAX(t."expiresAt") FROM "OneTimeToken" t WHERE t."purpose" = 'password_reset'
    AND t."subjectId" = u."id" AND t."consumedAt" IS NULL) END AS "invitationEndsAt",
  u."userNameKey", u."loginNameKey", u."emailKey",
  CASE WHEN u."userName" LIKE '%@%' THEN u."userName"
       ELSE u."userName" || COALESCE((SELECT '@' || d."domain" FROM "Domain" d
              WHERE d."organizationId" = u."organizationId" AND d."isPrimary" LIMIT 1), '') END AS "loginName",
  a."sequence", a."resourceOwner", a."createdAt", a."changedAt"`;

export const WITH_DETAILS = `JOIN "Aggregate" a ON a."type" = 'user' AND a."id" = u."id"`;

/**
 * Returns a user.
 * @param organizationId searches only in that organization
 */
export function findShownUser(db: Database, id: string, organizationId?: string): Promise<ShownUser | undefined> {
  const where = organizationId === undefined ? "" : `AND u."organizationId" = $2`;
  return db.one<ShownUser>(
    `SELECT ${SHOWN_COLUMNS} FROM "User" u ${WITH_DETAILS} WHERE u."id" = $1 ${where}`,
    organizationId === undefined ? [id] : [id, organizationId],
  );
}

/** The user of the organization with this (comparable) login name or user name. */
export function findShownUserByName(db: Database, organizationId: string, key: string): Promise<ShownUser | undefined> {
  return db.one<ShownUser>(
    `SELECT ${SHOWN_COLUMNS} FROM "User" u ${WITH_DETAILS}
      WHERE u."organizationId" = $1 AND (u."loginNameKey" = $2 OR u."userNameKey" = $2)
      ORDER BY CASE WHEN u."loginNameKey" = $2 THEN 0 ELSE 1 END LIMIT 1`,
    [organizationId, key],
  );
}

export async function findOrganizationOf(db: Database, userId: string): Promise<string | undefined> {
  const row = await db.one<{ id: string }>(`SELECT "organizationId" AS "id" FROM "User" WHERE "id" = $1`, [userId]);
  return row?.id;
}
