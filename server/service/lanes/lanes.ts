/**
 * The direct lane, one of two. It passes requests of node:http to the Hono application, which answers everything except
 * the console's pages and assets; those go to Next. In the other lane (next-lane.ts) Next receives every request, and
 * its route handlers under app/ pass them to the same application.
 */
import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { performance } from "node:perf_hooks"; // faster than the global one, which is looked up at each use
import { getRequestListener } from "@hono/node-server";
import type { StaticFiles } from "../../console/files";
import type { ConsoleGate } from "../../console/gate";
import { newId } from "../../crypto/random";
import type { DurationSeries } from "../../metrics/durations";
import { requestsAs } from "../../metrics/instruments";
import type { PublicDocument } from "../../oidc/endpoints/discovery";
import type { RequestSpan } from "../../tracing/span";
import type { DocumentSource } from "../../web/public-document";
import type { Application } from "../routing";
import {
  accompanied,
  countWhenDone,
  dropInternalHeaders,
  dropInvalidHost,
  isConsolePage,
  spanOf,
  type Trusts,
  withoutBase,
} from "./arrival";
import { inTurn } from "./in-turn";
import { hasOrdinaryTarget, hasTwoHosts, refuse, unanswerable, whyRefused } from "./request-line";
import { limitUnread } from "./unread";

export type NextHandler = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

export interface Lanes {
  application: Pick<Application, "fetch">;
  /** Documents fetched by every client library and resource server; see `answerDocument`. */
  documents: ReadonlyMap<string, DocumentSource>;
  /** gRPC over HTTP/2; see grpcListener. */
  procedures?: RequestListener;
  /** Undefined in tests without Next. */
  next?: NextHandler;
  /** Called when a user is on the way to the console, usually to sign in first. */
  expectConsole?: () => void;
  /** Answers everything below `/_next/`. */
  files?: StaticFiles;
  /** Called before Next renders a page, which is all that reaches Next. */
  gate?: ConsoleGate;
  /** The Strict-Transport-Security header of every response; undefined if it is not sent. */
  strict?: string;
  /** The path of BASE_URL without a slash at its end; empty if it has none. */
  basePath?: string;
  /** By default no proxy is trusted. */
  trusts?: Trusts;
}

export function requestListener(lanes: Lanes): RequestListener {
  const { application, documents, procedures, next, files, gate, strict, basePath = "", trusts = nobody } = lanes;
  const direct = getRequestListener((request, bindings) => application.fetch(request, bindings), {
    hostname: "localhost", // for requests without one; nothing is built from it
    errorHandler: unanswerable,
  });
  const asUsual: Usual = { otherwise: direct, trusts, strict };
  const published = withBase(documents, basePath, strict);
  return inTurn((request, response) => {
    // An address that is literally one of the documents needs no further checks, and its response does not depend on
    // the host.
    const document = isPlainGet(request) ? published.get(request.url ?? "") : undefined;
    if (document) return answerDocument(document, request, response, asUsual);
    keepToHttps(response, strict);
    limitUnread(request, response);
    const refusal = whyRefused(request);
    if (refusal) {
      countWhenDone("refused target", request, response);
      const url = withoutBase(request.url ?? "/", basePath);
      return refuse({ url, headers: request.headers }, refusal, response);
    }
    if (basePath !== "") request.url = withoutBase(request.url ?? "/", basePath);
    if (procedures && isGrpc(request)) {
      return accompanied("gRPC", request, response, { path: pathOf(request), trusts })(() =>
        procedures(request, response),
      );
    }
    dropInvalidHost(request);
    const url = request.url ?? "/";
    if (TO_CONSOLE.test(url)) lanes.expectConsole?.();
    if (next && hasOrdinaryTarget(request)) {
      const isPage = isConsolePage(request);
      const isAsset = files !== undefined && url.startsWith("/_next/");
      if ((isPage || isAsset) && request.httpVersionMajor === 2) adaptToHttp1(request, response);
      if (isAsset && files(request, response)) return countWhenDone("/_next/*", request, response);
      if (isPage) {
        const run = accompanied("/console/*", request, response, { path: pathOf(request), trusts });
        return void run(() => byNext(next, gate, request, response));
      }
    }
    void direct(request, response);
  });
}

/**
 * Sets the Strict-Transport-Security header.
 * @param strict its value; undefined if it is not sent
 */
function keepToHttps(response: ServerResponse, strict: string | undefined): void {
  if (strict !== undefined) response.setHeader("strict-transport-security", strict);
}

/** The console and the addresses that lead there: the first administrator is signed in at once. */
const TO_CONSOLE = /^\/(?:console|setup)(?:[/?]|$)/;

const nobody: Trusts = () => false;

/** Returns the path without the query. */
const pathOf = ({ url = "/" }: IncomingMessage): string => url.split("?", 1)[0] ?? "/";

interface Published {
  /** Without the path of BASE_URL. */
  path: string;
  source: DocumentSource;
  /** See Lanes. */
  strict: string | undefined;
  /** The duration metric of its responses. */
  counted: DurationSeries;
  /** Built once for each version of the document: encoding it again would cost as much as everything else. */
  ready: Ready | undefined;
}

/** A document as it is written to the socket. */
interface Ready {
  document: PublicDocument;
  /**
   * A short text is sent with the headers in one write, which is not possible for bytes. Copying a long text would cost
   * more than the second write.
   */
  body: string | Buffer;
  /** Names and values of its headers in turn, ending with `x-request-id` and its value. */
  lines: string[];
}

/** Maximum length of a text that is copied instead of written separately. */
const SHORT = 4096;

