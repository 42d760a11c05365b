/**
 * The direct lane of two. It gives requests of node:http to the Hono application, which answers everything but the
 * console's pages and assets; those go to Next. In the other lane (next-lane.ts) Next takes every request, and its route
 * handlers under app/ give them to the same application.
 */
import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { getRequestListener } from "@hono/node-server";
import type { Hono } from "hono";
import type { StaticFiles } from "../../console/files";
import type { ConsoleGate } from "../../console/gate";
import { newId } from "../../crypto/random";
import type { Env } from "../../http/env";
import { countRequest } from "../../metrics/instruments";
import type { DocumentSource } from "../../web/public-document";
import { countWhenDone, dropInternalHeaders, dropInvalidHost, isConsolePage, withoutBase } from "./arrival";
import { hasOrdinaryTarget, hasPlainPath, refuseTarget, unanswerable } from "./request-line";
import { limitUnread } from "./unread";

export type NextHandler = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

export interface Lanes {
  application: Hono<Env>;
  /** Documents fetched by every client library and resource server; see `answerDocument`. */
  documents: ReadonlyMap<string, DocumentSource>;
  /** gRPC over HTTP/2; see grpcListener. */
  procedures?: RequestListener;
  /** Undefined in tests without Next. */
  next?: NextHandler;
  /** Everything that is answered below `/_next/`. */
  files?: StaticFiles;
  /** Asked before Next renders a page, which is all that reaches it. */
  gate?: ConsoleGate;
  /** Strict-Transport-Security of every answer; undefined where browsers are told nothing. */
  strict?: string;
  /** The path of BASE_URL, without a slash at its end; empty where there is none. */
  basePath?: string;
}

export function requestListener(lanes: Lanes): RequestListener {
  const { application, documents, procedures, next, files, gate, strict, basePath = "" } = lanes;
  const direct = getRequestListener((request, bindings) => application.fetch(request, bindings), {
    hostname: "localhost", // for requests without one; nothing is built from it
    errorHandler: unanswerable,
  });
  const published = withBase(documents, basePath);
  return (request, response) => {
    limitUnread(request, response);
    if (strict !== undefined) response.setHeader("strict-transport-security", strict);
    // An address that is one of ours letter by letter needs no further look at its form, and its answer knows no host.
    const document = isPlainGet(request) ? published.get(request.url ?? "") : undefined;
    if (document) return void answerDocument(document, request, response, direct);
    if (!hasPlainPath(request)) {
      countWhenDone("refused target", request, response);
      return refuseTarget(response);
    }
    if (basePath !== "") request.url = withoutBase(request.url ?? "/", basePath);
    if (procedures && isGrpc(request)) {
      countWhenDone("gRPC", request, response);
      return procedures(request, response);
    }
    dropInvalidHost(request);
    const url = request.url ?? "/";
    if (next && hasOrdinaryTarget(request)) {
      const isPage = isConsolePage(request);
      const isAsset = files !== undefined && url.startsWith("/_next/");
      if ((isPage || isAsset) && request.httpVersionMajor === 2) adaptToHttp1(request, response);
      if (isAsset && files(request, response)) return countWhenDone("/_next/*", request, response);
      if (isPage) {
        countWhenDone("/console/*", request, response);
        return void byNext(next, gate, request, response);
      }
    }
    void direct(request, response);
  };
}

interface Published {
  /** Without the path of BASE_URL. */
  path: string;
  source: DocumentSource;
}

/** The documents by what may stand in a request line for them: a proxy may have removed the path of BASE_URL. */
function withBase(documents: Lanes["documents"], basePath: string): ReadonlyMap<string, Published> {
  const published = new Map<string, Published>();
  for (const [path, source] of documents) {
    published.set(path, { path, source });
    published.set(`${basePath}${path}`, { path, source });
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

/** Whether nothing in the request affects the response: no condition to check, no id to pass on. */
function isPlainGet({ method, headers }: IncomingMessage): boolean {
  return method === "GET" && headers["if-none-match"] === undefined && headers["x-request-id"] === undefined;
}

/**
 * The same response as the application's route, written straight to the socket: key set and discovery are the most
 * requested documents, and the application would spend three quarters of the time on unused objects.
 */
async function answerDocument(
  { path, source }: Published,
  request: IncomingMessage,
  response: ServerResponse,
  otherwise: RequestListener,
): Promise<void> {
  const startedAt = performance.now();
  try {
    const { body, headers } = await source();
    const length = { "content-length": Buffer.byteLength(body) };
    response.writeHead(200, { ...headers, ...length, "x-request-id": newId() }).end(body);
    countRequest("GET", path, 200, performance.now() - startedAt); // an exact address, so a safe label
  } catch {
    dropInvalidHost(request);
    request.url = path;
    otherwise(request, response); // the application logs it and answers with the right page
  }
}
