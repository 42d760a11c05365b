/**
 * The direct lane of two. It gives requests of node:http to the Hono application, which answers everything but the
 * console's pages and assets; those go to Next. In the other lane (next-lane.ts) Next takes every request, and its route
 * handlers under app/ give them to the same application.
 */
import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { performance } from "node:perf_hooks"; // the global one is looked up anew by each use
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
  /** Told that somebody is on the way to the console, most of them to sign in first. */
  expectConsole?: () => void;
  /** Everything that is answered below `/_next/`. */
  files?: StaticFiles;
  /** Asked before Next renders a page, which is all that reaches it. */
  gate?: ConsoleGate;
  /** Strict-Transport-Security of every answer; undefined where browsers are told nothing. */
  strict?: string;
  /** The path of BASE_URL, without a slash at its end; empty where there is none. */
  basePath?: string;
  /** By default nobody is. */
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
    // An address that is one of ours letter by letter needs no further look at its form, and its answer knows no host.
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

/** @param strict Strict-Transport-Security; undefined where browsers are told nothing */
function keepToHttps(response: ServerResponse, strict: string | undefined): void {
  if (strict !== undefined) response.setHeader("strict-transport-security", strict);
}

/** The console and what leads there: the first administrator is signed in at once. */
const TO_CONSOLE = /^\/(?:console|setup)(?:[/?]|$)/;

const nobody: Trusts = () => false;

/** Without the query. */
const pathOf = ({ url = "/" }: IncomingMessage): string => url.split("?", 1)[0] ?? "/";

interface Published {
  /** Without the path of BASE_URL. */
  path: string;
  source: DocumentSource;
  /** See Lanes. */
  strict: string | undefined;
  /** Its answers. */
  counted: DurationSeries;
  /** Made once for each version of the document: encoding it anew would cost as much as all else. */
  ready: Ready | undefined;
}

/** A document as it goes to the socket. */
interface Ready {
  document: PublicDocument;
  /**
   * A short text goes out with the headers in one piece, which bytes do not; copying a long one would cost more than the
   * second piece.
   */
  body: string | Buffer;
  /** Names and values of its headers in turn, at the end `x-request-id` and its value. */
  lines: string[];
}

/** Characters of a text that is copied sooner than written on its own. */
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

/** The documents by what may stand in a request line for them: a proxy may have removed the path of BASE_URL. */
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

/** gRPC needs HTTP/2 for its trailers; gRPC-Web, whose media type begins the same, goes to the application. */
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

/** Headers that HTTP/2 does not know, RFC 9113 §8.2.2. */
const OF_HTTP1 = new Set(["connection", "keep-alive", "transfer-encoding", "upgrade"]);

/** Next is written for HTTP/1.1: hide the pseudo-headers of HTTP/2 (§8.3) from it, and its own headers from HTTP/2. */
function adaptToHttp1(request: IncomingMessage, response: ServerResponse): void {
  const { ":authority": authority, ...given } = request.headers;
  const headers = Object.entries(given).filter(([name]) => !name.startsWith(":"));
  Object.defineProperty(request, "headers", { value: { host: authority, ...Object.fromEntries(headers) } });
  const setHeader = response.setHeader.bind(response);
  response.setHeader = (name, value) => (OF_HTTP1.has(name.toLowerCase()) ? response : setHeader(name, value));
}

/** What holds for every document. */
interface Usual {
  /** Answers what is not answered here. */
  otherwise: RequestListener;
  trusts: Trusts;
  /** See Lanes. */
  strict: string | undefined;
}

/**
 * Whether nothing in the request affects the response: no condition to check, no id to pass on. Nearly no name of a header
 * is as long as one of these two, so the headers are hardly ever looked up.
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
 * The same response as the application's route, written straight to the socket: key set and discovery are the most
 * requested documents, and the application would spend three quarters of the time on unused objects. One that is known
 * is given at once, as promises and the watch over what is not written at once cost a sixth of the answer.
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

/** On its own, as a function with closures in it makes what they share for every request. */
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
  if (!response.writableFinished) limitUnread(request, response); // the kernel has not taken all of it yet
  published.counted.observe(performance.now() - startedAt);
  span?.end(200, published.path);
}

/** The application logs what went wrong and answers with the right page. */
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
