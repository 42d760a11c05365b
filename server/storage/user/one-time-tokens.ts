/**
 * Rows of secrets that work once. The statement that consumes a secret decides whether it is valid, not an earlier
 * read: of two concurrent attempts with the same secret only one succeeds.
 */
import type { Database, Transaction } from "../database";
import { readJson } from "../json-column";
import { lockNames } from "../named-locks";

export type TokenPurpose =
  | "setup"
  | "password_reset"
  | "email_verification"
  | "phone_verification"
  | "registration"
  | "passkey_registration"
  | "second_factor"
  | "disown"
  | "app_enrolment";

export interface NewOneTimeToken {
  /** SHA-256 of the secret. */
  digest: string;
  purpose: TokenPurpose;
  subjectId: string | null;
  payload: Record<string, unknown>;
  /** Epoch milliseconds. */
  createdAt: number;
  expiresAt: number;
}

export async function insertOneTimeToken(tx: Transaction, token: NewOneTimeToken): Promise<void> {
  await tx.oneTimeToken.create({
    data: {
      ...token,
      payload: token.payload as object,
      createdAt: new Date(token.createdAt),
      expiresAt: new Date(token.expiresAt),
    },
  });
}

/** Returns whether the secret would still work at `now`; only for deciding whether to show a form. */
export async function isOneTimeTokenValid(
  tx: Transaction,
  digest: string,
  purpose: TokenPurpose,
  now: number,
): Promise<boolean> {
  const open = { digest, purpose, consumedAt: null, expiresAt: { gt: new Date(now) } };
  return (await tx.oneTimeToken.count({ where: open })) > 0;
}

export interface OneTimeTokenRow<Payload> {
  digest: string;
  purpose: TokenPurpose;
  subjectId: string | null;
  payload: Payload;
  /** Epoch milliseconds. */
  createdAt: number;
  expiresAt: number;
  consumedAt: number | null;
}

/** Returns the row of a secret, whether or not it still works; for showing a page, or before consuming it. */
export async function findOneTimeToken<Payload>(
  db: Database,
  digest: string,
): Promise<OneTimeTokenRow<Payload> | undefined> {
  const row = await db.one<OneTimeTokenRow<unknown>>(
    `SELECT "digest", "purpose", "subjectId", "payload", "createdAt", "expiresAt", "consumedAt"
       FROM "OneTimeToken" WHERE "digest" = $1`,
    [digest],
  );
  return row && { ...row, payload: readJson<Payload>(row.payload) };
}

/** Returns the latest secret for a purpose and subject, if it still works. */
export async function findValidTokenOf<Payload>(
  db: Database,
  purpose: TokenPurpose,
  subjectId: string,
  now: number,
): Promise<OneTimeTokenRow<Payload> | undefined> {
  const row = await db.one<OneTimeTokenRow<unknown>>(
    `SELECT "digest", "purpose", "subjectId", "payload", "createdAt", "expiresAt", "consumedAt" FROM "OneTimeToken"
      WHERE "purpose" = $1 AND "subjectId" = $2 AND "consumedAt" IS NULL AND "expiresAt" > $3
      ORDER BY "createdAt" DESC, "digest" LIMIT 1`,
    [purpose, subjectId, new Date(now)],
  );
  return row && { ...row, payload: readJson<Payload>(row.payload) };
}

/** Consumes the secret. Returns true for at most one caller. */
export async function consumeOneTimeToken(
  tx: Transaction,
  digest: string,
  purpose: TokenPurpose,
  now: number,
): Promise<boolean> {
  const { count } = await tx.oneTimeToken.updateMany({
    where: { digest, purpose, consumedAt: null, expiresAt: { gt: new Date(now) } },
    data: { consumedAt: new Date(now) },
  });
  return count === 1;
}

/**
 * Ends all open secrets for a purpose, of all subjects or of one. The affected users are not notified. Concurrent calls
 * for the same subject wait until the transaction ends: two that replace a secret at once would not see each other's,
 * and both secrets would work.
 * @param since only secrets created at or after this time, epoch milliseconds
 */
export async function voidOneTimeTokens(
  db: Database,
  tx: Transaction,
  purpose: TokenPurpose,
  now: number,
  subjectId?: string,
  since?: number,
): Promise<void> {
  if (subjectId !== undefined) await lockSubject(db, tx, subjectId);
  const end = new Date(now);
  const made = since === undefined ? {} : { createdAt: { gte: new Date(since) } };
  const open = { purpose, consumedAt: null, expiresAt: { gt: end }, ...made };
  await tx.oneTimeToken.updateMany({
    where: { ...open, ...(subjectId !== undefined && { subjectId }) },
    data: { expiresAt: end },
  });
}

/**
 * Locks a subject for all purposes, because some operations end several. It does not lock the row of the user:
 * consuming a secret locks the row of the secret first, and then changes the user.
 */
function lockSubject(db: Database, tx: Transaction, subjectId: string): Promise<void> {
  return lockNames(db, tx, [`one_time_tokens/${subjectId}`]);
}

/** Deletes an unused secret that was replaced by another. */
export async function deleteOneTimeToken(tx: Transaction, digest: string): Promise<void> {
  await tx.oneTimeToken.deleteMany({ where: { digest, consumedAt: null } });
}

/**
 * Deletes up to `most` expired secrets.
 * @returns the number of deleted rows
 */
export function deleteExpiredTokens(db: Database, now: number, most: number): Promise<number> {
  return db.run(
    `DELETE FROM "OneTimeToken" WHERE "digest" IN
       (SELECT "digest" FROM "OneTimeToken" WHERE "expiresAt" <= $1 LIMIT ${most})`,
    [new Date(now)],
  );
}
