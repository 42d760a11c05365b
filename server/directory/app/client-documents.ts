/**
 * The metadata documents at client ids (draft-ietf-oauth-client-id-metadata-document-02), fetched when a request
 * names one and kept in memory. Anyone can make the service fetch, with any URL, so each fetch goes through
 * net/guarded-fetch: only public addresses, no redirect, a few seconds, a few kilobytes. Attacks (§8): requests to our
 * own network; a document that is huge, slow or lies about its client id; a flood of client ids that uses this service
 * to attack a host, or that pushes known documents out of the memory.
 */
import { createQueue, QueueFull } from "../../concurrency/queue";
import { isLoopback } from "../../config/value-parsers";
import type { Context } from "../../context";
import { countDocument } from "../../metrics/instruments";
import { type GuardedOptions, guardedText, type TextOutcome } from "../../net/guarded-fetch";
import { documentLifetime, FAILURE_LIFETIME, isJsonType } from "../../protocol/client-document";
import { isError } from "../../protocol/oauth-error";
import { checkBackChannelUri } from "../../protocol/public-address";
import { sentenceOf } from "../../protocol/reason";
import { type ClientMetadata, readClientMetadata } from "./client-metadata";

/** The maximum size of a document in bytes; the draft recommends 5 kB. */
const MAX_BYTES = 16 * 1024;
/** How many documents, and how many failures, are remembered; beyond that the least recently used is dropped. */
const MAX_DOCUMENTS = 1_000;
/** How long a document is used if its host does not answer, in milliseconds since it was read. */
const MAX_AGE = 24 * 3_600_000;
/** How many unknown documents of one host are fetched in a minute. */
const MAX_NEW_PER_HOST = 100;
const MINUTE = 60_000;

/** The metadata of a document, or why it cannot be used, in words that repeat nothing of it. */
export type DocumentOutcome = ClientMetadata | { problem: string };

interface Known {
  metadata: ClientMetadata;
  readAt: number;
  /** Epoch milliseconds from which it is fetched again. */
  staleAt: number;
}

interface Documents {
  known: Map<string, Known>;
  failed: Map<string, { problem: string; until: number }>;
  asking: Map<string, Promise<DocumentOutcome>>;
  /** The number of fetches of unknown documents by host, in the current minute. */
  fetches: Map<string, number>;
  minute: number;
}

const documentsOf = new WeakMap<Context["db"], Documents>();
/** Hosts take turns, so that a slow one does not delay the documents of others. */
const fetching = createQueue({ atOnce: () => 8, longest: () => 64, refuse: () => new QueueFull() });

/** How documents are fetched; set by tests on this machine. */
const reachingOf = new WeakMap<Context["db"], Pick<GuardedOptions, "ca">>();

/** For tests: the certificate with which documents are fetched. */
export function reachDocumentsBy(ctx: Pick<Context, "db">, options: Pick<GuardedOptions, "ca">): void {
  reachingOf.set(ctx.db, options);
}

function openDocuments({ db }: Pick<Context, "db">): Documents {
  const open = documentsOf.get(db) ?? {
    ...{ known: new Map(), failed: new Map(), asking: new Map(), fetches: new Map() },
    minute: 0,
  };
  documentsOf.set(db, open);
  return open;
}

/** Returns the document of a client id, from memory if it is fresh. Concurrent callers share one fetch. */
export async function findDocument(ctx: Context, url: URL): Promise<DocumentOutcome> {
  const documents = openDocuments(ctx);
  const { known, failed, asking } = documents;
  const now = ctx.clock();
  const entry = known.get(url.href);
  if (entry) moveToEnd(known, url.href, entry);
  if (entry && now >= entry.readAt && now < entry.staleAt) return entry.metadata;
  const failure = failed.get(url.href);
  if (!entry && failure && now < failure.until) return { problem: failure.problem };
  const fetched = asking.get(url.href) ?? fetchDocument(ctx, documents, url).finally(() => asking.delete(url.href));
  asking.set(url.href, fetched);
  return fetched;
}

