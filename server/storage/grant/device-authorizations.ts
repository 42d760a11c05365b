/**
 * Rows of device authorizations (RFC 8628). Each step is one conditional statement: only one session can claim a code,
 * a code is answered once, and an approval is redeemed once.
 */

import type { Database } from "../database";
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
  await db.commit({
    inserts: [
      {
        table: "DeviceAuthorization",
        row: {
          ...row,
          createdAt: new Date(row.createdAt),
          expiresAt: new Date(row.expiresAt),
          nextPollAt: new Date(row.nextPollAt),
          deniedAt: null,
          consumedAt: null,
        },
      },
    ],
  });
}

const COLUMNS = `"id", "userCodeDigest", "clientId", "scope", "createdAt", "expiresAt", "nextPollAt", "interval",
       "sessionId", "deniedAt", "grantId", "consumedAt", "address", "device"`;

export function findDeviceAuthorization(db: Database, id: string): Promise<DeviceAuthorizationRow | undefined> {
  return db.one(`SELECT ${COLUMNS} FROM "DeviceAuthorization" WHERE "id" = $1`, [id]);
}

/** Returns the device authorization with this user code if it is still waiting for an answer. */
export function findWaitingDevice(
  db: Database,
  userCodeDigest: string,
  now: number,
): Promise<DeviceAuthorizationRow | undefined> {
  return db.one(
    `SELECT ${COLUMNS} FROM "DeviceAuthorization"
      WHERE "userCodeDigest" = $1 AND "expiresAt" > $2 AND "deniedAt" IS NULL AND "grantId" IS NULL`,
    [userCodeDigest, new Date(now)],
  );
}

/** Binds the code to the first session that opens it. Returns true for that session until the code is answered. */
export async function claimDevice(db: Database, id: string, sessionId: string, now: number): Promise<boolean> {
  const changed = await db.run(
    `UPDATE "DeviceAuthorization" SET "sessionId" = $1
      WHERE "id" = $2 AND ("sessionId" IS NULL OR "sessionId" = $1)
        AND "deniedAt" IS NULL AND "grantId" IS NULL AND "expiresAt" > $3`,
    [sessionId, id, new Date(now)],
  );
  return changed === 1;
}

/** Stores the approval. Returns false if another session claimed the code, or if it was answered or has expired. */
export function allowDevice(
  db: Database,
  id: string,
  sessionId: string,
  grant: GrantRow,
  now: number,
): Promise<boolean> {
  return db.commit({
    guard: {
      sql: `UPDATE "DeviceAuthorization" SET "grantId" = $1
             WHERE "id" = $2 AND "sessionId" = $3 AND "deniedAt" IS NULL AND "grantId" IS NULL AND "expiresAt" > $4`,
      values: [grant.id, id, sessionId, new Date(now)],
    },
    inserts: [grantInsert(grant)],
  });
}

/** Stores the denial. Returns false in the same cases as `allowDevice`. */
export async function denyDevice(db: Database, id: string, sessionId: string, now: number): Promise<boolean> {
  const changed = await db.run(
    `UPDATE "DeviceAuthorization" SET "deniedAt" = $1
      WHERE "id" = $2 AND "sessionId" = $3 AND "deniedAt" IS NULL AND "grantId" IS NULL AND "expiresAt" > $1`,
    [new Date(now), id, sessionId],
  );
  return changed === 1;
}

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
  const inTime = await db.run(
    `UPDATE "DeviceAuthorization" SET "nextPollAt" = $1 WHERE "id" = $2 AND "nextPollAt" <= $3`,
    [new Date(now + interval * 1000), id, new Date(now)],
  );
  if (inTime === 1) return true;
  const longer = interval + penalty;
  await db.run(`UPDATE "DeviceAuthorization" SET "interval" = $1, "nextPollAt" = $2 WHERE "id" = $3`, [
    longer,
    new Date(now + longer * 1000),
    id,
  ]);
  return false;
}

/** Redeems the approval. Returns true for at most one poll. */
export function redeemDevice(db: Database, id: string, now: number, accessToken: AccessTokenRow): Promise<boolean> {
  return db.commit({
    guard: {
      sql: `UPDATE "DeviceAuthorization" SET "consumedAt" = $1
             WHERE "id" = $2 AND "grantId" IS NOT NULL AND "consumedAt" IS NULL AND "expiresAt" > $1`,
      values: [new Date(now), id],
    },
    inserts: [accessTokenInsert(accessToken)],
  });
}
