/** Rows and queries of the conformance suite. */
import type { Database, Insert, Unit } from "../../storage/database";

/** Opens the database under test. */
export type Open = () => Promise<Subject>;

export interface Subject {
  database: Database;
  /**
   * The view of another process: a second Database if the database supports several processes, otherwise the same one.
   */
  other: Database;
}

export const NOW = new Date("2026-03-29T01:30:00.123Z"); // does not exist in Berlin's local time: summer time begins

export const sampleOrganization = (id: string): Insert<"Organization"> => ({
  table: "Organization",
  row: { id, name: id, state: "active", createdAt: NOW },
});

export const sampleDomain = (organizationId: string, name: string, createdAt = NOW): Insert<"Domain"> => ({
  table: "Domain",
  row: { organizationId, domain: name, isVerified: true, isPrimary: false, createdAt },
});

export const sampleUser = (id: string, organizationId: string): Insert<"User"> => ({
  table: "User",
  row: {
    id,
    organizationId,
    kind: "human",
    state: "active",
    userName: id,
    loginNameKey: id,
    userNameKey: id,
    validFrom: NOW,
    createdAt: NOW,
    changedAt: NOW,
  },
});

export const sampleSession = (id: string, userId: string): Insert<"Session"> => ({
  table: "Session",
  row: {
    id,
    userId,
    userAgentDigest: "x",
    amr: "pwd",
    authTime: NOW,
    createdAt: NOW,
    lastSeenAt: NOW,
    expiresAt: NOW,
  },
});

export const grant = (id: string, userId: string, sessionId: string): Insert<"Grant"> => ({
  table: "Grant",
  row: {
    id,
    userId,
    sessionId,
    clientId: "c",
    scope: "openid",
    audience: "",
    amr: "pwd",
    authTime: NOW,
    createdAt: NOW,
    expiresAt: NOW,
  },
});

export const sampleToken = (digest: string, expiresAt = NOW): Insert<"OneTimeToken"> => ({
  table: "OneTimeToken",
  row: { digest, purpose: "setup", payload: `{"n":1}`, createdAt: NOW, expiresAt },
});

/** The guard that consumes a token: only one of several concurrent callers succeeds. */
export const consume = (digest: string): Unit["guard"] => ({
  sql: `UPDATE "OneTimeToken" SET "consumedAt" = $1 WHERE "digest" = $2 AND "consumedAt" IS NULL`,
  values: [NOW, digest],
});

/** Counts the committed rows of a table. */
export async function rowCount(db: Database, table: string): Promise<number | undefined> {
  return (await db.one<{ n: number }>(`SELECT COUNT(*) AS "n" FROM "${table}"`, []))?.n;
}
