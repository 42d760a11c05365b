/**
 * Requests an address that a user, a client, a document or an administrator named; nothing else requests such
 * addresses. Against server-side request forgery, the address is checked, its name is resolved once, all addresses of
 * the name must be permitted, and the connection goes to the one that was checked (no DNS rebinding). A connection that
 * is kept leads to that address and serves its own origin only. Redirects are not followed, and time and size are
 * bounded.
 */
import http from "node:http";
import https from "node:https";
import type { LookupFunction } from "node:net";
import { type CallRules, checkBackChannelUri, isLoopbackUri, isPublicAddress } from "../protocol/public-address";
import { sentenceOf } from "../protocol/reason";
import { type NotedSpan, span } from "../tracing/span";
import { type NameResolver, systemResolver } from "./name-resolver";

/** The default time limit for a whole request, in milliseconds. */
const TIMEOUT = 5_000;
/** The default for `largest`, in bytes. */
const MAX_BYTES = 16 * 1024;
/** How long a kept connection waits for a request, in milliseconds: less than servers wait before they close it. */
const IDLE = 1_000;
/** After so many milliseconds, new connections are made, also under load: a name may have got another address. */
const RENEWED_AFTER = 60_000;
/** Kept connections of one origin. */
const MOST_IDLE = 8;

/** What is sent: a GET request without a body by default. */
export interface GuardedRequest {
  method?: string;
  headers?: Readonly<Record<string, string>>;
  body?: string;
}

export interface GuardedOptions extends CallRules {
  /** Returns all addresses of a host name. */
  resolve?: NameResolver["addresses"];
  /** Whether connecting to an address is permitted; by default if it is public, or the rules permit this machine. */
  isPermitted?: (address: string) => boolean;
  /** Whether the connection is kept for a moment, for requests to the same origin; not with an own `isPermitted`. */
  isKept?: boolean;
  /** Milliseconds for the whole request. */
  timeout?: number;
  /** The maximum size of the body in bytes. */
  largest?: number;
  /** PEM certificates to trust instead of the system's, for tests. */
  ca?: string;
}

export interface GuardedAnswer {
  status: number;
  headers: http.IncomingHttpHeaders;
  text: string;
  /** The body before it is decoded. */
  bytes: Buffer<ArrayBuffer>;
  /** Why `text` is not the whole body. */
  cut?: string;
}

/** The response, or why none was received, in words that repeat nothing of it. */
export type GuardedOutcome = GuardedAnswer | { error: string };

/** Sends the request. Never rejects. */
export async function guardedFetch(
  address: string,
  request: GuardedRequest,
  options: GuardedOptions,
): Promise<GuardedOutcome> {
  const refused = checkBackChannelUri(address, options);
  if (refused !== undefined) return { error: `the address ${sentenceOf(refused)}` };
  const url = new URL(address);
  const { method = "GET" } = request;
  const attributes = { "http.request.method": method, "server.address": url.hostname };
  return span(
    method,
    (noted) => fetchNoted(url, { ...request, method }, options, noted),
    () => ({ attributes, isCall: true }),
  );
}

/** The whole body of a response with status 200, or why it could not be read, with any other status. */
export type TextOutcome = Pick<GuardedAnswer, "text" | "bytes" | "headers"> | { error: string; status?: number };

/** Reads a text. Never rejects. */
export async function guardedText(address: string, accept: string, options: GuardedOptions): Promise<TextOutcome> {
  const outcome = await guardedFetch(address, { headers: { accept } }, options);
  if ("error" in outcome) return outcome;
  const { status, cut, ...answer } = outcome;
  if (status !== 200) return { error: `it answered ${status}`, status };
  return cut === undefined ? answer : { error: cut };
}

async function fetchNoted(url: URL, request: GuardedRequest, options: GuardedOptions, noted: NotedSpan) {
  const outcome = await send(url, request, options);
  if ("error" in outcome) noted.setAttribute("error.type", outcome.error);
  else noted.setAttribute("http.response.status_code", outcome.status);
  return outcome;
}

