/** Rows of browser sessions. A browser is identified only by the digest of its user-agent token. */
import type { Database, Insert, Transaction, Unit } from "../database";
import { hasSecondFactor } from "../factor/second-factors";
import { type EndingOffline, revokeGrantsOfSession } from "../grant/ended-grants";
import { expireProviderSession } from "../identity-provider/provider-sessions";
import { readOne, write } from "../in-transaction";
import { bind, type Params, statement, tables } from "../statement";
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
  /** Whether the user must choose another password first. */
  passwordChangeRequired: boolean;
  /** Null without a password. */
  passwordChangedAt: number | null;
  hasSecondFactor: boolean;
}

/** The users whose sessions are valid, with the columns that a session has of them. */
const activeUsers = tables
  .selectFrom("User as u")
  .innerJoin("Organization as o", "o.id", "u.organizationId")
  .where("u.state", "=", "active")
  .where("o.state", "=", "active")
  .select(["u.organizationId", "u.firstName", "u.lastName", "u.preferredLanguage"])
  .select(["u.passwordChangeRequired", "u.passwordChangedAt"])
  .select((eb) => [
    eb
      .case()
      .when("u.userName", "like", "%@%")
      .then(eb.ref("u.userName"))
      .else(eb.ref("u.loginNameKey"))
      .end()
      .as("loginName"),
    eb.case().when(eb.ref("u.isEmailVerified")).then(eb.ref("u.email")).end().as("verifiedEmail"),
    eb.fn.coalesce("u.displayName", "u.userName").as("displayName"),
    "o.name as organizationName",
    hasSecondFactor(eb.ref("u.id")),
  ]);

const validSessions = statement(($: Params<{ userAgentDigest: string; now: number; idleSince: number }>) =>
  activeUsers
    .innerJoin("Session as s", "s.userId", "u.id")
    .select(["s.id", "s.userId", "s.authTime", "s.amr", "s.createdAt", "s.lastSeenAt", "s.expiresAt"])
    .where("s.userAgentDigest", "=", $("userAgentDigest"))
    .where("s.endedAt", "is", null)
    .where("s.expiresAt", ">", $("now"))
    .where("s.lastSeenAt", ">", $("idleSince"))
    .whereRef("s.authTime", ">=", "u.validFrom")
    .orderBy("s.lastSeenAt", "desc")
    .orderBy("s.id"),
);

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
  return db.all(validSessions({ userAgentDigest, now, idleSince }));
}

const validSession = statement(($: Params<{ id: string; now: number }>) =>
  tables
    .selectFrom("Session as s")
    .innerJoin("User as u", "u.id", "s.userId")
    .select(["s.id", "s.userId", "u.organizationId"])
    .where("s.id", "=", $("id"))
    .where("s.endedAt", "is", null)
    .where("s.expiresAt", ">", $("now")),
);

/** Returns the user of a session, unless it has ended or expired. */
export function findValidSession(
  db: Database,
  id: string,
  now: number,
): Promise<Pick<SessionRow, "id" | "userId" | "organizationId"> | undefined> {
  return db.one(validSession({ id, now }));
}

const anySession = tables.selectFrom("Session").select("id").limit(1);
const sessionOnBrowser = statement(($: Params<{ userAgentDigest: string; userId: string }>) =>
  anySession.where("userAgentDigest", "=", $("userAgentDigest")).where("userId", "=", $("userId")),
);
const sessionOfUser = statement(($: Params<{ userId: string }>) => anySession.where("userId", "=", $("userId")));

/** Whether this user has ever signed in on this browser, even if that session has ended. */
export async function wasSignedInOn(db: Database, userAgentDigest: string, userId: string): Promise<boolean> {
  return (await db.one(sessionOnBrowser({ userAgentDigest, userId }))) !== undefined;
}

/** Whether this user has signed in on any browser, as far as its sessions are remembered. */
export async function hasSignedIn(db: Database, userId: string): Promise<boolean> {
  return (await db.one(sessionOfUser({ userId }))) !== undefined;
}

const touch = statement(($: Params<{ id: string; now: number }>) =>
  tables
    .updateTable("Session")
    .set({ lastSeenAt: $("now") })
    .where("id", "=", $("id"))
    .where("endedAt", "is", null),
);

