/**
 * This process's copy of the signing keys. It is read again from the database when another process announces that they
 * changed, and every few seconds, because an announcement may be lost. Private keys are sealed in the database, so that
 * a stolen copy of it cannot be used to sign. Each is unsealed once per process.
 */
import { createPrivateKey, type JsonWebKey, type KeyObject } from "node:crypto";
import { exportJWK, generateKeyPair, type JWK } from "jose";
import type { Context } from "../context";
import { newId } from "../crypto/random";
import { announced, droppedFrom, readAnnounced } from "../events/announced";
import { type SigningAlgorithm, signingAlgorithms } from "../protocol/client";
import { listSigningKeyRows, type SigningKeyRow } from "../storage/key/signing-keys";

/** How long clients may cache the key set, milliseconds. */
export const KEY_SET_CACHE_TIME = 5 * 60_000;
/**
 * How long a key is published before it signs, in milliseconds: the time for which clients cache the set, and as much
 * again for slow clocks.
 */
export const PUBLISHED_AHEAD = 2 * KEY_SET_CACHE_TIME;
/** The maximum age of this process's copy of the keys, in milliseconds, if no change is announced. */
const FRESHNESS = 5_000;

export interface SigningKey {
  kid: string;
  algorithm: SigningAlgorithm;
  privateKey: KeyObject;
}

export interface PublicKey extends JWK {
  kid: string;
}

interface KeyRing {
  loadedAt: number;
  rows: SigningKeyRow[];
  keys: Map<string, SigningKey>;
  publicKeys: PublicKey[];
}

const rings = new WeakMap<Context["db"], Promise<KeyRing>>();
/** The last successful read, kept when a later read fails. */
const latest = new WeakMap<Context["db"], KeyRing>();

/** RSA keys have 2048 bits (RFC 7518 §3.3). */
export function newKeyPair(algorithm: SigningAlgorithm): Promise<CryptoKeyPair> {
  return generateKeyPair(algorithm, { modulusLength: 2048, extractable: true });
}

/** Returns a new key pair, not stored yet. */
export async function makeKey(
  ctx: Context,
  algorithm: SigningAlgorithm,
  activeFrom: number | null,
): Promise<SigningKeyRow> {
  const { publicKey, privateKey } = await (ctx.keyPair ?? newKeyPair)(algorithm);
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
    const privateKey = createPrivateKey({ key: JSON.parse(opened) as JsonWebKey, format: "jwk" });
    keys.set(row.id, { kid: row.id, algorithm, privateKey });
  }
  // RS256 first: careless clients use the first key of the set, regardless of its algorithm.
  const rank = (row: SigningKeyRow) => signingAlgorithms.indexOf(row.algorithm as SigningAlgorithm);
  const publicKeys = rows.toSorted((a, b) => rank(a) - rank(b)).map((row) => JSON.parse(row.publicJwk) as PublicKey);
  return { loadedAt: ctx.clock(), rows, keys, publicKeys };
}

/** Returns the copy that was read last, if it is no older than the key set in the caches of clients may be. */
export function latestRing(ctx: Context): KeyRing | undefined {
  const last = latest.get(ctx.db);
  return last && isFresh(ctx, last, KEY_SET_CACHE_TIME) ? last : undefined;
}

/** Whether the copy is recent enough. A negative age means that the clock was set back. */
function isFresh(ctx: Context, { loadedAt }: KeyRing, atMostAge: number): boolean {
  const age = ctx.clock() - loadedAt;
  return age >= 0 && age <= atMostAge;
}

/**
 * Returns the keys, reading them from the database if the copy is too old.
 * @param atMostAge the maximum age of the copy, in milliseconds
 */
export async function ring(ctx: Context, atMostAge = FRESHNESS): Promise<KeyRing> {
  const loaded = rings.get(ctx.db);
  const current = await loaded;
  if (rings.get(ctx.db) !== loaded) return ring(ctx, atMostAge); // another call is already reading them
  if (current && isFresh(ctx, current, atMostAge)) return current;
  const loading = load(ctx, current ?? latest.get(ctx.db));
  rings.set(ctx.db, loading);
  loading.then(
    (loaded) => {
      if (rings.get(ctx.db) === loading) latest.set(ctx.db, loaded);
    },
    () => rings.delete(ctx.db),
  );
  return loading;
}

/** Discards this process's copy of the keys. The next use reads them again. */
export function forget(ctx: Context): void {
  rings.delete(ctx.db);
  latest.delete(ctx.db);
}

/**
 * Runs `work`, which changes the keys. Afterwards this process and the others know the change, so that none signs with
 * or publishes a key that was removed because it may have leaked. If `work` fails, it is unknown what was stored: this
 * process reads the keys again, and the others do so within FRESHNESS.
 */
export async function changeKeys<T>(ctx: Context, work: () => Promise<T>): Promise<T> {
  const result = await work().finally(() => forget(ctx));
  await ctx.db.announce(announced([{ type: "instance.signing_key.rotated", aggregateId: "" }]));
  return result;
}

/**
 * Reads the keys again whenever another process announces that they changed. The last copy is kept for an outage of the
 * database, and so that no private key is unsealed twice.
 */
export function rereadWithOthers(ctx: Context): Promise<void> {
  return ctx.db.onAnnouncement((names) => {
    const changes = readAnnounced(names);
    if (!changes || droppedFrom("signingKeys", changes)) rings.delete(ctx.db);
  });
}
