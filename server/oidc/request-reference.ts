/**
 * Request objects by reference (rule AUTHORIZE-16, RFC 9101 §5.2.2, OIDC Core §6.2): `request_uri` is an address at
 * which the client publishes its request object. Only addresses that the app has registered are fetched, compared
 * character by character, and with the rules of net/guarded-fetch. Attacks (RFC 9101 §10.4): requests to our own
 * network, an endless or slow response, and a flood of authorization requests that uses this service against the
 * client's host.
 */
import { createQueue, QueueFull } from "../concurrency/queue";
import { isLoopback } from "../config/value-parsers";
import type { Context } from "../context";
import { callFor } from "../directory/app/client-documents";
import type { Client } from "../protocol/client";
import { cacheLifetime } from "../protocol/client-document";
import { MAX_LENGTHS } from "../protocol/lengths";
import { invalidRequestUri, type OAuthError } from "../protocol/oauth-error";
import { checkBackChannelUri, fetchedAddress, mayUseLoopback } from "../protocol/public-address";
import { sentenceOf } from "../protocol/reason";

/** The longest time that a request object is kept, whatever its headers say, in milliseconds. */
const LONGEST = 10 * 60_000;
/** How long an address that could not be read is not asked again, in milliseconds. */
const PAUSE = 5_000;
/** How many addresses are remembered. */
const MAX_ADDRESSES = 1_000;

interface Fetched {
  object: string | OAuthError;
  until: number;
}

interface Objects {
  known: Map<string, Fetched>;
  asking: Map<string, Promise<string | OAuthError>>;
}

const objectsOf = new WeakMap<Context["db"], Objects>();
/** Hosts take turns, so that a slow one does not delay the requests of others. */
const fetching = createQueue({ atOnce: () => 8, longest: () => 64, refuse: () => new QueueFull() });

/** Returns the request object at an address that the client has registered. Concurrent callers share one fetch. */
export async function fetchRequestObject(ctx: Context, client: Client, uri: string): Promise<string | OAuthError> {
  const objects = objectsOf.get(ctx.db) ?? { known: new Map(), asking: new Map() };
  objectsOf.set(ctx.db, objects);
  const { known, asking } = objects;
  const entry = known.get(uri);
  if (entry && ctx.clock() < entry.until) return entry.object;
  const fetched = asking.get(uri) ?? read(ctx, client, uri, known).finally(() => asking.delete(uri));
  asking.set(uri, fetched);
  return fetched;
}

async function read(ctx: Context, client: Client, uri: string, known: Objects["known"]): Promise<string | OAuthError> {
  const rules = { devMode: mayUseLoopback(client), onLoopback: isLoopback(ctx.config.baseUrl) };
  const address = fetchedAddress(uri);
  const refused = checkBackChannelUri(address, rules);
  if (refused !== undefined) return invalidRequestUri(`request_uri ${sentenceOf(refused)}`);
  const accept = "application/oauth-authz-req+jwt, application/jwt";
  const { devMode } = rules;
  const call = () => callFor(ctx, address, { largest: MAX_LENGTHS.assertion, accept, devMode });
  const answer = await fetching
    .run(call, undefined, new URL(address).host)
    .catch(() => ({ error: "too many are being fetched" }));
  const now = ctx.clock();
  const isRead = "text" in answer;
  if (!isRead) ctx.log.info({ clientId: client.clientId, reason: answer.error }, "request object not read");
  // What a stranger may learn: not whether a name or an address exists in our network.
  const object = isRead ? answer.text.trim() : invalidRequestUri("the request object at request_uri could not be read");
  const until = now + (isRead ? Math.min(LONGEST, cacheLifetime(answer.headers, now)) : PAUSE);
  known.delete(uri);
  if (known.size >= MAX_ADDRESSES) known.delete(known.keys().next().value ?? "");
  known.set(uri, { object, until });
  return object;
}
