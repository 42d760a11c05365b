/**
 * Rows of secrets that work once. Whether one still works is decided by the statement that uses it up, never by a read
 * before it: of two who bring the same secret at once, one gets it.
 */
import type { Database, Transaction } from "./database";

export type TokenPurpose = "setup" | "password_reset" | "email_verification";

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

/** Whether the secret would still work at `now`; for showing a form, never for letting it through. */
export async function isOneTimeTokenOpen(
  db: Database,
  digest: string,
  purpose: TokenPurpose,
  now: number,
): Promise<boolean> {
  const row = await db.one(
    `SELECT 1 AS "open" FROM "OneTimeToken"
      WHERE "digest" = $1 AND "purpose" = $2 AND "consumedAt" IS NULL AND "expiresAt" > $3`,
    [digest, purpose, new Date(now)],
  );
  return row !== undefined;
}

/** Uses the secret up; at most one caller ever gets true. */
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

/** Makes every open secret of a purpose worthless. */
export async function voidOneTimeTokens(tx: Transaction, purpose: TokenPurpose, now: number): Promise<void> {
  await tx.oneTimeToken.updateMany({ where: { purpose, consumedAt: null }, data: { consumedAt: new Date(now) } });
}
