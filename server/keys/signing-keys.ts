/**
 * The keys that sign tokens (RFC 7517, RFC 7518). One key signs, one waits, already published, so that whoever caches
 * the key set knows it before the first token shows up; superseded keys stay published until their last token expired.
 * Private parts are sealed at rest: a stolen database signs nothing.
 */
import { exportJWK, generateKeyPair, importJWK, type JWK } from "jose";
import { parseDuration } from "../config-values";
import type { Context } from "../context";
import { newId } from "../crypto/random";
import { type SigningAlgorithm, signingAlgorithms } from "../protocol/client";
import { listAppSettings } from "../storage/apps";
import {
  activateSigningKey,
  deleteRemovedSigningKeys,
  insertFirstSigningKeys,
  listSigningKeyRows,
  retireSigningKeys,
  type SigningKeyRow,
} from "../storage/signing-keys";

/** How long whoever caches the key set may keep it, milliseconds. */
export const KEY_SET_CACHE_TIME = 5 * 60_000;
/** How long a key is published before it signs: as long as caches keep the set, and as long again for slow clocks. */
const PUBLISHED_AHEAD = 2 * KEY_SET_CACHE_TIME;
/** A key signs for 90 days, then the waiting one follows by itself. */
export const KEY_LIFETIME = 90 * 86_400_000;
/** How old the picture of the keys may be in this process, milliseconds; another process may have rotated. */
const FRESHNESS = 5_000;

export interface SigningKey {
  kid: string;
  algorithm: SigningAlgorithm;
  privateKey: CryptoKey;
}

export interface PublicKey extends JWK {
  kid: string;
}

export interface KeyState {
  kid: string;
  algorithm: string;
  state: "next" | "active" | "retired";
  createdAt: number;
  activeFrom: number | null;
  removeAt: number | null;
}

interface KeyRing {
  loadedAt: number;
  rows: SigningKeyRow[];
  keys: Map<string, SigningKey>;
  publicKeys: PublicKey[];
}

const rings = new WeakMap<Context["db"], Promise<KeyRing>>();

async function makeKey(ctx: Context, algorithm: SigningAlgorithm, activeFrom: number | null): Promise<SigningKeyRow> {
  const { publicKey, privateKey } = await generateKeyPair(algorithm, { modulusLength: 2048, extractable: true });
  const kid = newId();
  const publicJwk = { ...(await exportJWK(publicKey)), kid, use: "sig", alg: algorithm };
  return {
    id: kid,
    algorithm,
    publicJwk: JSON.stringify(publicJwk),
    sealedPrivate: ctx.secrets.seal("signing-key", JSON.stringify(await exportJWK(privateKey))),
    createdAt: ctx.clock(),
    activeFrom,
    removeAt: null,
  };
}

async function load(ctx: Context, known?: KeyRing): Promise<KeyRing> {
  const rows = await listSigningKeyRows(ctx.db, ctx.clock());
  const keys = new Map<string, SigningKey>();
  for (const row of rows) {
    const alreadyOpened = known?.keys.get(row.id);
    if (alreadyOpened) {
      keys.set(row.id, alreadyOpened);
      continue;
    }
    const opened = ctx.secrets.open("signing-key", row.sealedPrivate);
    if (opened === undefined) {
      throw new Error(`SECRET_KEY does not open signing key ${row.id}: it is not the one the database was made with`);
    }
    const algorithm = row.algorithm as SigningAlgorithm;
    const privateKey = (await importJWK(JSON.parse(opened) as JWK, algorithm)) as CryptoKey;
    keys.set(row.id, { kid: row.id, algorithm, privateKey });
  }
  // RS256 first: careless verifiers take the first key there is.
  const rank = (row: SigningKeyRow) => signingAlgorithms.indexOf(row.algorithm as SigningAlgorithm);
  const publicKeys = rows.toSorted((a, b) => rank(a) - rank(b)).map((row) => JSON.parse(row.publicJwk) as PublicKey);
  return { loadedAt: ctx.clock(), rows, keys, publicKeys };
}

async function ring(ctx: Context, atMostAge = FRESHNESS): Promise<KeyRing> {
  const loaded = rings.get(ctx.db);
  const current = await loaded;
  if (rings.get(ctx.db) !== loaded) return ring(ctx, atMostAge); // another call reads already
  const age = current ? ctx.clock() - current.loadedAt : Number.POSITIVE_INFINITY;
  if (current && age >= 0 && age <= atMostAge) return current;
  const loading = load(ctx, current);
  rings.set(ctx.db, loading);
  loading.catch(() => rings.delete(ctx.db));
  return loading;
}

/** Forgets what this process knows of the keys; the next use reads them. */
function forget(ctx: Context): void {
  rings.delete(ctx.db);
}

const newestFirst = (a: SigningKeyRow, b: SigningKeyRow) => (b.activeFrom ?? 0) - (a.activeFrom ?? 0);

