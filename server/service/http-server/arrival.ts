/**
 * Prepares an incoming request, on our own server and on that of Next: removes headers that a client must not set, and
 * removes the path of BASE_URL from its address.
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import { countRequest } from "../../metrics/requests";
import { isTracing, openRequestSpan, type RequestSpan } from "../../tracing/span";
import { isConsoleAddress, PAGE_METHODS } from "../console-pages";
import { hasHost } from "./request-line";

/** Returns the path of BASE_URL without a slash at its end; empty if it has none. */
export function basePathOf({ baseUrl }: { baseUrl: string }): string {
  return new URL(baseUrl).pathname.replace(/\/$/, "");
}

/**
 * If BASE_URL has a path, all published addresses begin with it and it is removed here; a proxy may also remove it
 * before forwarding a request.
 */
export function withoutBase(url: string, basePath: string): string {
  const rest = url.startsWith(basePath) ? url.slice(basePath.length) : undefined;
  if (rest === undefined || !/^(?:[/?]|$)/.test(rest)) return url;
  return rest.startsWith("/") ? rest : `/${rest}`;
}

/** Treats a host that is not valid in a URL as missing. */
export function dropInvalidHost(request: IncomingMessage): void {
  if (hasHost(request)) return;
  request.headers.host = undefined;
  request.headers[":authority"] = undefined;
}

/** Headers by which the gate and parts of Next pass information to Next. They are never accepted from a client. */
const INTERNAL =
  /^(?:content-security-policy(?:-report-only)?|x-nonce|x-matched-path|x-(?:console|middleware|invoke|nextjs|now)-.*)$/;

/** Removes internal headers from a request that Next will see. */
export function dropInternalHeaders({ headers }: IncomingMessage): void {
  for (const name of Object.keys(headers)) if (INTERNAL.test(name)) delete headers[name];
}

/** Pages rendered by Next. */
export function isConsolePage({ method, url = "/" }: Pick<IncomingMessage, "method" | "url">): boolean {
  return PAGE_METHODS.includes(method ?? "") && isConsoleAddress(url);
}

/** Decides whether the forwarding headers of an address are trusted. */
export type Trusts = (peer: string | undefined) => boolean;

/** Returns the span of a request that bypasses the application; undefined if tracing is off. */
function spanOf(request: IncomingMessage, path: string, trusts: Trusts): RequestSpan | undefined {
  if (!isTracing()) return undefined;
  const { method = "", headers, socket } = request;
  const { traceparent, tracestate } = headers;
  const only = (value: string | string[] | undefined) => (typeof value === "string" ? value : undefined);
  const isBelieved = trusts(socket.remoteAddress);
  return openRequestSpan({ method, path, isBelieved, traceparent: only(traceparent), tracestate: only(tracestate) });
}

/** Counts a request that bypasses the application, and traces it with its work run inside the span. */
export function accompanied(
  route: string,
  request: IncomingMessage,
  response: ServerResponse,
  { path, trusts }: { path: string; trusts: Trusts },
): <T>(work: () => T) => T {
  countWhenDone(route, request, response);
  const span = spanOf(request, path, trusts);
  if (span === undefined) return (work) => work();
  response.once("close", () => span.end(response.statusCode, route));
  return span.run;
}

/** Counts a request that bypasses the application. */
export function countWhenDone(route: string, { method = "" }: IncomingMessage, response: ServerResponse): void {
  const startedAt = performance.now();
  response.once("close", () => countRequest(method, route, response.statusCode, performance.now() - startedAt));
}