function readyOf(document: PublicDocument, strict: string | undefined): Ready {
  const bytes = Buffer.from(document.body);
  const isShortText = bytes.length <= SHORT && bytes.length === document.body.length; // every character is a byte
  const headers = {
    ...(strict !== undefined && { "strict-transport-security": strict }),
    ...document.headers,
    "content-length": String(bytes.length),
    [REQUEST_ID]: "",
  };
  return { document, body: isShortText ? document.body : bytes, lines: Object.entries(headers).flat() };
}

/** Returns the documents by their possible request targets: a proxy may have removed the path of BASE_URL. */
function withBase(
  documents: Lanes["documents"],
  basePath: string,
  strict: string | undefined,
): ReadonlyMap<string, Published> {
  const published = new Map<string, Published>();
  for (const [path, source] of documents) {
    const counted = requestsAs("GET", path, 200); // exact addresses, so safe labels
    const one: Published = { path, source, strict, counted, ready: undefined };
    published.set(path, one);
    published.set(`${basePath}${path}`, one);
  }
  return published;
}

/**
 * Returns whether a request is gRPC, which needs HTTP/2 for its trailers. gRPC-Web, whose media type begins the same,
 * goes to the application.
 */
function isGrpc({ httpVersionMajor, headers }: IncomingMessage): boolean {
  return httpVersionMajor === 2 && /^application\/grpc(?:$|[+;])/.test(headers["content-type"] ?? "");
}

async function byNext(
  next: NextHandler,
  gate: ConsoleGate | undefined,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  dropInternalHeaders(request);
  if (gate === undefined || (await gate(request, response))) await next(request, response);
}

/** Headers that HTTP/2 does not allow, RFC 9113 §8.2.2. */
const OF_HTTP1 = new Set(["connection", "keep-alive", "transfer-encoding", "upgrade"]);

/**
 * Adapts a request to Next, which is written for HTTP/1.1: hides the pseudo-headers of HTTP/2 (§8.3) from it, and
 * removes its HTTP/1.1 headers from HTTP/2 responses.
 */
function adaptToHttp1(request: IncomingMessage, response: ServerResponse): void {
  const { ":authority": authority, ...given } = request.headers;
  const headers = Object.entries(given).filter(([name]) => !name.startsWith(":"));
  Object.defineProperty(request, "headers", { value: { host: authority, ...Object.fromEntries(headers) } });
  const setHeader = response.setHeader.bind(response);
  response.setHeader = (name, value) => (OF_HTTP1.has(name.toLowerCase()) ? response : setHeader(name, value));
}

/** Options that apply to every document. */
interface Usual {
  /** Answers requests that are not answered here. */
  otherwise: RequestListener;
  trusts: Trusts;
  /** See Lanes. */
  strict: string | undefined;
}

/**
 * Returns whether nothing in the request affects the response: no condition to check, no id to pass on. Few header
 * names are as long as one of these two, so their values are rarely compared.
 */
function isPlainGet(request: IncomingMessage): boolean {
  if (request.method !== "GET" || request.httpVersionMajor < 1 || hasTwoHosts(request)) return false;
  const { rawHeaders } = request; // names and values in turn
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const { length } = rawHeaders[index] as string;
    if (length !== CONDITION.length && length !== REQUEST_ID.length) continue;
    const { headers } = request;
    return headers[CONDITION] === undefined && headers[REQUEST_ID] === undefined;
  }
  return true;
}

const CONDITION = "if-none-match";
const REQUEST_ID = "x-request-id";

/**
 * Writes the same response as the application's route directly to the socket. Key set and discovery are the most
 * requested documents, and the application would spend three quarters of the time on unused objects. A known document
 * is sent synchronously, because promises and tracking an unfinished response cost a sixth of the time.
 */
function answerDocument(published: Published, request: IncomingMessage, response: ServerResponse, usual: Usual): void {
  const startedAt = performance.now();
  const span = spanOf(request, published.path, usual.trusts);
  try {
    const document = published.source();
    if (document instanceof Promise) sendLater(document, published, request, response, usual, startedAt, span);
    else send(document, published, request, response, startedAt, span);
  } catch {
    answerAsUsual(published, request, response, usual);
  }
}

/** A separate function, because closures would make their shared variables be allocated for every request. */
function sendLater(
  document: Promise<PublicDocument>,
  published: Published,
  request: IncomingMessage,
  response: ServerResponse,
  usual: Usual,
  startedAt: number,
  span: RequestSpan | undefined,
): void {
  document
    .then((loaded) => send(loaded, published, request, response, startedAt, span))
    .catch(() => answerAsUsual(published, request, response, usual));
}

function send(
  document: PublicDocument,
  published: Published,
  request: IncomingMessage,
  response: ServerResponse,
  startedAt: number,
  span: RequestSpan | undefined,
): void {
  if (published.ready?.document !== document) published.ready = readyOf(document, published.strict);
  const { body, lines } = published.ready;
  lines[lines.length - 1] = newId(); // writeHead has read them when it returns
  response.writeHead(200, lines).end(body, "latin1");
  if (!response.writableFinished) limitUnread(request, response); // the kernel has not accepted all of it yet
  published.counted.observe(performance.now() - startedAt);
  span?.end(200, published.path);
}

/** Lets the application log the error and answer with the right page. */
function answerAsUsual(
  { path }: Published,
  request: IncomingMessage,
  response: ServerResponse,
  { otherwise, strict }: Usual,
): void {
  keepToHttps(response, strict);
  limitUnread(request, response);
  dropInvalidHost(request);
  request.url = path;
  otherwise(request, response);
}
