/** The data of a recipient that a message needs. */
import type { Database } from "../database";
import { readJson } from "../json-column";

/** Times are epoch milliseconds; booleans may be 0 or 1. */
export interface RecipientRow {
  id: string;
  organizationId: string;
  organizationName: string;
  primaryDomain: string | null;
  userName: string;
  firstName: string | null;
  lastName: string | null;
  nickName: string | null;
  displayName: string | null;
  preferredLanguage: string | null;
  email: string | null;
  isEmailVerified: boolean | number;
  phone: string | null;
  isPhoneVerified: boolean | number;
  claims: Record<string, unknown> | null;
  createdAt: number;
  changedAt: number;
}

/** Returns the person with this id, in any state; undefined for machine users and removed users. */
export async function findRecipient(db: Database, userId: string): Promise<RecipientRow | undefined> {
  const row = await db.one<RecipientRow>(
    `SELECT u."id", u."organizationId", o."name" AS "organizationName", u."userName", u."firstName", u."lastName",
            u."nickName", u."displayName", u."preferredLanguage", u."email", u."isEmailVerified", u."phone",
            u."isPhoneVerified", u."claims", u."createdAt", u."changedAt",
            (SELECT d."domain" FROM "Domain" d
              WHERE d."organizationId" = u."organizationId" AND d."isPrimary" LIMIT 1) AS "primaryDomain"
       FROM "User" u JOIN "Organization" o ON o."id" = u."organizationId"
      WHERE u."id" = $1 AND u."kind" = 'human'`,
    [userId],
  );
  return row && { ...row, claims: readJson(row.claims) };
}
