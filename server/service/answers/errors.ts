/**
 * Answers that no use case makes: unknown addresses, wrong methods, bodies too large, wrong hosts, and unexpected
 * errors. Browsers get a page, programs get JSON; neither gets a stack trace.
 */

import type { ErrorKind } from "../../../components/login/error-page";
import { protocolRefusal } from "../../api/grpc/refusal";
import { Abandoned, QueueFull } from "../../concurrency/queue";
import type { Context } from "../../context";
import { PasswordQueueFull } from "../../crypto/password-hash";
import { apiErrorAnswer, apiRefusal, CONSOLE_API, isApiPath } from "../../http/api-errors";
import type { Http } from "../../http/env";
import { chosenLocaleOf, queryParameters } from "../../http/request";
import { isError } from "../../protocol/oauth-error";
import { RETRY_AFTER } from "../../protocol/retry-after";
import { firstLine } from "../../storage/engine/outage-log";
import { isUnavailable } from "../../storage/engine/unavailable";
import { pageAnswer, redirectAnswer } from "../../web/authorization";
import { errorFrame } from "../../web/pages/frame";
import { askedAgain } from "../../web/pages/language-form";
import { errorPage } from "../../web/pages/public-pages";
import { BARE } from "../../web/pages/surroundings";

interface Refusal {
  page: ErrorKind;
  status: number;
  error: string;
  description: string;
}

const REFUSALS = {
  notFound: { page: "not-found", status: 404, error: "not_found", description: "no such address" },
  methodNotAllowed: {
    page: "method-not-allowed",
    status: 405,
    error: "invalid_request",
    description: "method not allowed",
  },
  tooLarge: { page: "too-large", status: 413, error: "invalid_request", description: "the body is too large" },
  unavailable: { page: "unavailable", status: 503, error: "temporarily_unavailable", description: "try again shortly" },
  unexpected: { page: "unexpected", status: 500, error: "server_error", description: "something unexpected happened" },
} as const satisfies Record<string, Refusal>;

/** Returns whether a person will see the response. */
function wantsPage(http: Http): boolean {
  return http.req.header("accept")?.includes("text/html") ?? false;
}

async function refuse(
  ctx: Context,
  http: Http,
  { page, status, error, description }: Refusal,
  headers: Record<string, string> = {},
): Promise<Response> {
  const { path } = http.req;
  if (isApiPath(path) || path.startsWith(`${CONSOLE_API}/`)) {
    const refusal = apiRefusal(status);
    const init = { status, headers: { "cache-control": "no-store", ...headers } };
    return protocolRefusal(http, refusal, init) ?? apiErrorAnswer(http, refusal, { status, headers });
  }
  if (wantsPage(http)) {
    // While the database is unavailable it is not queried for the page's look.
    const frame = await errorFrame(ctx, http, {}, page === "unavailable" ? BARE : undefined);
    const answer = errorPage({ kind: page, occurredAt: ctx.clock() }, frame);
    return pageAnswer(http, { ...answer, status, headers: { ...answer.headers, ...headers } });
  }
  return http.json({ error, error_description: description, request_id: http.get("requestId") }, status as 400, {
    "cache-control": "no-store",
    ...headers,
  });
}

export const notFoundAnswer = (ctx: Context, http: Http) => refuse(ctx, http, REFUSALS.notFound);

export const methodNotAllowed = (ctx: Context, http: Http, allow: string) =>
  refuse(ctx, http, REFUSALS.methodNotAllowed, { allow });

/**
 * Answers a body that is too large. The readable part of the body has been read (body-limit.ts); the connection ends
 * with the answer.
 */
export const tooLarge = (ctx: Context, http: Http) => refuse(ctx, http, REFUSALS.tooLarge, { connection: "close" });

/**
 * Returns whether the client disconnected before its request was complete or before its turn in a queue. No one waits
 * for the response, and it is not an error of the service.
 */
function hasLeft({ env }: Http, error: unknown): boolean {
  if (error instanceof Abandoned) return true;
  const { incoming } = env ?? {};
  // An HTTP/2 request that was cut off counts as complete.
  if (incoming?.httpVersionMajor === 2) return incoming.aborted && (error as Error).name === "AbortError";
  return incoming?.destroyed === true && !incoming.complete;
}

/** Answers an unexpected error: it is logged in full, and the response contains only the request id. */
export async function unforeseen(ctx: Context, http: Http, error: unknown): Promise<Response> {
  if (hasLeft(http, error))
    return http.json({ error: "invalid_request", error_description: "the request ended early" }, 400);
  const requestId = http.get("requestId");
  if (error instanceof QueueFull) {
    ctx.log.warn({ reason: error.message, requestId }, "request failed");
    return refuse(ctx, http, REFUSALS.unavailable, { "retry-after": String(RETRY_AFTER) });
  }
  const unavailable = isUnavailable(error) || error instanceof PasswordQueueFull;
  // While the database is unavailable the same stack trace for each request would flood the log.
  if (unavailable) ctx.log.warn({ reason: firstLine(error), requestId }, "request failed");
  else ctx.log.error({ err: error, requestId }, "request failed");
  const refusal = unavailable ? REFUSALS.unavailable : REFUSALS.unexpected;
  const retry: Record<string, string> = unavailable ? { "retry-after": String(RETRY_AFTER) } : {};
  try {
    return await refuse(ctx, http, refusal, retry);
  } catch {
    // The error page could not be rendered either.
    const body = { error: refusal.error, error_description: refusal.description };
    return http.json(body, refusal.status, { "cache-control": "no-store", ...retry });
  }
}

/** A browser used a host other than BASE_URL's, where cookies and passkeys would not work (rule SERVE-1). */
export async function wrongHost(ctx: Context, http: Http, came: string): Promise<Response> {
  const { host } = new URL(ctx.config.baseUrl);
  const frame = await errorFrame(ctx, http);
  const props = { kind: "wrong-host", host: { came, configured: host, href: ctx.config.baseUrl } } as const;
  return pageAnswer(http, errorPage({ ...props, occurredAt: ctx.clock() }, frame));
}

/**
 * Answers `/error` with fixed wording whatever the query contains, so that no one can put text on the page (attack:
 * reflected content). The language choice of all error pages leads here and back to the requested page.
 */
export async function errorPageRoute(ctx: Context, http: Http): Promise<Response> {
  const parameters = queryParameters(http);
  const again = isError(parameters) ? undefined : askedAgain(ctx, parameters.get("again"), chosenLocaleOf(parameters));
  if (again !== undefined) return redirectAnswer(http, again);
  const frame = await errorFrame(ctx, http);
  return pageAnswer(http, errorPage({ kind: "invalid-request", occurredAt: ctx.clock() }, frame));
}
