/**
 * The direct lane of two. It gives requests of node:http to the Hono application, which answers everything but the
 * console's pages and assets; those go to Next. In the other lane (next-lane.ts) Next takes every request, and its route
 * handlers under app/ give them to the same application.
 */
import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { getRequestListener } from "@hono/node-server";
import type { StaticFiles } from "../../console/files";
import type { ConsoleGate } from "../../console/gate";
import { newId } from "../../crypto/random";
import { countRequest } from "../../metrics/instruments";
import type { PublicDocument } from "../../oidc/endpoints/discovery";
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
import { hasOrdinaryTarget, hasPlainPath, refuseTarget, unanswerable } from "./request-line";
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
  const asUsual = { otherwise: direct, trusts };
  const published = withBase(documents, basePath);
  return (request, response) => {
    if (strict !== undefined) response.setHeader("strict-transport-security", strict);
    // An address that is one of ours letter by letter needs no further look at its form, and its answer knows no host.
    const document = isPlainGet(request) ? published.get(request.url ?? "") : undefined;
    if (document) return answerDocument(document, request, response, asUsual);
    limitUnread(request, response);
    if (!hasPlainPath(request)) {
      countWhenDone("refused target", request, response);
      return refuseTarget({ url: withoutBase(request.url ?? "/", basePath), headers: request.headers }, response);
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
  };
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
 * requested documents, and the application would spend three quarters of the time on unused objects. One that is known
 * is given at once, as promises and the watch over what is not written at once cost a sixth of the answer.
 */
function answerDocument(
  { path, source }: Published,
  request: IncomingMessage,
  response: ServerResponse,
  { otherwise, trusts }: { otherwise: RequestListener; trusts: Trusts },
): void {
  const startedAt = performance.now();
  const span = spanOf(request, path, trusts);
  const send = (document: PublicDocument) => {
    const { bytes, lines } = ready(document);
    response.writeHead(200, [...lines, "x-request-id", newId()]).end(bytes);
    if (!response.writableFinished) limitUnread(request, response); // the kernel has not taken all of it yet
    countRequest("GET", path, 200, performance.now() - startedAt); // an exact address, so a safe label
    span?.end(200, path);
  };
  const failed = () => {
    limitUnread(request, response);
    dropInvalidHost(request);
    request.url = path;
    otherwise(request, response); // the application logs it and answers with the right page
  };
  try {
    const document = source();
    if (document instanceof Promise) document.then(send).catch(failed);
    else send(document);
  } catch {
    failed();
  }
}

/** A document as it goes to the socket: names and values of its headers in turn. */
interface Ready {
  bytes: Buffer;
  lines: readonly string[];
}

const known = new WeakMap<object, Ready>();

/** Made once for each document: encoding it anew would cost as much as all else. */
function ready(document: PublicDocument): Ready {
  let made = known.get(document);
  if (!made) {
    const bytes = Buffer.from(document.body);
    const lines = Object.entries({ ...document.headers, "content-length": String(bytes.length) }).flat();
    made = { bytes, lines };
    known.set(document, made);
  }
  return made;
}
