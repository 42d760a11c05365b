/** Rows of browser sessions. A browser is identified only by the digest of its user-agent token. */
import type { Database, Insert, Statement, Transaction, Unit } from "../database";
import { hasSecondFactor } from "../factor/second-factors";
import { type EndingOffline, revokeGrantsOfSession } from "../grant/ended-grants";
import { dueLogoutNotifications } from "./logout-notifications";

/** A valid session with what the login pages show of its user. Times are epoch milliseconds. */
export interface SessionRow {
  id: string;
  userId: string;
  organizationId: string;
  loginName: string;
  verifiedEmail: string | null;
  displayName: string;
  /** The parts of the display name, see messages/person-name. */
  firstName: string | null;
  lastName: string | null;
  preferredLanguage: string | null;
  organizationName: string;
  authTime: number;
  amr: string;
  createdAt: number;
  lastSeenAt: number;
  expiresAt: number;
  /** True or 1 if the user must choose another password first. */
  passwordChangeRequired: boolean | number;
  /** 1 if the user has a second factor. */
  hasSecondFactor: number;
}

/** The columns of the user in a session. */
const PERSON_COLUMNS = `u."organizationId",
            CASE WHEN u."userName" LIKE '%@%' THEN u."userName" ELSE u."loginNameKey" END AS "loginName",
            CASE WHEN u."isEmailVerified" THEN u."email" END AS "verifiedEmail",
            COALESCE(u."displayName", u."userName") AS "displayName", u."firstName", u."lastName", u."preferredLanguage",
            o."name" AS "organizationName", u."passwordChangeRequired", ${hasSecondFactor(`u."id"`)}`;

/** SQL: users whose sessions are valid. */
const MAY_BE_SIGNED_IN = `u."state" = 'active' AND o."state" = 'active'`;

/**
 * Returns the sessions of a browser that are valid at `now`: not ended, expired or idle for too long, with an active
 * user and organization, and no password change since.
 * @param idleSince sessions last seen before this time have expired
 */
export function listValidSessions(
  db: Database,
  userAgentDigest: string,
  now: number,
  idleSince: number,
): Promise<SessionRow[]> {
  return db.all<SessionRow>(
    `SELECT s."id", s."userId", s."authTime", s."amr", s."createdAt", s."lastSeenAt", s."expiresAt", ${PERSON_COLUMNS}
       FROM "Session" s
       JOIN "User" u ON u."id" = s."userId"
       JOIN "Organization" o ON o."id" = u."organizationId"
      WHERE s."userAgentDigest" = $1 AND s."endedAt" IS NULL AND s."expiresAt" > $2 AND s."lastSeenAt" > $3
        AND s."authTime" >= u."validFrom" AND ${MAY_BE_SIGNED_IN}
      ORDER BY s."lastSeenAt" DESC, s."id"`,
    [userAgentDigest, new Date(now), new Date(idleSince)],
  );
}

/** Returns the user of a session, unless it has ended or expired. */
export function findValidSession(
  db: Database,
  id: string,
  now: number,
): Promise<Pick<SessionRow, "id" | "userId" | "organizationId"> | undefined> {
  return db.one(
    `SELECT s."id", s."userId", u."organizationId" FROM "Session" s JOIN "User" u ON u."id" = s."userId"
      WHERE s."id" = $1 AND s."endedAt" IS NULL AND s."expiresAt" > $2`,
    [id, new Date(now)],
  );
}

/** Whether this user has ever signed in on this browser, even if that session has ended. */
export async function wasSignedInOn(db: Database, userAgentDigest: string, userId: string): Promise<boolean> {
  const sql = `SELECT 1 AS "found" FROM "Session" WHERE "userAgentDigest" = $1 AND "userId" = $2 LIMIT 1`;
  return (await db.one(sql, [userAgentDigest, userId])) !== undefined;
}

/** Whether this user has signed in on any browser, as far as its sessions are remembered. */
export async function hasSignedIn(db: Database, userId: string): Promise<boolean> {
  return (await db.one(`SELECT 1 AS "found" FROM "Session" WHERE "userId" = $1 LIMIT 1`, [userId])) !== undefined;
}

/** Records that a session was used. */
export function touchSession(db: Database, id: string, now: number): Promise<number> {
  return db.run(`UPDATE "Session" SET "lastSeenAt" = $1 WHERE "id" = $2 AND "endedAt" IS NULL`, [new Date(now), id]);
}

export interface NewSession {
  id: string;
  userId: string;
  organizationId: string;
  /** Space-delimited RFC 8176 values. */
  amr: string;
  clientAddress: string | null;
  userAgentName: string | null;
  now: number;
  expiresAt: number;
}

/** Returns the unit that stores a new session in a browser without other sessions. */
export function newSession(session: NewSession, userAgentDigest: string): Unit {
  const { id, userId } = session;
  const data = authenticationData(session);
  const row = { id, userId, userAgentDigest, createdAt: data.authTime, ...data };
  const { insert, updates } = lastSignIn(session);
  return { inserts: [{ table: "Session", row }, insert], updates };
}

/**
 * Stores the time of the last sign-in of a user, which outlives the sessions. Clocks of several processes may differ.
 * The row of the user, with its many indexes, changes only at the first sign-in.
 */
