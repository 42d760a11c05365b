/**
 * Rotation of the keys that sign tokens: regularly, when a key has signed for long enough, and on request of an
 * administrator (request-rotation.ts). A superseded key remains published until the last token it signed has expired.
 */
import { parseDuration } from "../config/value-parsers";
import type { Context } from "../context";
import { asSystem, type OriginContext, recordIn } from "../events/record";
import { type SigningAlgorithm, signingAlgorithms } from "../protocol/client";
import { listAppSettings } from "../storage/app/app";
import { findInstanceRow, lockInstanceRow } from "../storage/instance/instance";
import {
  deleteRemovedSigningKeys,
  insertSigningKey,
  readSigningKeys,
  retireSigningKeys,
  type SigningKeyRow,
  startSigningKey,
} from "../storage/key/signing-keys";
import { changeKeys, forget, makeKey, PUBLISHED_AHEAD, ring } from "./key-ring";
import { newestFirst } from "./signing-keys";

/** How long a key signs before the waiting one replaces it: 90 days, in milliseconds. */
export const KEY_LIFETIME = 90 * 86_400_000;

/** A key and the time from which it signs, in epoch milliseconds. */
export interface SigningTurn {
  kid: string;
  activeFrom: number;
}

/**
 * Chooses which of an algorithm's keys, given oldest first, signs next: an id, or undefined for the one that has waited
 * longest. Any other result is returned to the caller, and nothing changes.
 */
export type SuccessorChoice<Answer> = (
  rows: readonly SigningKeyRow[],
  now: number,
) => { follows: string | undefined } | Answer;

/**
 * Rotates the keys: a waiting key signs as soon as every cache of the key set can know it, and a new key waits. The
 * superseded key remains published until the last token it signed has expired.
 * @param choose called before the new key is created, as that takes long, and again under the lock of the instance
 * @returns the key that signs next, or the result of `choose`
 */
export async function rotateSigningKey<Answer = never>(
  ctx: OriginContext,
  algorithm: SigningAlgorithm = "RS256",
  choose: SuccessorChoice<Answer> = () => ({ follows: undefined }),
): Promise<SigningTurn | Answer> {
  const known = (await ring(ctx, 0)).rows.filter((row) => row.algorithm === algorithm);
  const asked = choose(known, ctx.clock());
  if (!isChoice(asked)) return asked;
  const following = await makeKey(ctx, algorithm, null);
  const outcome = await changeKeys(ctx, () =>
    ctx.db.transaction(async (tx) => {
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
      const change = { type: "instance.signing_key.rotated", object: { id, organizationId: id } } as const;
      await recordIn({ ...ctx, tx }, { ...change, state: async () => ({ payload }) });
      return { kid: next.id, activeFrom };
    }),
  );
  await retireBefore(ctx, newestRow((await ring(ctx)).rows, algorithm));
  return outcome;
}

const isChoice = (answer: unknown): answer is { follows: string | undefined } =>
  typeof answer === "object" && answer !== null && "follows" in answer;

/** Returns the key of the algorithm that was activated last. It may be due only in the future. */
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
 * Returns the longest token lifetime of the configuration, of all values ever set at run time and of every app's
 * settings, plus an hour for clock differences, in milliseconds.
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

/** Returns when the service will rotate a key by itself; undefined if no key signs. */
export async function nextKeyRotation(ctx: Context): Promise<number | undefined> {
  const { rows } = await ring(ctx);
  const starts = signingAlgorithms.flatMap((algorithm) => newestRow(rows, algorithm)?.activeFrom ?? []);
  return starts.length === 0 ? undefined : Math.min(...starts) + KEY_LIFETIME;
}

/** Rotates old keys and removes those whose last token has expired. To be called regularly. */
export async function maintainSigningKeys(ctx: Context): Promise<void> {
  const now = ctx.clock();
  for (const algorithm of signingAlgorithms) {
    const { rows } = await ring(ctx, 0);
    const isOld = (newest: SigningKeyRow | undefined) => now - (newest?.activeFrom ?? now) >= KEY_LIFETIME;
    if (isOld(newestRow(rows, algorithm))) {
      // If several processes find it old, one rotates.
      await rotateSigningKey(asSystem(ctx), algorithm, (current) =>
        isOld(newestRow(current, algorithm)) ? { follows: undefined } : undefined,
      );
    }
    // Repeated, as a process may have died between activating the new key and retiring the old one.
    else await retireBefore(ctx, newestRow(rows, algorithm));
  }
  if ((await deleteRemovedSigningKeys(ctx.db, now)) > 0) forget(ctx);
}