/** Records that a session was used. */
export function touchSession(db: Database, id: string, now: number): Promise<number> {
  return db.run(touch({ id, now }));
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

type SignInTime = Params<{ at: string; userId: string }>;

const laterSignIn = statement(($: SignInTime) =>
  tables
    .updateTable("LastSignIn")
    .set({ at: $("at") })
    .where("userId", "=", $("userId"))
    .where("at", "<", $("at")),
);
const firstSignIn = statement(($: SignInTime) =>
  tables
    .updateTable("User")
    .set({ lastSignIn: $("at") })
    .where("id", "=", $("userId"))
    .where("lastSignIn", "=", ""),
);

/**
 * Stores the time of the last sign-in of a user, which outlives the sessions. Clocks of several processes may differ.
 * The row of the user, with its many indexes, changes only at the first sign-in.
 */
function lastSignIn({ userId, organizationId, now }: NewSession) {
  const at = new Date(now).toISOString();
  const insert: Insert = { table: "LastSignIn", row: { userId, organizationId, at }, ifMissing: true };
  return { insert, updates: [laterSignIn({ at, userId }), firstSignIn({ at, userId })] };
}

const unendedSession = statement(($: Params<{ userAgentDigest: string }>) =>
  anySession.where("userAgentDigest", "=", $("userAgentDigest")).where("endedAt", "is", null),
);

/** Whether this browser has sessions that have not ended, which must move to its new token. */
export async function hasUnendedSessions(db: Database, userAgentDigest: string): Promise<boolean> {
  return (await db.one(unendedSession({ userAgentDigest }))) !== undefined;
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
  const userAgentDigest = browser.newDigest;
  const moved = tables.updateTable("Session").set({ userAgentDigest });
  await write(tx, bind(moved.where("userAgentDigest", "=", browser.oldDigest).where("endedAt", "is", null)));
  const own = anySession
    .where("userAgentDigest", "=", userAgentDigest)
    .where("userId", "=", userId)
    .where("endedAt", "is", null)
    .where("expiresAt", ">", session.now);
  const again = await readOne(tx, bind(own));
  if (again) {
    await write(tx, bind(tables.updateTable("Session").set(data).where("id", "=", again.id)));
    return again.id;
  }
  const row = { id, userId, userAgentDigest, createdAt: data.authTime, ...data };
  await write(tx, bind(tables.insertInto("Session").values(row)));
  return id;
}

/** Stores the time of the last sign-in, like `lastSignIn`, in a transaction. */
async function keepLastSignIn(tx: Transaction, { userId, organizationId, now }: NewSession): Promise<void> {
  const at = new Date(now).toISOString();
  const upsert = tables
    .insertInto("LastSignIn")
    .values({ userId, organizationId, at })
    .onConflict((conflict) => conflict.column("userId").doUpdateSet({ at }).where("LastSignIn.at", "<", at));
  await write(tx, bind(upsert));
  await write(tx, firstSignIn({ at, userId }));
}

function authenticationData({ amr, clientAddress, userAgentName, now, expiresAt }: NewSession) {
  return { authTime: now, amr, lastSeenAt: now, expiresAt, clientAddress, userAgentName };
}

/** How long a browser may take to the provider of an ended session, in milliseconds. */
const KEPT_FOR_PROVIDER = 30 * 60_000;

/**
 * Ends a session, revokes its grants (`offline`: which of those with refresh tokens), and makes its logout
 * notifications due.
 */
export async function endSessionRow(tx: Transaction, id: string, now: number, offline: EndingOffline): Promise<void> {
  const end = tables.updateTable("Session").set({ endedAt: now }).where("id", "=", id).where("endedAt", "is", null);
  await write(tx, bind(end));
  await expireProviderSession(tx, id, now + KEPT_FOR_PROVIDER);
  await revokeGrantsOfSession(tx, id, now, offline);
  await dueLogoutNotifications(tx, id, now);
}

const sessionInUse = statement(($: Params<{ id: string; now: number; idleSince: number }>) =>
  anySession
    .where("id", "=", $("id"))
    .where("endedAt", "is", null)
    .where("expiresAt", ">", $("now"))
    .where("lastSeenAt", ">", $("idleSince")),
);

/** Returns whether a session has not ended, expired or become idle. Times are those of `listValidSessions`. */
export async function isSessionValid(db: Database, id: string, now: number, idleSince: number): Promise<boolean> {
  return (await db.one(sessionInUse({ id, now, idleSince }))) !== undefined;
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

const sessionsOfUser = statement(($: Params<{ userId: string; now: number; idleSince: number }>) =>
  tables
    .selectFrom("Session as s")
    .innerJoin("User as u", "u.id", "s.userId")
    .select(["s.id", "s.userId", "u.organizationId", "s.clientAddress", "s.userAgentName", "s.lastSeenAt"])
    .where("s.userId", "=", $("userId"))
    .where("s.endedAt", "is", null)
    .where("s.expiresAt", ">", $("now"))
    .where("s.lastSeenAt", ">", $("idleSince"))
    .whereRef("s.authTime", ">=", "u.validFrom")
    .orderBy("s.lastSeenAt", "desc")
    .orderBy("s.id"),
);

/** Returns the sessions of a user, most recently used first, under the conditions of `listValidSessions`. */
export function listSessionsOfUser(
  db: Database,
  userId: string,
  now: number,
  idleSince: number,
): Promise<PersonSessionRow[]> {
  return db.all(sessionsOfUser({ userId, now, idleSince }));
}