function lastSignIn({ userId, organizationId, now }: NewSession): { insert: Insert; updates: Statement[] } {
  const at = new Date(now).toISOString();
  return {
    insert: { table: "LastSignIn", row: { userId, organizationId, at }, ifMissing: true },
    updates: [
      { sql: `UPDATE "LastSignIn" SET "at" = $1 WHERE "userId" = $2 AND "at" < $1`, values: [at, userId] },
      { sql: `UPDATE "User" SET "lastSignIn" = $1 WHERE "id" = $2 AND "lastSignIn" = ''`, values: [at, userId] },
    ],
  };
}

/** Whether this browser has sessions that have not ended, which must move to its new token. */
export async function hasUnendedSessions(db: Database, userAgentDigest: string): Promise<boolean> {
  const sql = `SELECT 1 AS "found" FROM "Session" WHERE "userAgentDigest" = $1 AND "endedAt" IS NULL LIMIT 1`;
  return (await db.one(sql, [userAgentDigest])) !== undefined;
}

/**
 * Stores an authentication in a browser with sessions: they are moved to the browser's new token. If the user has one
 * of them, it is authenticated again and keeps its id, so that its apps are not signed out; otherwise a new one starts.
 * @returns the id of the session
 */
export async function writeAuthentication(
  tx: Transaction,
  browser: { oldDigest: string; newDigest: string },
  session: NewSession,
): Promise<string> {
  const { id, userId } = session;
  const data = authenticationData(session);
  await keepLastSignIn(tx, session);
  await tx.session.updateMany({
    where: { userAgentDigest: browser.oldDigest, endedAt: null },
    data: { userAgentDigest: browser.newDigest },
  });
  const again = await tx.session.findFirst({
    where: { userAgentDigest: browser.newDigest, userId, endedAt: null, expiresAt: { gt: data.authTime } },
    select: { id: true },
  });
  if (again) {
    await tx.session.update({ where: { id: again.id }, data });
    return again.id;
  }
  await tx.session.create({
    data: { id, userId, userAgentDigest: browser.newDigest, createdAt: data.authTime, ...data },
  });
  return id;
}

/** Stores the time of the last sign-in, like `lastSignIn`, in a transaction. */
async function keepLastSignIn(tx: Transaction, { userId, organizationId, now }: NewSession): Promise<void> {
  const at = new Date(now).toISOString();
  await tx.$executeRaw`
    INSERT INTO "LastSignIn" ("userId", "organizationId", "at") VALUES (${userId}, ${organizationId}, ${at})
    ON CONFLICT ("userId") DO UPDATE SET "at" = excluded."at" WHERE "LastSignIn"."at" < excluded."at"`;
  await tx.user.updateMany({ where: { id: userId, lastSignIn: "" }, data: { lastSignIn: at } });
}

function authenticationData({ amr, clientAddress, userAgentName, now, expiresAt }: NewSession) {
  const at = new Date(now);
  return { authTime: at, amr, lastSeenAt: at, expiresAt: new Date(expiresAt), clientAddress, userAgentName };
}

/**
 * Ends a session, revokes its grants (`offline`: which of those with refresh tokens), and makes its logout
 * notifications due.
 */
export async function endSessionRow(tx: Transaction, id: string, now: number, offline: EndingOffline): Promise<void> {
  await tx.session.updateMany({ where: { id, endedAt: null }, data: { endedAt: new Date(now) } });
  await revokeGrantsOfSession(tx, id, now, offline);
  await dueLogoutNotifications(tx, id, now);
}

/** Returns whether a session has not ended, expired or become idle. Times are those of `listValidSessions`. */
export async function isSessionValid(db: Database, id: string, now: number, idleSince: number): Promise<boolean> {
  const sql = `SELECT 1 AS "found" FROM "Session"
                WHERE "id" = $1 AND "endedAt" IS NULL AND "expiresAt" > $2 AND "lastSeenAt" > $3`;
  return (await db.one(sql, [id, new Date(now), new Date(idleSince)])) !== undefined;
}

/** A valid session of a person in any browser. Times are epoch milliseconds. */
export interface PersonSessionRow {
  id: string;
  userId: string;
  organizationId: string;
  clientAddress: string | null;
  userAgentName: string | null;
  lastSeenAt: number;
}

/** Returns the sessions of a user, most recently used first, under the conditions of `listValidSessions`. */
export function listSessionsOfUser(
  db: Database,
  userId: string,
  now: number,
  idleSince: number,
): Promise<PersonSessionRow[]> {
  return db.all<PersonSessionRow>(
    `SELECT s."id", s."userId", u."organizationId", s."clientAddress", s."userAgentName", s."lastSeenAt"
       FROM "Session" s JOIN "User" u ON u."id" = s."userId"
      WHERE s."userId" = $1 AND s."endedAt" IS NULL AND s."expiresAt" > $2 AND s."lastSeenAt" > $3
        AND s."authTime" >= u."validFrom"
      ORDER BY s."lastSeenAt" DESC, s."id"`,
    [userId, new Date(now), new Date(idleSince)],
  );
}