function signingRow(rows: readonly SigningKeyRow[], algorithm: string, now: number): SigningKeyRow | undefined {
  return rows
    .filter((row) => row.algorithm === algorithm && row.activeFrom !== null && row.activeFrom <= now)
    .sort(newestFirst)[0];
}

/**
 * Makes the first key and the waiting one of every algorithm that has none; safe to call in several processes at once.
 * All at start, so that no app is the first to use a key that no cache knows.
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
 * The key that signs at this moment.
 * @throws when there is none, or when SECRET_KEY is not the one the keys were sealed with
 */
export async function signingKey(ctx: Context, algorithm: SigningAlgorithm = "RS256"): Promise<SigningKey> {
  const { rows, keys } = await ring(ctx);
  const row = signingRow(rows, algorithm, ctx.clock());
  const key = row && keys.get(row.id);
  if (!key) throw new Error(`no ${algorithm} signing key`);
  return key;
}

/** Public keys for the key set and for checking our own tokens: the signing one, the waiting one, the retired ones. */
export async function publicKeys(ctx: Context): Promise<readonly PublicKey[]> {
  return (await ring(ctx)).publicKeys;
}

/**
 * The public key of that id; an unknown id is looked up once more in the database, as another process may have
 * published it a moment ago.
 */
export async function publicKey(ctx: Context, kid: string): Promise<PublicKey | undefined> {
  const known = (await ring(ctx)).publicKeys.find((key) => key.kid === kid);
  if (known) return known;
  return (await ring(ctx, 1_000)).publicKeys.find((key) => key.kid === kid);
}

/**
 * Rotation on demand: the waiting key signs as soon as every cache of the key set can know it, a new one waits.
 * The superseded key stays published until the last token it signed has expired.
 * @returns the key that signs next and from when on, epoch milliseconds
 */
export async function rotateSigningKey(
  ctx: Context,
  algorithm: SigningAlgorithm = "RS256",
): Promise<{ kid: string; activeFrom: number }> {
  const { rows } = await ring(ctx, 0);
  const now = ctx.clock();
  const waiting = rows.find((row) => row.algorithm === algorithm && row.activeFrom === null);
  if (!waiting) throw new Error(`no ${algorithm} key waits`);
  const activeFrom = Math.max(now, waiting.createdAt + PUBLISHED_AHEAD);
  const following = await makeKey(ctx, algorithm, null);
  // False where another process was faster: then its keys are the new ones, and this one's is thrown away.
  await activateSigningKey(ctx.db, waiting.id, activeFrom, following);
  forget(ctx);
  const current = newestRow((await ring(ctx)).rows, algorithm);
  await retireBefore(ctx, current);
  return { kid: current?.id ?? waiting.id, activeFrom: current?.activeFrom ?? activeFrom };
}

/** The key of the algorithm that signs last of all that were told to, perhaps not yet. */
function newestRow(rows: readonly SigningKeyRow[], algorithm: string): SigningKeyRow | undefined {
  return rows.filter((row) => row.algorithm === algorithm && row.activeFrom !== null).sort(newestFirst)[0];
}

/** Lets everything older than this key go once the last token that it may have signed has expired. */
async function retireBefore(ctx: Context, newest: SigningKeyRow | undefined): Promise<void> {
  if (!newest?.activeFrom) return;
  const removeAt = newest.activeFrom + (await longestTokenLifetime(ctx));
  if ((await retireSigningKeys(ctx.db, newest.algorithm, newest.activeFrom, removeAt)) > 0) forget(ctx);
}

/** Milliseconds; of the service and of every app, with an hour for clocks that differ. */
async function longestTokenLifetime(ctx: Context): Promise<number> {
  const { accessToken, idToken } = ctx.config.lifetimes;
  const ofApps = (await listAppSettings(ctx.db)).flatMap((settings) =>
    [settings.accessTokenLifetime, settings.idTokenLifetime].map((text) =>
      typeof text === "string" ? (parseDuration(text) ?? 0) : 0,
    ),
  );
  return ofApps.reduce((longest, lifetime) => Math.max(longest, lifetime), Math.max(accessToken, idToken)) + 3_600_000;
}

/** What to do regularly: rotate by age, forget keys whose last token has expired. */
export async function maintainSigningKeys(ctx: Context): Promise<void> {
  const now = ctx.clock();
  for (const algorithm of signingAlgorithms) {
    const { rows } = await ring(ctx, 0);
    const newest = newestRow(rows, algorithm);
    if (newest && now - (newest.activeFrom ?? now) >= KEY_LIFETIME) await rotateSigningKey(ctx, algorithm);
    // Again: a process may have ended between activating the new key and retiring the old one.
    else await retireBefore(ctx, newest);
  }
  if ((await deleteRemovedSigningKeys(ctx.db, now)) > 0) forget(ctx);
}

/** All published keys and what each is for, oldest first. */
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
