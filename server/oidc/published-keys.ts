/**
 * Keys that a client or a machine publishes itself (OpenID Connect Dynamic Client Registration §2, jwks_uri), so that
 * it can change them without updating its registration. Attacks: a URL inside our network (server-side request
 * forgery), an endless response, and assertions with invented key ids that cause repeated requests. Every URL must
 * therefore pass the rules of net/guarded-fetch and is requested at most once per interval, and only if the client is
 * registered for such a proof.
 */
import { createPublicKey, type JsonWebKey, type KeyObject } from "node:crypto";
import { createLocalJWKSet, type FlattenedJWSInput, type JSONWebKeySet, type JWSHeaderParameters } from "jose";
import type { Context } from "../context";
import { callFor } from "../directory/app/client-documents";
import { checkJwk } from "../directory/public-key";
import type { ClientOrigin } from "../protocol/client";
import { mayUseLoopback } from "../protocol/public-address";
import { type KeySet, KeysNotRead, keySetOf } from "./assertions";

/** How long fetched keys are used before they are fetched again, in milliseconds. */
const FRESH = 10 * 60_000;
/** How long they are used if fetching them again fails, in milliseconds. */
const MAX_AGE = 3_600_000;
/** The minimum interval between two requests to one URL, for any number of unknown key ids, in milliseconds. */
const PAUSE = 30_000;
/** The maximum size of a response in bytes. */
const MAX_BYTES = 64 * 1024;
/** The maximum number of keys in a response; further ones are ignored. */
const MAX_KEYS = 50;
/** How many URLs are remembered; beyond that, the least recently used one is dropped. */
const MAX_ADDRESSES = 1_000;

export interface Publisher {
  jwksUri: string | undefined;
  /** Registered keys, which are tried first. */
  jwks: { keys: readonly Record<string, unknown>[] } | null;
  /** Whether a loopback address is permitted, if the service itself is on loopback. */
  devMode: boolean;
  /** Undefined for a machine. */
  origin?: ClientOrigin;
}

interface Published {
  askedAt: number;
  /** Undefined until a response was usable. */
  known: { keys: KeySet; readAt: number } | undefined;
  /** Whether the latest request failed or its response was not usable. */
  hasFailed: boolean;
  /** The pending request. */
  asking: Promise<void> | undefined;
}

interface Source {
  address: string;
  devMode: boolean;
}

const published = new WeakMap<Context["db"], Map<string, Published>>();

/**
 * Returns the keys of a client: the registered ones, then those at its URL. Nothing is fetched before a key is needed.
 */
export function keysOf(ctx: Context, publisher: Publisher): KeySet {
  const { jwks, jwksUri } = publisher;
  const devMode = mayUseLoopback(publisher);
  const registered = keySetOf(jwks ?? NO_KEYS);
  if (jwksUri === undefined) return registered;
  const source = { address: jwksUri, devMode };
  const find: KeySet = Object.assign(
    async (header?: JWSHeaderParameters, token?: FlattenedJWSInput) => {
      try {
        return await registered(header, token);
      } catch (error) {
        if (!isUnknownKey(error)) throw error;
      }
      const entry = entryOf(ctx, jwksUri);
      const age = ctx.clock() - (entry.known?.readAt ?? Number.NEGATIVE_INFINITY);
      if (age < 0 || age >= FRESH) await ask(ctx, entry, source);
      try {
        return await usable(ctx, entry)(header, token);
      } catch (error) {
        if (!isUnknownKey(error)) throw error;
      }
      await ask(ctx, entry, source);
      try {
        return await usable(ctx, entry)(header, token);
      } catch (error) {
        throw isUnknownKey(error) && entry.hasFailed ? new KeysNotRead() : error;
      }
    },
    { jwks: registered.jwks },
  );
  return find;
}

/** Whether a key is one of the client's: a registered one, or one at its URL (RFC 8705 §2.2.2). */
export async function publishesKey(ctx: Context, publisher: Publisher, key: KeyObject): Promise<boolean> {
  const { jwks, jwksUri } = publisher;
  if (jwks?.keys.some((jwk) => isKey(jwk, key))) return true;
  if (jwksUri === undefined) return false;
  const entry = entryOf(ctx, jwksUri);
  const isPublished = () =>
    usable(ctx, entry)
      .jwks()
      .keys.some((jwk) => isKey(jwk, key));
  const age = ctx.clock() - (entry.known?.readAt ?? Number.NEGATIVE_INFINITY);
  if (age >= 0 && age < FRESH && isPublished()) return true;
  await ask(ctx, entry, { address: jwksUri, devMode: mayUseLoopback(publisher) });
  return isPublished();
}

function isKey(jwk: object, key: KeyObject): boolean {
  try {
    return createPublicKey({ key: jwk as JsonWebKey, format: "jwk" }).equals(key);
  } catch {
    return false; // of a kind that Node does not know
  }
}

const NO_KEYS = { keys: [] };
const NONE = createLocalJWKSet({ keys: [] });

/** Returns the keys that may be used now, except those that were read too long ago. */
function usable(ctx: Context, { known }: Published): KeySet {
  return known && ctx.clock() - known.readAt < MAX_AGE ? known.keys : NONE;
}

const isUnknownKey = (error: unknown) => (error as { code?: string }).code === "ERR_JWKS_NO_MATCHING_KEY";

function entryOf(ctx: Context, address: string): Published {
  let entries = published.get(ctx.db);
  if (!entries) {
    entries = new Map();
    published.set(ctx.db, entries);
  }
  const entry = entries.get(address) ?? {
    askedAt: Number.NEGATIVE_INFINITY,
    known: undefined,
    hasFailed: false,
    asking: undefined,
  };
  entries.delete(address);
  if (entries.size >= MAX_ADDRESSES) entries.delete(entries.keys().next().value ?? "");
  entries.set(address, entry);
  return entry;
}

/** Fetches the URL unless that was done a moment ago; concurrent callers share one request. */
async function ask(ctx: Context, entry: Published, source: Source): Promise<void> {
  if (entry.asking) return entry.asking;
  const since = ctx.clock() - entry.askedAt;
  if (since >= 0 && since < PAUSE) return;
  entry.askedAt = ctx.clock();
  entry.asking = read(ctx, entry, source).finally(() => {
    entry.asking = undefined;
  });
  await entry.asking;
}

async function read(ctx: Context, entry: Published, { address, devMode }: Source): Promise<void> {
  const accept = "application/jwk-set+json, application/json";
  const answer = await callFor(ctx, address, { largest: MAX_BYTES, accept, devMode });
  const keys = "text" in answer ? keysIn(answer.text) : undefined;
  entry.hasFailed = keys === undefined;
  if (keys) entry.known = { keys, readAt: ctx.clock() };
  else
    ctx.log.warn({ jwksUri: address, reason: "error" in answer ? answer.error : "it is no key set" }, "keys not read");
}

/** Returns the public keys of a document that are strong enough; undefined if it is not a key set (RFC 7517 §5). */
function keysIn(text: string): KeySet | undefined {
  try {
    const { keys } = JSON.parse(text) as { keys?: unknown };
    if (!Array.isArray(keys)) return undefined;
    const usable = keys.slice(0, MAX_KEYS).filter((key) => isObject(key) && checkJwk(key) === undefined);
    return createLocalJWKSet({ keys: usable } as JSONWebKeySet);
  } catch {
    return undefined;
  }
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null;