async function fetchDocument(ctx: Context, documents: Documents, url: URL): Promise<DocumentOutcome> {
  const { known, failed } = documents;
  const entry = known.get(url.href);
  if (!entry && !mayFetchNew(ctx, documents, url.host)) {
    countDocument("limited");
    return { problem: "too many metadata documents of this host were asked for; try again in a minute" };
  }
  const answer = await get(ctx, url);
  const now = ctx.clock();
  const outcome = "text" in answer ? read(url, answer) : { problem: problemOf(answer) };
  if (!("problem" in outcome) && "headers" in answer) {
    failed.delete(url.href);
    keep(known, url.href, { metadata: outcome, readAt: now, staleAt: now + documentLifetime(answer.headers, now) });
    countDocument("read");
    return outcome;
  }
  const isUnreachable = "error" in answer && (answer.status === undefined || answer.status >= 500);
  countDocument(isUnreachable ? "unreachable" : "refused");
  // RFC 9111 §4.2.4: a document whose host does not answer is still used for a while; one that was removed is not.
  if (entry && isUnreachable && now - entry.readAt < MAX_AGE) {
    entry.staleAt = now + FAILURE_LIFETIME;
    return entry.metadata;
  }
  known.delete(url.href);
  const { problem } = outcome as { problem: string };
  keep(failed, url.href, { problem, until: now + FAILURE_LIFETIME });
  ctx.log.info({ clientId: url.href, reason: "error" in answer ? answer.error : problem }, "metadata document refused");
  return { problem };
}

/** What an unknown caller may learn: not whether a name or an address exists in our network. */
const problemOf = (answer: TextOutcome): string =>
  "status" in answer && answer.status !== undefined
    ? `the metadata document at client_id was answered with status ${answer.status}`
    : "the metadata document at client_id could not be read";

/** Counts the fetches of a host that are for documents not known before. */
function mayFetchNew(ctx: Context, documents: Documents, host: string): boolean {
  const minute = Math.floor(ctx.clock() / MINUTE);
  if (documents.minute !== minute || documents.fetches.size > MAX_DOCUMENTS) documents.fetches.clear();
  documents.minute = minute;
  const count = (documents.fetches.get(host) ?? 0) + 1;
  documents.fetches.set(host, count);
  return count <= MAX_NEW_PER_HOST;
}

async function get(ctx: Context, url: URL): Promise<TextOutcome> {
  const refused = refuseClientAddress(ctx, url.href);
  if (refused !== undefined) return { error: `the address ${refused}` };
  try {
    return await fetching.run(() => callFor(ctx, url.href, { largest: MAX_BYTES }), undefined, url.host);
  } catch {
    return { error: "too many documents are being fetched" };
  }
}

/** Returns why the service calls no such address for a client that registered itself; undefined if it does. */
export function refuseClientAddress(ctx: Context, address: string): string | undefined {
  // On loopback, where both ends are this machine, any address with a trusted certificate is called.
  const rules = { devMode: true, onLoopback: isLoopback(ctx.config.baseUrl) };
  if (!address.startsWith("https:")) return "must use https";
  const refused = checkBackChannelUri(address, rules);
  return refused && sentenceOf(refused);
}

interface ClientCall {
  /** The maximum size in bytes. */
  largest: number;
  /** The media types to ask for. */
  accept?: string;
  /** Whether addresses of this machine are called if the service is on loopback. */
  devMode?: boolean;
}

/** Fetches a text from an address that a client named. */
export function callFor(
  ctx: Context,
  address: string,
  { largest, accept = "application/json", devMode = true }: ClientCall,
): Promise<TextOutcome> {
  const onLoopback = isLoopback(ctx.config.baseUrl);
  return guardedText(address, accept, { devMode, onLoopback, largest, ...reachingOf.get(ctx.db) });
}

/** Validates a document (§4.1). */
function read(url: URL, { text, headers }: Extract<TextOutcome, { text: string }>): DocumentOutcome {
  if (!isJsonType(headers["content-type"]))
    return { problem: "the metadata document at client_id is not sent as JSON" };
  let given: Record<string, unknown>;
  try {
    given = JSON.parse(text) as Record<string, unknown>;
  } catch {
    return { problem: "the metadata document at client_id is not JSON" };
  }
  if (typeof given !== "object" || given === null || Array.isArray(given)) {
    return { problem: "the metadata document at client_id is not a JSON object" };
  }
  if (given.client_id !== url.href) return { problem: "the metadata document has another client_id than its address" };
  const metadata = readClientMetadata(given, url);
  return isError(metadata) ? { problem: `the metadata document is not valid: ${metadata.description}` } : metadata;
}

function keep<Value>(map: Map<string, Value>, key: string, value: Value): void {
  if (!map.has(key) && map.size >= MAX_DOCUMENTS) map.delete(map.keys().next().value ?? "");
  moveToEnd(map, key, value);
}

function moveToEnd<Value>(map: Map<string, Value>, key: string, value: Value): void {
  map.delete(key);
  map.set(key, value);
}
