/**
 * Connects the application to Next, which owns the socket under `next start`. Its route handlers under app/ pass each
 * request to the application, and proxy.ts calls the gate before a console page. A route handler gets a copy of a
 * request without the sender, and Next answers some requests before it looks for a handler. So each request is
 * inspected on arrival with Node's diagnostics channel `http.server.request.start`, and the result follows the request
 * to the handler.
 */
import { AsyncLocalStorage } from "node:async_hooks";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Admission, Visit } from "../../console/gate";
import type { Application } from "../routing";
import type { Service } from "../service";
import { countWhenDone, dropInternalHeaders, dropInvalidHost, isConsolePage, withoutBase } from "./arrival";
import { compressReading } from "./compress-reading";
import { hasOrdinaryTarget, originForm, refusalAnswer, whyRefused } from "./request-line";
import { limitUnread } from "./unread";

export interface Arrivals {
  /** Must be called for every request before Next sees it. */
  arrive(request: IncomingMessage, response: ServerResponse): void;
  /** Returns the arrival of the current request; undefined if it came before the channel was observed. */
  current(): Arrival | undefined;
}

export interface ArrivalOptions {
  /** The Strict-Transport-Security header of every response; undefined if it is not sent. */
  strict: string | undefined;
  /** See basePathOf. */
  basePath: string;
}

interface Arrival {
  incoming: IncomingMessage;
  /** The reason to answer 400, regardless of the address. */
  refusal: ReturnType<typeof whyRefused>;
  target: string;
  method: string;
  /** Whether Next gets a replaced address, because it would not have looked for a handler. */
  isHidden: boolean;
}

/** The replacement: an address that the catch-all route handler answers. */
const STAND_IN = { url: "/stand-in", method: "OPTIONS" } as const;

export function watchArrivals({ strict, basePath }: ArrivalOptions): Arrivals {
  const arrivals = new AsyncLocalStorage<Arrival>();
  return {
    arrive(request, response) {
      limitUnread(request, response);
      if (strict !== undefined) response.setHeader("strict-transport-security", strict);
      dropInternalHeaders(request);
      const refusal = whyRefused(request);
      const target = withoutBase(originForm(request.url ?? "/"), basePath);
      dropInvalidHost(request);
      const isHidden = refusal !== undefined || !hasOrdinaryTarget(request) || isOfNext(target) || isAlias(target);
      const { method = "" } = request;
      if (isHidden) Object.assign(request, STAND_IN);
      else request.url = target;
      if (isHidden || !isConsolePage(request)) dropTransitionHeaders(request);
      else compressReading(request, response);
      const route = refusal ? "refused target" : routeOfNext(request);
      if (route !== undefined) countWhenDone(route, request, response);
      arrivals.enterWith({ incoming: request, refusal, target, method, isHidden });
    },
    current: () => arrivals.getStore(),
  };
}

/** Returns whether an address belongs to an unused part of Next, such as `/_next/image`. */
const isOfNext = (target: string): boolean => target.startsWith("/_next/") && !target.startsWith("/_next/static/");

/**
 * Removes the headers with which Next's scripts request a part of a page. Next would answer other requests that have
 * them with a redirect.
 */
function dropTransitionHeaders({ headers }: IncomingMessage): void {
  for (const name of Object.keys(headers)) if (/^(?:rsc|next-.*)$/.test(name)) delete headers[name];
}

/**
 * Returns whether only Next reads an address as one of the console: `/%63onsole`, `/console.rsc`. Its path can be
 * decoded.
 */
function isAlias(target: string): boolean {
  const [path = ""] = target.split("?", 1);
  return !/^\/console(?:\/|$)/.test(path) && decodeURIComponent(path).startsWith("/console");
}

/** Returns the metric label of a response that Next makes without the application. */
function routeOfNext(request: IncomingMessage): string | undefined {
  if (isConsolePage(request)) return "/console/*";
  return request.url?.startsWith("/_next/") ? "/_next/*" : undefined;
}

export interface NextAdapterOptions {
  application: Pick<Application, "fetch">;
  arrivals: Arrivals;
  /** See consoleAdmission. */
  admission(visit: Visit): Promise<Admission>;
}

/** Returns the functions that the route handlers and proxy.ts call. */
export function nextAdapter(options: NextAdapterOptions): Required<Pick<Service, "fetch" | "admit">> {
  const { application, arrivals, admission } = options;
  return {
    async fetch(request) {
      const arrival = arrivals.current();
      // The first requests came before the service, so their clients are unknown.
      if (!arrival) return application.fetch(request);
      const { incoming, refusal, target } = arrival;
      if (refusal) return refusalAnswer({ url: target, headers: incoming.headers }, refusal);
      // No `outgoing`: Next cannot send trailers.
      return application.fetch(asItCame(request, arrival), { incoming });
    },
    async admit(request) {
      const { pathname, search } = new URL(request.url);
      return admission({ headers: Object.fromEntries(request.headers), url: pathname + search });
    },
  };
}

/**
 * Restores the original target: Next parses and serializes a query, which changes bytes that are not UTF-8, and an
 * application may sign or compare what it sent.
 */
function asItCame(request: Request, { target, method, isHidden }: Arrival): Request {
  if (!isHidden && request.url.endsWith(target)) return request;
  const url = new URL(target === "*" ? "/*" : target, request.url);
  if (!isHidden) return new Request(url, request);
  // The constructor rejects methods that browsers must not send but a server may receive (TRACE).
  return Object.defineProperty(new Request(url, { headers: request.headers }), "method", { value: method });
}
