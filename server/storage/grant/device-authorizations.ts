/**
 * Rows of device authorizations (RFC 8628). Each step is one conditional statement: only one session can claim a code,
 * a code is answered once, and an approval is redeemed once.
 */

import type { Database } from "../database";
import { type Params, statement, tables } from "../statement";
import type { AccessTokenRow } from "./access-tokens";
import { accessTokenInsert } from "./access-tokens";
import { type GrantRow, grantInsert } from "./grant";

/** Times are epoch milliseconds. */
export interface DeviceAuthorizationRow {
  /** SHA-256 of the device code. */
  id: string;
  userCodeDigest: string;
  clientId: string;
  scope: string;
  /** The resources that the tokens are for, space-delimited; null for the audience of the scope. */
  resources: string | null;
  createdAt: number;
  expiresAt: number;
  nextPollAt: number;
  /** Seconds. */
  interval: number;
  sessionId: string | null;
  deniedAt: number | null;
  grantId: string | null;
  consumedAt: number | null;
  /** The address from which the codes were requested; null if it is unknown or was stored by an earlier release. */
  address: string | null;
  /** The device that requested them, for instance "Chrome · Android". */
  device: string | null;
}

/** Rejects (unique constraint) if the user code is taken. */
export async function insertDeviceAuthorization(db: Database, row: DeviceAuthorizationRow): Promise<void> {
  await db.commit({ inserts: [{ table: "DeviceAuthorization", row: { ...row, deniedAt: null, consumedAt: null } }] });
}

const authorization = statement(($: Params<{ id: string }>) =>
  tables.selectFrom("DeviceAuthorization").selectAll().where("id", "=", $("id")),
);

export function findDeviceAuthorization(db: Database, id: string): Promise<DeviceAuthorizationRow | undefined> {
  return db.one(authorization({ id }));
}

const waiting = statement(($: Params<{ userCodeDigest: string; now: number }>) =>
  tables
    .selectFrom("DeviceAuthorization")
    .selectAll()
    .where("userCodeDigest", "=", $("userCodeDigest"))
    .where("expiresAt", ">", $("now"))
    .where("deniedAt", "is", null)
    .where("grantId", "is", null),
);

/** Returns the device authorization with this user code if it is still waiting for an answer. */
export function findWaitingDevice(
  db: Database,
  userCodeDigest: string,
  now: number,
): Promise<DeviceAuthorizationRow | undefined> {
  return db.one(waiting({ userCodeDigest, now }));
}

interface SessionOfDevice {
  id: string;
  sessionId: string;
  now: number;
}

/** Updates a code that is still waiting for an answer. */
const updateWaiting = ($: Params<Pick<SessionOfDevice, "id" | "now">>) =>
  tables
    .updateTable("DeviceAuthorization")
    .where("id", "=", $("id"))
    .where("deniedAt", "is", null)
    .where("grantId", "is", null)
    .where("expiresAt", ">", $("now"));

const claim = statement(($: Params<SessionOfDevice>) =>
  updateWaiting($)
    .set({ sessionId: $("sessionId") })
    .where((eb) => eb.or([eb("sessionId", "is", null), eb("sessionId", "=", $("sessionId"))])),
);

/** Binds the code to the first session that opens it. Returns true for that session until the code is answered. */
export async function claimDevice(db: Database, id: string, sessionId: string, now: number): Promise<boolean> {
  return (await db.run(claim({ id, sessionId, now }))) === 1;
}

const allow = statement(($: Params<SessionOfDevice & { grantId: string }>) =>
  updateWaiting($)
    .set({ grantId: $("grantId") })
    .where("sessionId", "=", $("sessionId")),
);

/** Stores the approval. Returns false if another session claimed the code, or if it was answered or has expired. */
export function allowDevice(
  db: Database,
  id: string,
  sessionId: string,
  grant: GrantRow,
  now: number,
): Promise<boolean> {
  return db.commit({ guard: allow({ id, sessionId, grantId: grant.id, now }), inserts: [grantInsert(grant)] });
}

const deny = statement(($: Params<SessionOfDevice>) =>
  updateWaiting($)
    .set({ deniedAt: $("now") })
    .where("sessionId", "=", $("sessionId")),
);

/** Stores the denial. Returns false in the same cases as `allowDevice`. */
export async function denyDevice(db: Database, id: string, sessionId: string, now: number): Promise<boolean> {
  return (await db.run(deny({ id, sessionId, now }))) === 1;
}

const denyUnopened = statement(($: Params<Pick<SessionOfDevice, "id" | "now">>) =>
  updateWaiting($)
    .set({ deniedAt: $("now") })
    .where("sessionId", "is", null),
);

/** Stores the denial of a code that no session has opened. Returns false if one has, and as `allowDevice`. */
export async function denyUnopenedDevice(db: Database, id: string, now: number): Promise<boolean> {
  return (await db.run(denyUnopened({ id, now }))) === 1;
}

const pollInTime = statement(($: Params<{ id: string; now: number; next: number }>) =>
  tables
    .updateTable("DeviceAuthorization")
    .set({ nextPollAt: $("next") })
    .where("id", "=", $("id"))
    .where("nextPollAt", "<=", $("now")),
);

const slowDown = statement(($: Params<{ id: string; interval: number; next: number }>) =>
  tables
    .updateTable("DeviceAuthorization")
    .set({ interval: $("interval"), nextPollAt: $("next") })
    .where("id", "=", $("id")),
);

/**
 * Counts a poll. A poll that comes too early increases the interval (RFC 8628 §3.5, slow_down).
 * @returns whether it came in time
 */
export async function countPoll(
  db: Database,
  { id, interval }: Pick<DeviceAuthorizationRow, "id" | "interval">,
  now: number,
  penalty: number,
): Promise<boolean> {
  if ((await db.run(pollInTime({ id, now, next: now + interval * 1000 }))) === 1) return true;
  const longer = interval + penalty;
  await db.run(slowDown({ id, interval: longer, next: now + longer * 1000 }));
  return false;
}

const redeem = statement(($: Params<{ id: string; now: number }>) =>
  tables
    .updateTable("DeviceAuthorization")
    .set({ consumedAt: $("now") })
    .where("id", "=", $("id"))
    .where("grantId", "is not", null)
    .where("consumedAt", "is", null)
    .where("expiresAt", ">", $("now")),
);

const bindGrant = statement(($: Params<{ grantId: string; jkt: string }>) =>
  tables
    .updateTable("Grant")
    .set({ jkt: $("jkt") })
    .where("id", "=", $("grantId")),
);

/**
 * Redeems the approval. Returns true for at most one poll.
 * @param jkt the key that the refresh tokens of its grant are bound to
 */
export function redeemDevice(
  db: Database,
  { id, grantId }: { id: string; grantId: string },
  now: number,
  accessToken: AccessTokenRow,
  jkt: string | null,
): Promise<boolean> {
  return db.commit({
    guard: redeem({ id, now }),
    inserts: [accessTokenInsert(accessToken)],
    updates: jkt === null ? [] : [bindGrant({ grantId, jkt })],
  });
}
