/**
 * In front of every page of the console, before Next sees the request: whoever is not signed in is sent to sign in, and
 * each answer gets a Content-Security-Policy with a nonce of its own (CSP Level 3 §6.7), which Next reads from the
 * request and puts on its scripts. Headers of these names in the request are replaced.
 *
 * A page that is fetched before anybody goes there (Sec-Purpose, Fetch Standard; components/console/prefetch.tsx) changes
 * nothing: where a visit would set a cookie or begin a sign-in, it is refused, and the browser asks again when somebody goes.
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import { LineFull } from "../concurrency/lines";
import type { Context } from "../context";
import { randomSecret } from "../crypto/random";
import { openConsoleSession } from "../http/console-session";
import { inPageLine } from "../http/page-lines";
import { clientAddressOf } from "../http/request";
import { timeZoneIn } from "../http/time-zone";
import { RETRY_AFTER } from "../protocol/retry-after";
import { consolePageHeaders } from "../web/pages/headers";
import { errorPage } from "../web/pages/public-pages";
import { consoleLanguage, languageChoice } from "./language";
import { organizationMemory } from "./organization";

/** What the gate reads of a request. */
export type Visit = Pick<IncomingMessage, "headers" | "url">;

/** What becomes of a visit: it goes on to Next with these headers, or this is the answer. */
export type Admission =
  | { admitted: true; requestHeaders: Record<string, string>; responseHeaders: Record<string, string> }
  | { admitted: false; status: number; headers: Record<string, string>; body: string | undefined };

/** Whether Next may answer; if false, the response has been sent. */
export type ConsoleGate = (request: IncomingMessage, response: ServerResponse) => Promise<boolean>;

export interface GateOptions {
  /** The development server's pages need a laxer policy to reload themselves. */
  development: boolean;
}

/** Decides on a visit, for either lane. */
export function consoleAdmission(ctx: Context, { development }: GateOptions): (visit: Visit) => Promise<Admission> {
  const { host } = new URL(ctx.config.baseUrl);
  return async (visit) => {
    const isAhead = /\bprefetch\b/.test(String(visit.headers["sec-purpose"] ?? ""));
    const admission = await admit(visit);
    return isAhead && leavesTrace(admission) ? NOT_AHEAD : admission;
  };

  async function admit(visit: Visit): Promise<Admission> {
    try {
      const isOurHost = (visit.headers[":authority"] ?? visit.headers.host) === host;
      // On another host there are no cookies; the sign-in page says which address to use.
      const session = isOurHost ? await openConsoleSession(ctx, visit.headers.cookie) : undefined;
      if (!session) return sendTo(signInAddress(visit));
      const choice = languageChoice(ctx, visit);
      if (choice) return sendTo(choice.location, choice.cookie);
      const responseHeaders = consolePageHeaders({ nonce: randomSecret(), development });
      const [path = "", query = ""] = (visit.url ?? "").split("?", 2);
      const { remembered, cookie } = organizationMemory(ctx, visit.headers.cookie, path);
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
 * Too Early (RFC 8470 §5.2). Any status that is no success makes the browser forget the answer; one of a server's would
 * count as a fault where errors are watched.
 */
const NOT_AHEAD: Admission = {
  admitted: false,
  status: 425,
  headers: { "cache-control": "no-store" },
  body: undefined,
};

const leavesTrace = (admission: Admission): boolean =>
  !admission.admitted || admission.responseHeaders["set-cookie"] !== undefined;

/** The same gate over Node's own objects. */
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

/** Waits in the line for pages, and keeps the place until the answer has been sent. @returns whether anybody waits for it */
function itsTurn(ctx: Context, request: IncomingMessage, response: ServerResponse): Promise<boolean> {
  const left = new AbortController();
  const sent = new Promise<void>((resolve) => response.once("close", resolve)).then(() => left.abort());
  return new Promise((resolve) => {
    const untilSent = () => {
      resolve(true);
      return sent;
    };
    inPageLine("console page", clientAddressOf(ctx, request), untilSent, left.signal).catch((error: unknown) => {
      if (error instanceof LineFull) refuse(response, unavailable(ctx));
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

/** Relative, so that the host stays the same. `_rsc` is Next's own parameter, not part of a page's address. */
function signInAddress({ url = "/console" }: Visit): string {
  const [path = "", query = ""] = url.split("?", 2);
  const parameters = new URLSearchParams(query);
  parameters.delete("_rsc");
  const to = parameters.size > 0 ? `${path}?${parameters}` : path;
  return `/console/sign-in?to=${encodeURIComponent(to)}`;
}
