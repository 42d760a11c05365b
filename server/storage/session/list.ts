/** Active sessions for administrators: of all users, of an organization or of a user, newest first. */
import type { Database } from "../database";
import type { TimeWanted } from "../listing";
import { type Filter, isOneOf, rowList } from "../pages";
import { columnsIn, type Params, statement, tables } from "../statement";

/** Times are epoch milliseconds. */
export interface ShownSession {
  id: string;
  userId: string;
  loginName: string;
  displayName: string;
  organizationId: string;
  authTime: number;
  /** Space-delimited RFC 8176 values. */
  amr: string;
  createdAt: number;
  lastSeenAt: number;
  expiresAt: number;
  clientAddress: string | null;
  userAgentName: string | null;
  fingerprintId: string | null;
  /** JSON. */
  clientData: string | null;
  /** That of the user, whose events include those of the session. */
  sequence: number;
}

/** All given conditions must be met. */
export interface SessionConditions {
  id?: string;
  ids?: readonly string[];
  userId?: string;
  organizationId?: string;
  creatorId?: string;
  fingerprintId?: string;
  time?: TimeWanted & { column: "createdAt" | "expiresAt" };
}

/** The tables of the conditions: `s` is the session, `u` its user. */
const eb = columnsIn<{ s: "Session"; u: "User" }>();

const select = (where: Filter) =>
  tables
    .selectFrom("Session as s")
    .innerJoin("User as u", "u.id", "s.userId")
    .innerJoin("Aggregate as a", (on) => on.onRef("a.id", "=", "u.id").on("a.type", "=", "user"))
    .select([
      "s.id",
      "s.userId",
      "u.organizationId",
      "a.sequence",
      "s.authTime",
      "s.amr",
      "s.createdAt",
      "s.lastSeenAt",
    ])
    .select(["s.expiresAt", "s.clientAddress", "s.userAgentName", "s.fingerprintId", "s.clientData"])
    .select((of) => [
      of
        .case()
        .when("u.userName", "like", "%@%")
        .then(of.ref("u.userName"))
        .else(of.ref("u.loginNameKey"))
        .end()
        .as("loginName"),
      of.fn.coalesce("u.displayName", "u.userName").as("displayName"),
    ])
    .where(eb.and(where));

/**
 * Returns the conditions of `listValidSessions`.
 * @param idleSince sessions last seen before this time have expired
 */
export function activeSessions(now: number, idleSince: number): Filter {
  return [
    eb("s.endedAt", "is", null),
    eb("s.expiresAt", ">", now),
    eb("s.lastSeenAt", ">", idleSince),
    eb("s.authTime", ">=", eb.ref("u.validFrom")),
    eb("u.state", "=", "active"),
  ];
}

export function matchSessions(where: Filter, wanted: SessionConditions): void {
  if (wanted.id !== undefined) where.push(eb("s.id", "=", wanted.id));
  if (wanted.userId !== undefined) where.push(eb("s.userId", "=", wanted.userId));
  if (wanted.organizationId !== undefined) where.push(eb("u.organizationId", "=", wanted.organizationId));
  if (wanted.ids !== undefined) where.push(isOneOf(eb.ref("s.id"), wanted.ids));
  if (wanted.creatorId !== undefined) where.push(eb("s.creatorId", "=", wanted.creatorId));
  if (wanted.fingerprintId !== undefined) where.push(eb("s.fingerprintId", "=", wanted.fingerprintId));
  if (wanted.time !== undefined) where.push(eb(`s.${wanted.time.column}`, wanted.time.sign, wanted.time.at));
}

/** Sessions, newest first: an id begins with the time of the sign-in. */
export const sessionList = rowList(select, { sort: "s.id", unique: "s.userId", isDescending: true });

const userOf = statement(($: Params<{ id: string }>) =>
  tables.selectFrom("Session").select("userId").where("id", "=", $("id")),
);

/** Returns the user of a session, even if it has ended. */
export async function findSessionUser(db: Database, id: string): Promise<string | undefined> {
  return (await db.one(userOf({ id })))?.userId;
}

const organizationOf = statement(($: Params<{ id: string }>) =>
  tables
    .selectFrom("Session as s")
    .innerJoin("User as u", "u.id", "s.userId")
    .select("u.organizationId")
    .where("s.id", "=", $("id")),
);

/** Returns the organization of a session's user, even if the session has ended. */
export async function findSessionOwner(db: Database, id: string): Promise<string | undefined> {
  return (await db.one(organizationOf({ id })))?.organizationId;
}