function send(url: URL, { method, headers, body }: GuardedRequest, options: GuardedOptions): Promise<GuardedOutcome> {
  const { resolve: addresses = systemResolver.addresses, timeout = TIMEOUT, largest = MAX_BYTES, ca } = options;
  const isKept = options.isKept === true && options.isPermitted === undefined;
  const isPermitted = options.isPermitted ?? (isLoopbackUri(url.href) ? () => true : isPublicAddress);
  return new Promise((resolve) => {
    const request = (url.protocol === "https:" ? https : http).request(url, {
      method,
      lookup: checkedLookup(addresses, isPermitted),
      agent: isKept && keptConnections(addresses)[url.protocol as "http:" | "https:"],
      signal: AbortSignal.timeout(timeout),
      headers: {
        "user-agent": "identity-service",
        ...(body !== undefined && { "content-length": Buffer.byteLength(body) }),
        ...headers,
      },
      ...(ca !== undefined && { ca }),
    });
    const fail = (error: Error) => resolve({ error: describe(error, timeout) });
    request.on("error", fail);
    request.on("response", (response) => {
      const chunks: Buffer[] = [];
      let size = 0;
      let cut: string | undefined;
      // From here on the status is known, and an error only shortens the text.
      const shorten = (error: Error) => {
        cut ??= describe(error, timeout);
      };
      request.off("error", fail).on("error", shorten);
      response.on("error", shorten);
      response.on("data", (chunk: Buffer) => {
        size += chunk.length;
        if (size > largest) response.destroy(new Error("the response is too large"));
        else chunks.push(chunk);
      });
      response.on("close", () => {
        const bytes = Buffer.concat(chunks);
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          text: bytes.toString("utf8"),
          bytes,
          ...(cut !== undefined && { cut }),
        });
      });
    });
    request.end(body);
  });
}

interface KeptConnections {
  "http:": http.Agent;
  "https:": https.Agent;
  /** By the clock of the process, in milliseconds. */
  since: number;
}

const kept = new WeakMap<NameResolver["addresses"], KeptConnections>();

/**
 * Returns the kept connections to the addresses that a resolver gave. The origin alone decides which addresses are
 * permitted for them, and a connection is only used for the host and port that it was made for.
 */
function keptConnections(resolve: NameResolver["addresses"]): KeptConnections {
  const since = performance.now();
  const found = kept.get(resolve);
  if (found && since - found.since < RENEWED_AFTER) return found;
  const options = { keepAlive: true, timeout: IDLE, maxFreeSockets: MOST_IDLE };
  const renewed = { "http:": new http.Agent(options), "https:": new https.Agent(options), since };
  kept.set(resolve, renewed);
  return renewed;
}

/**
 * The error for a name without addresses and for one with an internal address. Different errors would let anyone who
 * may enter a host name find out which names the internal DNS has.
 */
const NOT_PUBLIC = "the name has no public address";

/** Returns a `lookup` function for node:http that fails unless all addresses of the name are permitted. */
function checkedLookup(resolve: NameResolver["addresses"], isPermitted: (address: string) => boolean): LookupFunction {
  return (host, options, callback) => {
    void (async () => {
      try {
        const found = await resolve(host);
        const [first] = found;
        if (!first || !found.every(({ address }) => isPermitted(address))) {
          return callback(new Error(NOT_PUBLIC), "");
        }
        if (options.all) callback(null, found);
        else callback(null, first.address, first.family);
      } catch (cause) {
        callback(new Error(NOT_PUBLIC, { cause }), "");
      }
    })();
  };
}

/** Describes the error for the log: no stack, nothing from the response. */
function describe(error: Error, timeout: number): string {
  if (error.name === "AbortError" || error.name === "TimeoutError") return `no answer within ${timeout / 1000} s`;
  const { code } = error as NodeJS.ErrnoException;
  return (code === undefined || code === error.message ? error.message : `${error.message} (${code})`).slice(0, 300);
}
