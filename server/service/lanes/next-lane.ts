/**
 * The lane where Next owns the socket (`next start`): its route handlers under app/ give each request to the application,
 * and proxy.ts asks the gate before a page of the console. A route handler sees a copy of a request and not who sent it,
 * and Next answers some requests itself before it looks for a handler. So each request is met when it arrives, by way of
 * Node's own channel `http.server.request.start`, and what was learnt of it follows it to the handler.
 */
import { AsyncLocalStorage } from "node:async_hooks";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Admission, Visit } from "../../console/gate";
import type { Application } from "../routing";
import type { Service } from "../service";
import { countWhenDone, dropInternalHeaders, dropInvalidHost, isConsolePage, withoutBase } from "./arrival";
import { hasOrdinaryTarget, originForm, refusalAnswer, whyRefused } from "./request-line";
import { limitUnread } from "./unread";

export interface Arrivals {
  /** To be called for every request before Next sees it. */
  arrive(request: IncomingMessage, response: ServerResponse): void;
  /** What is known of the request that is being answered; undefined if it came before anybody could meet it. */
  current(): Arrival | undefined;
}

export interface ArrivalOptions {
  /** Strict-Transport-Security of every answer; undefined where browsers are told nothing. */
  strict: string | undefined;
  /** See basePathOf. */
  basePath: string;
}

interface Arrival {
  incoming: IncomingMessage;
  /** Why it is answered with 400, whatever it asks for. */
  refusal: ReturnType<typeof whyRefused>;
  target: string;
  method: string;
  /** Whether Next was shown something else, because it would not have looked for a handler. */
  isHidden: boolean;
}

/** What Next sees instead: an address that the route handler of all other addresses answers. */
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
      const route = refusal ? "refused target" : routeOfNext(request);
      if (route !== undefined) countWhenDone(route, request, response);
      arrivals.enterWith({ incoming: request, refusal, target, method, isHidden });
    },
    current: () => arrivals.getStore(),
  };
}

/** An address of a part of Next that is not in use, such as `/_next/image`. */
const isOfNext = (target: string): boolean => target.startsWith("/_next/") && !target.startsWith("/_next/static/");

/** By these Next's scripts ask for a part of a page; to whoever asks for anything else with them it sends a redirect. */
function dropTransitionHeaders({ headers }: IncomingMessage): void {
  for (const name of Object.keys(headers)) if (/^(?:rsc|next-.*)$/.test(name)) delete headers[name];
}

/** What Next takes for the console, and nobody else does: `/%63onsole`, `/console.rsc`. Its path can be decoded. */
function isAlias(target: string): boolean {
  const [path = ""] = target.split("?", 1);
  return !/^\/console(?:\/|$)/.test(path) && decodeURIComponent(path).startsWith("/console");
}

/** The label of what Next answers without the application. */
function routeOfNext(request: IncomingMessage): string | undefined {
  if (isConsolePage(request)) return "/console/*";
  return request.url?.startsWith("/_next/") ? "/_next/*" : undefined;
}

export interface NextLaneOptions {
  application: Pick<Application, "fetch">;
  arrivals: Arrivals;
  /** See consoleAdmission. */
  admission(visit: Visit): Promise<Admission>;
}

/** What the route handlers and proxy.ts ask. */
export function nextLane(options: NextLaneOptions): Required<Pick<Service, "fetch" | "admit">> {
  const { application, arrivals, admission } = options;
  return {
    async fetch(request) {
      const arrival = arrivals.current();
      // Nobody knows the clients of the first requests, which came before the service.
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

/** Next reads a query and writes it anew, which loses what is no UTF-8: an application signs or compares what it sent. */
function asItCame(request: Request, { target, method, isHidden }: Arrival): Request {
  if (!isHidden && request.url.endsWith(target)) return request;
  const url = new URL(target === "*" ? "/*" : target, request.url);
  if (!isHidden) return new Request(url, request);
  // The constructor refuses methods that no browser may send and a server may get (TRACE).
  return Object.defineProperty(new Request(url, { headers: request.headers }), "method", { value: method });
}
