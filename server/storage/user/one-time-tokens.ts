/**
 * Rows of secrets that work once. The statement that consumes a secret decides whether it is valid, not an earlier
 * read: of two concurrent attempts with the same secret only one succeeds.
 */
import type { Database, Insert, Transaction } from "../database";
import { readCount, write } from "../in-transaction";
import { lockNames } from "../named-locks";
import { bind, type Params, statement, tables } from "../statement";

export type TokenPurpose =
  | "setup"
  | "password_reset"
  | "email_verification"
  | "phone_verification"
  | "registration"
  | "passkey_registration"
  | "second_factor"
  | "disown"
  | "app_enrolment"
  | "provider_sign_in"
  | "provider_response"
  | "provider_code"
  | "provider_intent"
  | "provider_sign_out"
  | "passkey_enrolment";

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
  await write(tx, bind(tables.insertInto("OneTimeToken").values(token)));
}

/** Stores a secret on its own, which costs less than a transaction. */
export async function storeOneTimeToken(db: Database, token: NewOneTimeToken): Promise<void> {
  await db.commit({ inserts: [insertOf(token)] });
}

/** Returns the insert of a secret, for a commit with others. */
export const insertOf = (row: NewOneTimeToken): Insert<"OneTimeToken"> => ({ table: "OneTimeToken", row });

/** Returns whether the secret would still work at `now`; only for deciding whether to show a form. */
export async function isOneTimeTokenValid(
  tx: Transaction,
  digest: string,
  purpose: TokenPurpose,
  now: number,
): Promise<boolean> {
  const valid = tables
    .selectFrom("OneTimeToken")
    .where((eb) => eb.and({ digest, purpose, consumedAt: null }))
    .where("expiresAt", ">", now);
  return (await readCount(tx, valid)) > 0;
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

const tokens = tables
  .selectFrom("OneTimeToken")
  .select(["digest", "purpose", "subjectId", "payload", "createdAt", "expiresAt", "consumedAt"])
  .$castTo<OneTimeTokenRow<never>>();

const withDigest = statement(($: Params<{ digest: string }>) => tokens.where("digest", "=", $("digest")));

/** Returns the row of a secret, whether or not it still works; for showing a page, or before consuming it. */
export function findOneTimeToken<Payload>(db: Database, digest: string): Promise<OneTimeTokenRow<Payload> | undefined> {
  return db.one(withDigest({ digest }));
}

/** Returns the latest secret for a purpose and subject, if it still works. */
export function findValidTokenOf<Payload>(
  db: Database,
  purpose: TokenPurpose,
  subjectId: string,
  now: number,
): Promise<OneTimeTokenRow<Payload> | undefined> {
  const valid = tokens
    .where((eb) => eb.and({ purpose, subjectId, consumedAt: null }))
    .where("expiresAt", ">", now)
    .orderBy("createdAt", "desc")
    .orderBy("digest")
    .limit(1);
  return db.one(bind(valid));
}

/** Consumes the secret. Returns true for at most one caller. */
export async function consumeOneTimeToken(
  tx: Transaction,
  digest: string,
  purpose: TokenPurpose,
  now: number,
): Promise<boolean> {
  return (await write(tx, consumption({ digest, purpose, now }))) === 1;
}

/**
 * Consumes the secret on its own, which costs less than a transaction. Returns true for at most one caller.
 * @param next another secret that is stored with it, unless it exists
 */
export function spendOneTimeToken(
  db: Database,
  digest: string,
  purpose: TokenPurpose,
  now: number,
  next?: NewOneTimeToken,
): Promise<boolean> {
  const inserts = next ? [{ ...insertOf(next), ifMissing: true }] : [];
  return db.commit({ guard: consumption({ digest, purpose, now }), inserts });
}

const consumption = statement(($: Params<{ digest: string; purpose: TokenPurpose; now: number }>) =>
  tables
    .updateTable("OneTimeToken")
    .set({ consumedAt: $("now") })
    .where("digest", "=", $("digest"))
    .where("purpose", "=", $("purpose"))
    .where("consumedAt", "is", null)
    .where("expiresAt", ">", $("now")),
);

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
  let end = tables
    .updateTable("OneTimeToken")
    .set({ expiresAt: now })
    .where((eb) => eb.and({ purpose, consumedAt: null }))
    .where("expiresAt", ">", now);
  if (subjectId !== undefined) end = end.where("subjectId", "=", subjectId);
  if (since !== undefined) end = end.where("createdAt", ">=", since);
  await write(tx, bind(end));
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
  await write(tx, bind(tables.deleteFrom("OneTimeToken").where((eb) => eb.and({ digest, consumedAt: null }))));
}

/**
 * Deletes up to `most` expired secrets.
 * @returns the number of deleted rows
 */
export function deleteExpiredTokens(db: Database, now: number, most: number): Promise<number> {
  const expired = tables.selectFrom("OneTimeToken").select("digest").where("expiresAt", "<=", now).limit(most);
  return db.run(bind(tables.deleteFrom("OneTimeToken").where("digest", "in", expired)));
}
