/**
 * The listener of the service's own server. It passes requests of node:http to the Hono application, which answers
 * everything except the console's pages and assets; those go to Next. Under `next start` (next-adapter.ts) Next
 * receives every request, and its route handlers under app/ pass them to the same application.
 */
import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { getRequestListener } from "@hono/node-server";
import type { StaticFiles } from "../../console/files";
import type { ConsoleGate } from "../../console/gate";
import type { Application } from "../routing";
import {
  accompanied,
  countWhenDone,
  dropInternalHeaders,
  dropInvalidHost,
  isConsolePage,
  type Trusts,
  withoutBase,
} from "./arrival";
import { compressReading } from "./compress-reading";
import { inTurn } from "./in-turn";
import { hasOrdinaryTarget, refuse, unanswerable, whyRefused } from "./request-line";
import { limitUnread } from "./unread";

export type NextHandler = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

export interface ListenerOptions {
  application: Pick<Application, "fetch">;
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

export function requestListener(options: ListenerOptions): RequestListener {
  const { application, procedures, next, files, gate, strict, basePath = "", trusts = nobody } = options;
  const direct = getRequestListener((request, bindings) => application.fetch(request, bindings), {
    hostname: "localhost", // for requests without one; nothing is built from it
    errorHandler: unanswerable,
  });
  return inTurn((request, response) => {
    if (strict !== undefined) response.setHeader("strict-transport-security", strict);
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
    if (TO_CONSOLE.test(url)) options.expectConsole?.();
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

/** The console and the addresses that lead there: the first administrator is signed in at once. */
const TO_CONSOLE = /^\/(?:console|setup)(?:[/?]|$)/;

const nobody: Trusts = () => false;

/** Returns the path without the query. */
const pathOf = ({ url = "/" }: IncomingMessage): string => url.split("?", 1)[0] ?? "/";

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
  compressReading(request, response);
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
