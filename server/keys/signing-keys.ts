/**
 * The keys that sign tokens (RFC 7517, RFC 7518). For each algorithm one key signs and one waits. The waiting key is
 * already published, so that clients that cache the key set know it before they see the first token signed with it.
 * Superseded keys remain published until their last token has expired.
 */
import type { Context } from "../context";
import { type SigningAlgorithm, signingAlgorithms } from "../protocol/client";
import { isUnavailable } from "../storage/engine/unavailable";
import { insertFirstSigningKeys, type SigningKeyRow } from "../storage/key/signing-keys";
import { forget, latestRing, makeKey, type PublicKey, ring, type SigningKey } from "./key-ring";

export { KEY_SET_CACHE_TIME } from "./key-ring";

export interface KeyState {
  kid: string;
  algorithm: string;
  state: "next" | "active" | "retired";
  createdAt: number;
  activeFrom: number | null;
  removeAt: number | null;
}

/** Comparator that puts the key that was activated last first. */
export const newestFirst = (a: SigningKeyRow, b: SigningKeyRow) => (b.activeFrom ?? 0) - (a.activeFrom ?? 0);

/**
 * Returns the key that signs now. If none is due, because the clock was ahead when the first one was created, the first
 * one signs: there is no earlier one that caches of the key set could prefer.
 */
function signingRow(rows: readonly SigningKeyRow[], algorithm: string, now: number): SigningKeyRow | undefined {
  const activated = rows.filter((row) => row.algorithm === algorithm && row.activeFrom !== null).sort(newestFirst);
  return activated.find(({ activeFrom }) => (activeFrom ?? 0) <= now) ?? activated.at(-1);
}

/**
 * Creates the signing and the waiting key of every algorithm that has none. Safe to call in several processes at once.
 * All are created at start, so that an app that switches to another algorithm gets a key that caches already know.
 */
export async function ensureSigningKeys(ctx: Context, instanceId: string): Promise<void> {
  const { rows } = await ring(ctx, 0);
  for (const algorithm of signingAlgorithms) {
    if (rows.some((row) => row.algorithm === algorithm)) continue;
    const first = [await makeKey(ctx, algorithm, ctx.clock()), await makeKey(ctx, algorithm, null)];
    await insertFirstSigningKeys(ctx.db, instanceId, first);
    forget(ctx);
  }
  await signingKey(ctx);
}

/**
 * Returns the key of the algorithm that signs now.
 * @throws if no such key exists, or if SECRET_KEY is not the one the keys were sealed with
 */
export async function signingKey(ctx: Context, algorithm: SigningAlgorithm = "RS256"): Promise<SigningKey> {
  const { rows, keys } = await ring(ctx);
  const row = signingRow(rows, algorithm, ctx.clock());
  const key = row && keys.get(row.id);
  if (!key) throw new Error(`no ${algorithm} signing key`);
  return key;
}

/**
 * Returns the public keys for the key set: those that sign, wait or are superseded. While the database is unavailable,
 * it returns the last copy for as long as clients may cache the key set: the keys cannot be changed meanwhile, and
 * applications that verify tokens themselves can continue.
 */
export async function publicKeys(ctx: Context): Promise<readonly PublicKey[]> {
  try {
    return (await ring(ctx)).publicKeys;
  } catch (error) {
    const latest = isUnavailable(error) ? latestRing(ctx) : undefined;
    if (!latest) throw error;
    ctx.log.warn({ err: error }, "the key set could not look up the keys");
    return latest.publicKeys;
  }
}

/**
 * Returns the public key with this id. An unknown id is looked up in the database again, as another process may just
 * have published it.
 */
export async function publicKey(ctx: Context, kid: string): Promise<PublicKey | undefined> {
  const known = (await ring(ctx)).publicKeys.find((key) => key.kid === kid);
  if (known) return known;
  return (await ring(ctx, 1_000)).publicKeys.find((key) => key.kid === kid);
}

/** Returns all published keys and the state of each, oldest first. */
export async function listSigningKeys(ctx: Context): Promise<KeyState[]> {
  const { rows } = await ring(ctx, 0);
  const now = ctx.clock();
  return rows.map((row) => ({
    kid: row.id,
    algorithm: row.algorithm,
    state:
      row.activeFrom === null || row.activeFrom > now
        ? "next"
        : row === signingRow(rows, row.algorithm, now)
          ? "active"
          : "retired",
    createdAt: row.createdAt,
    activeFrom: row.activeFrom,
    removeAt: row.removeAt,
  }));
}
