/**
 * Rows of grants. One conditional statement each decides single use: a code is redeemed, or a refresh token is rotated,
 * if and only if the statement changed a row (RFC 6749 §4.1.2, RFC 9700 §4.14.2).
 */

import type { Database, Insert } from "../database";
import type { AccessTokenRow } from "./access-tokens";
import { accessTokenInsert, VALID_ACTOR } from "./access-tokens";
import { assertionUse } from "./assertions";

/** The actor of a grant who acts for the user, and on what basis; all null without an actor. */
export interface Delegation {
  /** The act claim as JSON, RFC 8693 §4.1. */
  actor: string | null;
  actorUserId: string | null;
  /** The session of the actor. */
  actorSessionId: string | null;
  /** The grant it was exchanged from. */
  parentId: string | null;
}

/** Times are epoch milliseconds. */
export interface GrantRow {
  id: string;
  clientId: string;
  userId: string;
  sessionId: string | null;
  scope: string;
  audience: string;
  nonce: string | null;
  claimsRequest: string | null;
  authTime: number;
  amr: string;
  acr: string | null;
  codeDigest: string | null;
  codeExpiresAt: number | null;
  codeConsumedAt: number | null;
  redirectUri: string | null;
  codeChallenge: string | null;
  refreshGeneration: number;
  refreshedAt: number | null;
  refreshIdleUntil: number | null;
  /** The answer that issued the current refresh token, see refresh-answers.ts; null if stored by an earlier version. */
  refreshAnswer: string | null;
  createdAt: number;
  expiresAt: number;
  revokedAt: number | null;
}

/** The defaults of a new grant: no code, no refresh token, no expiry of its own. */
const NEW_GRANT = {
  nonce: null,
  claimsRequest: null,
  codeDigest: null,
  codeExpiresAt: null,
  codeConsumedAt: null,
  redirectUri: null,
  codeChallenge: null,
  refreshGeneration: 0,
  refreshedAt: null,
  refreshIdleUntil: null,
  refreshAnswer: null,
  revokedAt: null,
} as const satisfies Partial<GrantRow>;

/** A grant, and whether its session, user and organization are still valid. */
export interface ValidGrant extends GrantRow, Delegation {
  /** The user's organization. */
  organizationId: string;
  /** When its session expires; null without a session. */
  sessionExpiresAt: number | null;
  isValid: boolean;
}

/**
 * Returns a new grant. It is built by Object.assign because V8 makes a slow dictionary of a literal of this size with a
 * spread after its first part: twenty times as expensive here, and expensive for all readers.
 */
export function grantRow<Said extends Omit<GrantRow, keyof typeof NEW_GRANT>>(said: Said): GrantRow & Said {
  return Object.assign({}, NEW_GRANT, said);
}

const date = (at: number | null) => (at === null ? null : new Date(at));

/** A grant to be stored, by default without an actor. */
export type NewGrant = GrantRow & Partial<Delegation>;

const UNDELEGATED: Delegation = { actor: null, actorUserId: null, actorSessionId: null, parentId: null };

export function grantInsert(grant: NewGrant): Insert {
  return {
    table: "Grant",
    row: {
      ...Object.assign({}, UNDELEGATED, grant),
      authTime: new Date(grant.authTime),
      codeExpiresAt: date(grant.codeExpiresAt),
      codeConsumedAt: date(grant.codeConsumedAt),
      refreshedAt: date(grant.refreshedAt),
      refreshIdleUntil: date(grant.refreshIdleUntil),
      createdAt: new Date(grant.createdAt),
      expiresAt: new Date(grant.expiresAt),
      revokedAt: date(grant.revokedAt),
    },
  };
}

/** Returns the inserts of a grant and of the access token of the implicit flow. */
export function grantInserts(grant: NewGrant, accessToken?: AccessTokenRow): Insert[] {
  return [grantInsert(grant), ...(accessToken ? [accessTokenInsert(accessToken)] : [])];
}

/**
 * Stores the tokens that are issued for an assertion, in one unit with consuming the assertion.
 * @param issue.assertion undefined if the assertion may be reused
 * @returns false, with nothing stored, if it was used before
 */
export function insertByAssertion(
  db: Database,
  issue: {
    assertion: { id: string; expiresAt: number } | undefined;
    grant: NewGrant | undefined;
    accessToken: AccessTokenRow;
  },
): Promise<boolean> {
  const { assertion, grant, accessToken } = issue;
  return db.commit({
    ...(assertion ? { guard: assertionUse(assertion) } : {}),
    inserts: [...(grant ? [grantInsert(grant)] : []), accessTokenInsert(accessToken)],
  });
}

/**
 * Stores the result of a token exchange in one unit: the grant, its access token and the event.
 * @param exchange.assertion the client's JWT to consume
 * @returns false if the grant it was exchanged from has ended meanwhile, or the JWT was used before
 */
