/**
 * Keys that a client or a machine publishes itself (OpenID Connect Dynamic Client Registration §2, jwks_uri), so that it
 * can change them without telling us. Attacks: an address inside our network (server-side request forgery), an answer
 * that never ends, and assertions with invented key ids that make us ask again and again. Hence every address passes the
 * rules of net/get-text, is asked at most once in a while, and only where the client is registered for such a proof.
 */
import { createLocalJWKSet, type FlattenedJWSInput, type JSONWebKeySet, type JWSHeaderParameters } from "jose";
import { isLoopback } from "../config-values";
import type { Context } from "../context";
import { checkJwk } from "../directory/public-key";
import { type GetOptions, getText } from "../net/get-text";
import { systemResolver } from "../net/name-resolver";
import { checkBackChannelUri, isLoopbackUri, isPublicAddress } from "../protocol/public-address";
import { sentenceOf } from "../protocol/reason";
import { type KeySet, KeysNotRead, keySetOf } from "./assertions";

/** Milliseconds for which fetched keys are used without asking again. */
const FRESH = 10 * 60_000;
/** Milliseconds for which they are still used where asking again fails. */
const MAX_AGE = 3_600_000;
/** Milliseconds between two requests to one address, however many unknown key ids come. */
const PAUSE = 30_000;
/** Bytes of an answer. */
const MAX_BYTES = 64 * 1024;
/** Keys of an answer; those after them are not read. */
const MAX_KEYS = 50;
/** Addresses that are remembered; beyond them the one asked longest ago is forgotten. */
const MAX_ADDRESSES = 1_000;

export interface Publisher {
  jwksUri: string | undefined;
  /** Registered keys, which are tried first. */
  jwks: { keys: readonly Record<string, unknown>[] } | null;
  /** Whether a loopback address is meant, where the service itself is on loopback. */
  devMode: boolean;
}

/** How addresses are reached; tests on this machine set it. */
export type Reaching = Partial<Pick<GetOptions, "resolver" | "isPermitted" | "ca">>;

interface Published {
  askedAt: number;
  /** Undefined until an answer was usable. */
  known: { keys: KeySet; readAt: number } | undefined;
  /** Whether the latest answer was none, or not usable. */
  hasFailed: boolean;
  /** The request that is under way. */
  asking: Promise<void> | undefined;
}

interface Source {
  address: string;
  devMode: boolean;
  reaching: Reaching;
}

const published = new WeakMap<Context["db"], Map<string, Published>>();

/** The keys of a client: the registered ones, then those at its address. Nothing is fetched before a key is needed. */
export function keysOf(ctx: Context, { jwks, jwksUri, devMode }: Publisher, reaching: Reaching = {}): KeySet {
  const registered = keySetOf(jwks ?? NO_KEYS);
  if (jwksUri === undefined) return registered;
  const source = { address: jwksUri, devMode, reaching };
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

const NO_KEYS = { keys: [] };
const NONE = createLocalJWKSet({ keys: [] });

/** What can be used now: nothing that was read too long ago. */
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

/** Asks the address unless that was done a moment ago; callers at the same time share one request. */
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

async function read(ctx: Context, entry: Published, { address, devMode, reaching }: Source): Promise<void> {
  const onLoopback = isLoopback(ctx.config.baseUrl);
  const refused = checkBackChannelUri(address, { devMode, onLoopback });
  const isPermitted = isLoopbackUri(address) ? () => true : isPublicAddress;
  const answer =
    refused === undefined
      ? await getText(new URL(address), {
          resolver: systemResolver,
          isPermitted,
          accept: "application/jwk-set+json, application/json",
          largest: MAX_BYTES,
          ...reaching,
        })
      : { error: `the address ${sentenceOf(refused)}` };
  const keys = "text" in answer ? keysIn(answer.text) : undefined;
  entry.hasFailed = keys === undefined;
  if (keys) entry.known = { keys, readAt: ctx.clock() };
  else
    ctx.log.warn({ jwksUri: address, reason: "error" in answer ? answer.error : "it is no key set" }, "keys not read");
}

/** The public keys of a document that are strong enough to trust; undefined if it is no key set (RFC 7517 §5). */
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
