/**
 * The keys that sign tokens (RFC 7517, RFC 7518). Of each algorithm one key signs, and one waits, already published, so
 * that clients that cache the key set know it before they see the first token signed with it. Superseded keys stay
 * published until their last token has expired.
 */
import { parseDuration } from "../config-values";
import type { Context } from "../context";
import { type Origin, recordIn } from "../events/record";
import { type SigningAlgorithm, signingAlgorithms } from "../protocol/client";
import { listAppSettings } from "../storage/apps";
import { isUnavailable } from "../storage/engine/unavailable";
import { findInstanceRow, lockInstanceRow } from "../storage/instance";
import {
  deleteRemovedSigningKeys,
  insertFirstSigningKeys,
  insertSigningKey,
  readSigningKeys,
  retireSigningKeys,
  type SigningKeyRow,
  startSigningKey,
} from "../storage/signing-keys";
import {
  forget,
  knownRing,
  latestRing,
  makeKey,
  PUBLISHED_AHEAD,
  type PublicKey,
  ring,
  type SigningKey,
} from "./key-ring";

export { KEY_SET_CACHE_TIME } from "./key-ring";

/** How long a key signs before the waiting one replaces it: 90 days, in milliseconds. */
export const KEY_LIFETIME = 90 * 86_400_000;
export interface KeyState {
  kid: string;
  algorithm: string;
  state: "next" | "active" | "retired";
  createdAt: number;
  activeFrom: number | null;
  removeAt: number | null;
}

const newestFirst = (a: SigningKeyRow, b: SigningKeyRow) => (b.activeFrom ?? 0) - (a.activeFrom ?? 0);

/**
 * The key whose turn it is. If none is due, because the clock was ahead when the first one was made, that one signs: no
 * earlier one exists that caches of the key set could prefer.
 */
function signingRow(rows: readonly SigningKeyRow[], algorithm: string, now: number): SigningKeyRow | undefined {
  const activated = rows.filter((row) => row.algorithm === algorithm && row.activeFrom !== null).sort(newestFirst);
  return activated.find(({ activeFrom }) => (activeFrom ?? 0) <= now) ?? activated.at(-1);
}

/**
 * Makes the signing and the waiting key of every algorithm that has none; safe to call in several processes at once.
 * All are made at start, so that an app that begins to use another algorithm gets a key that caches know already.
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
 * The key of the algorithm that signs now.
 * @throws when there is none, or when SECRET_KEY is not the one the keys were sealed with
 */
export async function signingKey(ctx: Context, algorithm: SigningAlgorithm = "RS256"): Promise<SigningKey> {
  const { rows, keys } = await ring(ctx);
  const row = signingRow(rows, algorithm, ctx.clock());
  const key = row && keys.get(row.id);
  if (!key) throw new Error(`no ${algorithm} signing key`);
  return key;
}

/**
 * The public keys, for the key set: those that sign, wait or are superseded. While the database is unavailable those read
 * last, for as long as clients may keep them: nobody can change them meanwhile, and applications that verify tokens by
 * themselves need not stop.
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

/** What `publicKeys` would resolve with, where it need not read them; else undefined. */
export function knownPublicKeys(ctx: Context): readonly PublicKey[] | undefined {
  return knownRing(ctx)?.publicKeys;
}

/**
 * The public key with that id. An unknown id is looked up in the database once more, as another process may just have
 * published it.
 */
export async function publicKey(ctx: Context, kid: string): Promise<PublicKey | undefined> {
  const known = (await ring(ctx)).publicKeys.find((key) => key.kid === kid);
  if (known) return known;
  return (await ring(ctx, 1_000)).publicKeys.find((key) => key.kid === kid);
}

/** A key, and from when on it signs, epoch milliseconds. */
export interface Turn {
  kid: string;
  activeFrom: number;
}

/**
 * Which of an algorithm's keys, oldest first, signs next: an id, or undefined for the one that has waited longest.
 * Anything else is the answer to whoever asked, and nothing changes.
 */
export type Choice<Answer> = (rows: readonly SigningKeyRow[], now: number) => { follows: string | undefined } | Answer;

/**
 * Rotates: a waiting key signs as soon as every cache of the key set can know it, and a new one waits. The superseded
 * key stays published until the last token it signed has expired.
 * @param choose asked before the new key is made, as that takes long, and again where nobody else can change the keys
 * @returns the key that signs next, or what `choose` answered
 */