export function insertExchanged(
  db: Database,
  exchange: {
    grant: NewGrant;
    accessToken: AccessTokenRow | undefined;
    event: readonly Insert[];
    assertion: { id: string; expiresAt: number } | undefined;
  },
): Promise<boolean> {
  const { grant, accessToken, event, assertion } = exchange;
  const inserts = [grantInsert(grant), ...(accessToken ? [accessTokenInsert(accessToken)] : []), ...event];
  if (assertion) return db.commit({ guard: assertionUse(assertion), inserts });
  if (!grant.parentId) return db.commit({ inserts });
  // Changes nothing, but waits for a concurrent revocation of the parent, or makes it see the new grant.
  const sql = `UPDATE "Grant" SET "parentId" = "parentId" WHERE "id" = $1 AND "revokedAt" IS NULL`;
  return db.commit({ guard: { sql, values: [grant.parentId] }, inserts });
}

/**
 * SQL: whether a grant outlives its session (rule SIGNOUT-4). Grants that end with the session are revoked at its end;
 * this condition also covers those that are stored while the session ends.
 */
export const VALID_SESSION = `(s."endedAt" IS NULL OR g."refreshIdleUntil" IS NOT NULL)`;

/** `isValid` is false after a password change, after its session ended, or if user or organization are inactive. */
const WITH_VALIDITY = `SELECT g.*, u."organizationId", s."expiresAt" AS "sessionExpiresAt", (CASE WHEN u."state" = 'active' AND o."state" = 'active'
           AND g."createdAt" >= u."validFrom" AND ${VALID_SESSION} AND ${VALID_ACTOR} THEN 1 ELSE 0 END) AS "isValid"
      FROM "Grant" g
      JOIN "User" u ON u."id" = g."userId"
      JOIN "Organization" o ON o."id" = u."organizationId"
      LEFT JOIN "Session" s ON s."id" = g."sessionId"`;

async function findValid(db: Database, where: string, value: string): Promise<ValidGrant | undefined> {
  const row = await db.lookUp<Omit<ValidGrant, "isValid"> & { isValid: number }>(`${WITH_VALIDITY} WHERE ${where}`, [
    value,
  ]);
  return row && { ...row, isValid: row.isValid === 1 };
}

export function findGrantByCode(db: Database, codeDigest: string): Promise<ValidGrant | undefined> {
  return findValid(db, `g."codeDigest" = $1`, codeDigest);
}

export function findGrant(db: Database, id: string): Promise<ValidGrant | undefined> {
  return findValid(db, `g."id" = $1`, id);
}

/** The changes of a grant when its code is redeemed. Epoch milliseconds. */
export interface Redeemed {
  /** Null if no refresh token is issued. */
  refreshIdleUntil: number | null;
  /** The end of the grant and of all its refresh tokens. */
  expiresAt: number;
}

/** Redeems a code. Returns true for at most one caller. */
export function redeemCode(
  db: Database,
  codeDigest: string,
  now: number,
  accessToken: AccessTokenRow,
  { refreshIdleUntil, expiresAt }: Redeemed,
): Promise<boolean> {
  return db.commit({
    guard: {
      sql: `UPDATE "Grant" SET "codeConsumedAt" = $1, "refreshIdleUntil" = $2, "expiresAt" = $3
             WHERE "codeDigest" = $4 AND "codeConsumedAt" IS NULL AND "codeExpiresAt" > $5 AND "revokedAt" IS NULL`,
      values: [new Date(now), date(refreshIdleUntil), new Date(expiresAt), codeDigest, new Date(now)],
    },
    inserts: [accessTokenInsert(accessToken)],
  });
}

/** The use of a refresh token. */
export interface RefreshUse {
  grantId: string;
  /** The generation of the presented token. */
  generation: number;
  /** The process that gives the answer, see refresh-answers.ts. */
  answer: string;
  accessToken: AccessTokenRow;
}

/** Moves a grant to the next generation of refresh tokens. Returns true for at most one caller per generation. */
export function rotateRefresh(
  db: Database,
  { grantId, generation, answer, accessToken }: RefreshUse,
  { refreshedAt, refreshIdleUntil }: { refreshedAt: number; refreshIdleUntil: number },
): Promise<boolean> {
  return db.commit({
    guard: {
      sql: `UPDATE "Grant" SET "refreshGeneration" = $1, "refreshedAt" = $2, "refreshIdleUntil" = $3, "refreshAnswer" = $4
             WHERE "id" = $5 AND "refreshGeneration" = $6 AND "revokedAt" IS NULL`,
      values: [generation + 1, new Date(refreshedAt), new Date(refreshIdleUntil), answer, grantId, generation],
    },
    inserts: [accessTokenInsert(accessToken)],
  });
}

/**
 * Issues the successor of a used refresh token again.
 * @param times.found when the grant was rotated, according to its row
 * @param times.refreshedAt the start of the grace period: the same time, or now
 * @returns false if the grant has changed since it was read
 */
export function repeatRefresh(
  db: Database,
  { grantId, generation, answer, accessToken }: RefreshUse,
  { found, refreshedAt }: { found: number; refreshedAt: number },
): Promise<boolean> {
  return db.commit({
    guard: {
      sql: `UPDATE "Grant" SET "refreshedAt" = $1, "refreshAnswer" = $2
             WHERE "id" = $3 AND "refreshGeneration" = $4 AND "refreshedAt" = $5 AND "revokedAt" IS NULL`,
      values: [new Date(refreshedAt), answer, grantId, generation + 1, new Date(found)],
    },
    inserts: [accessTokenInsert(accessToken)],
  });
}
