/**
 * Runs before every page of the console, before Next.js gets the request: visitors who are not signed in are redirected
 * to the sign-in, and each response gets a Content-Security-Policy with its own nonce (CSP Level 3 §6.7), which Next.js
 * reads from the request and puts on its scripts. Headers of these names in the request are replaced.
 * A prefetch (Sec-Purpose, Fetch Standard; app/console/prefetching.ts) changes nothing: it sets no cookie, and if a
 * visit would start a sign-in or change the language, the prefetch is refused, and the page is requested again on
 * navigation.
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import { AHEAD_HEADER } from "../../shared/pages";
import { QueueFull } from "../concurrency/queue";
import type { Context } from "../context";
import { randomSecret } from "../crypto/random";
import { openConsoleSession } from "../http/console-session";
import { inPageQueue } from "../http/page-queues";
import { clientAddressOf } from "../http/request";
import { timeZoneIn } from "../http/time-zone";
import { RETRY_AFTER } from "../protocol/retry-after";
import { consolePageHeaders } from "../web/pages/headers";
import { errorPage } from "../web/pages/public-pages";
import { consoleLanguage, languageChoice } from "./language";
import { organizationMemory } from "./organization";

/** The parts of a request that the gate reads. */
export type Visit = Pick<IncomingMessage, "headers" | "url">;

/** The decision about a visit: it goes on to Next.js with these headers, or this is the response. */
export type Admission =
  | { admitted: true; requestHeaders: Record<string, string>; responseHeaders: Record<string, string> }
  | { admitted: false; status: number; headers: Record<string, string>; body: string | undefined };

/** Handles a request. Returns whether Next.js may answer; if false, the response has been sent. */
export type ConsoleGate = (request: IncomingMessage, response: ServerResponse) => Promise<boolean>;

export interface GateOptions {
  /** The pages of the development server need a less strict policy to reload themselves. */
  development: boolean;
}

/** Returns the function that decides on a visit, for either server. */
export function consoleAdmission(ctx: Context, { development }: GateOptions): (visit: Visit) => Promise<Admission> {
  const { host } = new URL(ctx.config.baseUrl);
  return async (visit) => {
    const admission = await admit(visit);
    return isAhead(visit) ? withoutTrace(admission) : admission;
  };

  async function admit(visit: Visit): Promise<Admission> {
    try {
      const isOurHost = (visit.headers[":authority"] ?? visit.headers.host) === host;
      // There are no cookies on another host; the sign-in page names the right address.
      const session = isOurHost ? await openConsoleSession(ctx, visit.headers.cookie) : undefined;
      if (!session) return sendTo(signInAddress(visit));
      const choice = languageChoice(ctx, visit);
      if (choice) return sendTo(choice.location, choice.cookie);
      const responseHeaders = consolePageHeaders({ nonce: randomSecret(), development });
      const [path = "", query = ""] = (visit.url ?? "").split("?", 2);
      const { remembered, cookie } = organizationMemory(ctx, visit.headers, path);
      return {
        admitted: true,
        responseHeaders: cookie === undefined ? responseHeaders : { ...responseHeaders, "set-cookie": cookie },
        requestHeaders: {
          "content-security-policy": responseHeaders["content-security-policy"] ?? "",
          "x-console-locale": await consoleLanguage(ctx, visit, session.caller.userId),
          "x-console-path": path,
          "x-console-query": query,
          "x-console-organization": encodeURIComponent(remembered ?? ""),
          "x-console-zone": timeZoneIn(visit.headers.cookie) ?? "",
        },
      };
    } catch (error) {
      ctx.log.error({ err: error, path: "/console" }, "unforeseen error");
      return unavailable(ctx);
    }
  }
}

/**
 * Too Early (RFC 8470 §5.2). With any unsuccessful status, the browser discards the prefetch; a 5xx status would be
 * counted as a fault by monitoring.
 */
const NOT_AHEAD: Admission = {
  admitted: false,
  status: 425,
  headers: { "cache-control": "no-store" },
  body: undefined,
};

/** Returns whether the browser or a script of the console requests a page that no user has opened yet. */
const isAhead = ({ headers }: Visit): boolean =>
  /\bprefetch\b/.test(String(headers["sec-purpose"] ?? "")) || headers[AHEAD_HEADER] !== undefined;

function withoutTrace(admission: Admission): Admission {
  if (!admission.admitted) return NOT_AHEAD;
  const { "set-cookie": _, ...responseHeaders } = admission.responseHeaders;
  return { ...admission, responseHeaders };
}

/** Returns the gate for Node's own request and response objects. */
export function consoleGate(ctx: Context, options: GateOptions): ConsoleGate {
  const admit = consoleAdmission(ctx, options);
  return async (request, response) => {
    if (!(await itsTurn(ctx, request, response))) return false;
    const admission = await admit(request);
    if (!admission.admitted) {
      refuse(response, admission);
      return false;
    }
    for (const [name, value] of Object.entries(admission.responseHeaders)) response.setHeader(name, value);
    Object.assign(request.headers, admission.requestHeaders);
    return true;
  };
}

/**
 * Waits in the queue for pages, and keeps the slot until the response has been sent.
 * @returns whether the client still waits for it
 */
function itsTurn(ctx: Context, request: IncomingMessage, response: ServerResponse): Promise<boolean> {
  const left = new AbortController();
  const sent = new Promise<void>((resolve) => response.once("close", resolve)).then(() => left.abort());
  return new Promise((resolve) => {
    const untilSent = () => {
      resolve(true);
      return sent;
    };
    inPageQueue("console page", clientAddressOf(ctx, request), untilSent, left.signal).catch((error: unknown) => {
      if (error instanceof QueueFull) refuse(response, unavailable(ctx));
      resolve(false);
    });
  });
}

type Refused = Extract<Admission, { admitted: false }>;

const refuse = (response: ServerResponse, { status, headers, body }: Refused) =>
  response.writeHead(status, headers).end(body);

function unavailable(ctx: Context): Refused {
  const frame = { locale: "en", requestId: randomSecret().slice(0, 16) } as const;
  const page = errorPage({ kind: "unavailable", occurredAt: ctx.clock() }, frame);
  const headers = { ...page.headers, "retry-after": String(RETRY_AFTER) };
  return { admitted: false, status: page.status, headers, body: page.html };
}

function sendTo(location: string, cookie?: string): Admission {
  const headers = { location, "cache-control": "no-store", ...(cookie !== undefined && { "set-cookie": cookie }) };
  return { admitted: false, status: 303, headers, body: undefined };
}

/**
 * Returns the address of the sign-in. It is relative, so that the host stays the same. `_rsc` is an internal parameter
 * of Next.js, not part of a page's address.
 */
function signInAddress({ url = "/console" }: Visit): string {
  const [path = "", query = ""] = url.split("?", 2);
  const parameters = new URLSearchParams(query);
  parameters.delete("_rsc");
  const to = parameters.size > 0 ? `${path}?${parameters}` : path;
  return `/console/sign-in?to=${encodeURIComponent(to)}`;
}