export async function rotateSigningKey<Answer = never>(
  ctx: Context,
  algorithm: SigningAlgorithm = "RS256",
  origin: Origin = { actor: "system" },
  choose: Choice<Answer> = () => ({ follows: undefined }),
): Promise<Turn | Answer> {
  const known = (await ring(ctx, 0)).rows.filter((row) => row.algorithm === algorithm);
  const asked = choose(known, ctx.clock());
  if (!isChoice(asked)) return asked;
  const following = await makeKey(ctx, algorithm, null);
  const changing = ctx.db.transaction(async (tx) => {
    const instance = await lockInstanceRow(ctx.db, tx);
    if (!instance) throw new Error("there is no instance");
    const now = ctx.clock();
    const rows = await readSigningKeys(tx, algorithm, now);
    const chosen = choose(rows, now);
    if (!isChoice(chosen)) return chosen;
    const { follows } = chosen;
    const waiting = rows.filter((row) => row.activeFrom === null && (follows === undefined || row.id === follows));
    const [next = following] = waiting;
    if (next === following || rows.every((row) => row === next || row.activeFrom !== null)) {
      await insertSigningKey(tx, following);
    }
    const activeFrom = Math.max(now, next.createdAt + PUBLISHED_AHEAD);
    await startSigningKey(tx, next.id, activeFrom);
    const payload = { algorithm, keyId: next.id, activeFrom: new Date(activeFrom).toISOString() };
    const { id } = instance;
    const change = { type: "instance.signing_key.rotated", aggregateId: id, resourceOwner: id, origin } as const;
    await recordIn(ctx, tx, { ...change, state: async () => ({ payload }) });
    return { kid: next.id, activeFrom };
  });
  // Also when it failed: what has been stored by then is not known.
  const outcome = await changing.finally(() => forget(ctx));
  await retireBefore(ctx, newestRow((await ring(ctx)).rows, algorithm));
  return outcome;
}

const isChoice = (answer: unknown): answer is { follows: string | undefined } =>
  typeof answer === "object" && answer !== null && "follows" in answer;

/** The key of the algorithm that was activated last; it may be due only in the future. */
function newestRow(rows: readonly SigningKeyRow[], algorithm: string): SigningKeyRow | undefined {
  return rows.filter((row) => row.algorithm === algorithm && row.activeFrom !== null).sort(newestFirst)[0];
}

/**
 * Sets the time at which all keys older than this one are removed: when the last token they may have signed has
 * expired.
 */
async function retireBefore(ctx: Context, newest: SigningKeyRow | undefined): Promise<void> {
  if (!newest?.activeFrom) return;
  const removeAt = newest.activeFrom + (await maxTokenLifetime(ctx));
  if ((await retireSigningKeys(ctx.db, newest.algorithm, newest.activeFrom, removeAt)) > 0) forget(ctx);
}

/**
 * The longest of the service's, of what was ever set at run time and of every app's settings, plus an hour for clocks
 * that differ, milliseconds.
 */
async function maxTokenLifetime(ctx: Context): Promise<number> {
  const { tokenLifetimes = {} } = (await findInstanceRow(ctx.db)) ?? {};
  const set = [tokenLifetimes.accessToken, tokenLifetimes.idToken, tokenLifetimes.longest].map((each) =>
    Number(each ?? 0),
  );
  const { accessToken, idToken } = ctx.config.lifetimes;
  const ofApps = (await listAppSettings(ctx.db)).flatMap((settings) =>
    [settings.accessTokenLifetime, settings.idTokenLifetime].map((text) =>
      typeof text === "string" ? (parseDuration(text) ?? 0) : 0,
    ),
  );
  return (
    ofApps.reduce((longest, lifetime) => Math.max(longest, lifetime), Math.max(accessToken, idToken, ...set)) +
    3_600_000
  );
}

/** To be called regularly: rotates old keys, and removes those whose last token has expired. */
export async function maintainSigningKeys(ctx: Context): Promise<void> {
  const now = ctx.clock();
  for (const algorithm of signingAlgorithms) {
    const { rows } = await ring(ctx, 0);
    const isOld = (newest: SigningKeyRow | undefined) => now - (newest?.activeFrom ?? now) >= KEY_LIFETIME;
    if (isOld(newestRow(rows, algorithm))) {
      // Of several processes that find it old, one rotates.
      await rotateSigningKey(ctx, algorithm, undefined, (current) =>
        isOld(newestRow(current, algorithm)) ? { follows: undefined } : undefined,
      );
    }
    // Repeated, as a process may have died between activating the new key and retiring the old one.
    else await retireBefore(ctx, newestRow(rows, algorithm));
  }
  if ((await deleteRemovedSigningKeys(ctx.db, now)) > 0) forget(ctx);
}

/** All published keys and the state of each, oldest first. */
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
