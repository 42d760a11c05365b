/**
 * Rows of access tokens. Every token has one, JWT or opaque, so that revocation, logout, a password change and the
 * deactivation of a user, app or organization take effect from the next request on.
 */
import type { Database, Insert } from "../database";
import { CLAIMS_COLUMNS, type ClaimsRow, readClaims } from "../user/user";

/** Times are epoch milliseconds; scope and audience are space-delimited. */
export interface AccessTokenRow {
  id: string;
  grantId: string | null;
  clientId: string;
  userId: string | null;
  scope: string;
  audience: string;
  createdAt: number;
  expiresAt: number;
}

export function accessTokenInsert(token: AccessTokenRow): Insert {
  return {
    table: "AccessToken",
    row: { ...token, createdAt: new Date(token.createdAt), expiresAt: new Date(token.expiresAt), revokedAt: null },
  };
}

export interface ValidToken extends AccessTokenRow {
  /** The user's organization. */
  organizationId: string | null;
  sessionId: string | null;
  authTime: number | null;
  amr: string | null;
  acr: string | null;
  claimsRequest: string | null;
  /** Who acts for the user, as the act claim in JSON (RFC 8693 §4.1). */
  actor: string | null;
  actorUserId: string | null;
  actorSessionId: string | null;
  grantExpiresAt: number | null;
  /** Whether its client may use the management APIs now; always for clients without an app: the console, machines. */
  mayManage: boolean | number;
}

/**
 * SQL: whether the actor of a grant, if there is one, is still valid: active, in an active organization, not signed out
 * everywhere, and with a session that has not ended.
 */
export const VALID_ACTOR = `(g."actorUserId" IS NULL OR EXISTS (
           SELECT 1 FROM "User" au JOIN "Organization" auo ON auo."id" = au."organizationId"
             LEFT JOIN "Session" aus ON aus."id" = g."actorSessionId"
            WHERE au."id" = g."actorUserId" AND au."state" = 'active' AND auo."state" = 'active'
              AND g."createdAt" >= au."validFrom" AND aus."endedAt" IS NULL))`;

/**
 * SQL: whether the session of a grant has neither ended nor expired nor become idle. A grant with refresh tokens does
 * not depend on its session (OIDC Core §11); one that ends with its session is revoked (rule SIGNOUT-4).
 * @param now placeholder of the time
 * @param idleSince placeholder of the time that the session was last seen after
 */
export const validSession = (now: string, idleSince: string) => `(s."id" IS NULL OR g."refreshIdleUntil" IS NOT NULL
           OR (s."endedAt" IS NULL AND s."expiresAt" > ${now} AND s."lastSeenAt" > ${idleSince}))`;

/** SQL: the columns of a ValidToken, without the user's organization. */
const TOKEN_COLUMNS = `t."id", t."grantId", t."clientId", t."userId", t."scope", t."audience", t."createdAt", t."expiresAt",
            g."sessionId", g."authTime", g."amr", g."acr", g."claimsRequest", g."actor",
            g."actorUserId", g."actorSessionId", g."expiresAt" AS "grantExpiresAt",
            (a."id" IS NULL OR a."mayManage") AS "mayManage"`;

/**
 * SQL: a token and everything it depends on. $1 is its id, $2 the time, $3 the time after which the session must have
 * been seen.
 */
const VALID = `FROM "AccessToken" t
       LEFT JOIN "User" u ON u."id" = t."userId"
       LEFT JOIN "Organization" uo ON uo."id" = u."organizationId"
       LEFT JOIN "Grant" g ON g."id" = t."grantId"
       LEFT JOIN "Session" s ON s."id" = g."sessionId"
       LEFT JOIN "App" a ON a."clientId" = t."clientId"
       LEFT JOIN "Project" p ON p."id" = a."projectId"
       LEFT JOIN "Organization" ao ON ao."id" = p."organizationId"
      WHERE t."id" = $1 AND t."revokedAt" IS NULL AND t."expiresAt" > $2
        AND (t."userId" IS NULL OR (u."state" = 'active' AND uo."state" = 'active' AND t."createdAt" >= u."validFrom"))
        AND (t."grantId" IS NULL OR (g."revokedAt" IS NULL AND g."createdAt" >= u."validFrom" AND ${validSession("$2", "$3")}
                                     AND ${VALID_ACTOR}))
        AND (a."id" IS NULL OR (a."state" = 'active' AND p."state" = 'active' AND ao."state" = 'active'))
        AND (a."id" IS NOT NULL
             OR t."clientId" = 'console' OR (u."kind" = 'machine' AND u."userName" = t."clientId"))`; // clients without an app

/**
 * Returns the token if it is valid at `now`. One statement checks everything it depends on.
 * @param idleSince sessions that were last seen before this time are idle, epoch milliseconds
 */
export function findValidToken(
  db: Database,
  id: string,
  now: number,
  idleSince: number,
): Promise<ValidToken | undefined> {
  return db.lookUp<ValidToken>(`SELECT ${TOKEN_COLUMNS}, u."organizationId" ${VALID}`, [
    id,
    new Date(now),
    new Date(idleSince),
  ]);
}

/**
 * A valid token and its user, read in one statement. The user is undefined for a token of an app that acts for itself.
 */
export interface ValidTokenAndUser {
  token: ValidToken;
  user: ClaimsRow | undefined;
}

/** Returns a valid token together with its user, in one statement. */
export async function findValidTokenAndUser(
  db: Database,
  id: string,
  now: number,
  idleSince: number,
): Promise<ValidTokenAndUser | undefined> {
  const values = [id, new Date(now), new Date(idleSince)];
  const row = await db.lookUp<ValidToken & ClaimsRow>(`SELECT ${TOKEN_COLUMNS}, ${CLAIMS_COLUMNS} ${VALID}`, values);
  return row && { token: row, user: row.userId === null ? undefined : readClaims(row) };
}

/**
 * Revokes one access token of the client. Its grant and the other tokens of the grant stay valid (rule REVOKE-1).
 * @returns the number of revoked tokens: 0 if the token is unknown, belongs to another client or has ended
 */
export function revokeAccessToken(
  db: Database,
  id: string,
  { clientId, userId }: RevocationScope,
  now: number,
): Promise<number> {
  const ofUser = userId === undefined ? "" : ` AND "userId" = $4`;
  return db.run(
    `UPDATE "AccessToken" SET "revokedAt" = $1 WHERE "id" = $2 AND "clientId" = $3${ofUser} AND "revokedAt" IS NULL`,
    [new Date(now), id, clientId, ...(userId === undefined ? [] : [userId])],
  );
}

/** The client whose tokens may be revoked. */
export interface RevocationScope {
  clientId: string;
  /** Set for a machine user, because other organizations may have one with the same name. */
  userId?: string;
}

export async function insertAccessToken(db: Database, token: AccessTokenRow): Promise<void> {
  await db.commit({ inserts: [accessTokenInsert(token)] });
}
