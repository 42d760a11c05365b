/**
 * Extracts plain values from an HTTP request: parameters, form, browser, client address. No URL is built from a header;
 * links are based on BASE_URL alone.
 */
import type { IncomingMessage } from "node:http";
import { type BlockList, isIP } from "node:net";
import type { Context } from "../context";
import type { Cause } from "../events/record";
import { type Attempt, causeOf } from "../login/attempt";
import { isInNetworks, networkList } from "../protocol/networks";
import { invalidRequest, isError } from "../protocol/oauth-error";
import { type Parameters, parseParameters, type UnreadableParameters } from "../protocol/parameters";
import { parseUrl } from "../protocol/url";
import type { UserAgent } from "../sessions/user-agent";
import type { Arriving } from "../tracing/span";
import { readCookie } from "./cookies";
import type { Http } from "./env";

/** Returns the parameters of the query (RFC 6749 §3.1). */
export function queryParameters(http: Http): Parameters | UnreadableParameters {
  const { url } = http.req;
  const start = url.indexOf("?");
  const end = url.indexOf("#");
  return parseParameters(start < 0 ? "" : url.slice(start + 1, end < 0 ? undefined : end));
}

export function isForm(http: Http): boolean {
  return (
    http.req.header("content-type")?.split(";", 1)[0]?.trim().toLowerCase() === "application/x-www-form-urlencoded"
  );
}

/** Returns the parameters of a form-encoded body; JSON and multipart are rejected (RFC 6749 §3.2, appendix B). */
export async function formParameters(http: Http): Promise<Parameters | UnreadableParameters> {
  if (!isForm(http)) {
    const body = await http.req.text();
    if (body === "" && http.req.header("content-type") === undefined) return parseParameters("");
    return invalidRequest("the body must be application/x-www-form-urlencoded");
  }
  return parseParameters(await http.req.text());
}

const proxyLists = new WeakMap<Context["config"], BlockList>();

function trustedProxies(ctx: Context): BlockList {
  let list = proxyLists.get(ctx.config);
  if (!list) {
    list = networkList(ctx.config.trustedProxies);
    proxyLists.set(ctx.config, list);
  }
  return list;
}

/** Returns whether the forwarding headers of this peer address are trusted. */
export function isTrustedProxy(ctx: Context, peer: string | undefined): boolean {
  return peer !== undefined && ctx.config.trustedProxies.length > 0 && isInNetworks(trustedProxies(ctx), peer);
}

/**
 * Returns the client's address: the nearest one that is not a trusted proxy. X-Forwarded-For is trusted from listed
 * proxies only, and an entry that is not an address ends the search, so that garbage cannot bypass a check.
 */
export function clientAddress(ctx: Context, http: Http): string | undefined {
  const peer = http.env?.incoming?.socket?.remoteAddress;
  return addressBehind(ctx, peer, () => http.req.header("x-forwarded-for"));
}

/** Returns the client's address for a request that does not reach the application. */
export function clientAddressOf(ctx: Context, { socket, headers }: IncomingMessage): string | undefined {
  return addressBehind(ctx, socket.remoteAddress, () => headers["x-forwarded-for"]?.toString());
}

function addressBehind(
  ctx: Context,
  peer: string | undefined,
  forwardedFor: () => string | undefined,
): string | undefined {
  if (peer === undefined || ctx.config.trustedProxies.length === 0) return peer;
  const list = trustedProxies(ctx);
  const hops = (forwardedFor() ?? "").split(",").map((hop) => hop.trim());
  let address = peer;
  while (isInNetworks(list, address)) {
    const previous = hops.pop();
    if (previous === undefined || isIP(previous) === 0) break;
    address = previous;
  }
  return address;
}

/** Returns the trace context of a request; only a trusted proxy's is believed. */
export function traceOf(ctx: Context, http: Http): Pick<Arriving, "traceparent" | "tracestate" | "isBelieved"> {
  return {
    traceparent: http.req.header("traceparent"),
    tracestate: http.req.header("tracestate"),
    isBelieved: isTrustedProxy(ctx, http.env?.incoming?.socket?.remoteAddress),
  };
}

/** Returns the browser of a request. */
export function userAgentOf(ctx: Context, http: Http): UserAgent {
  return {
    token: readCookie(ctx, http, "userAgent"),
    address: clientAddress(ctx, http),
    name: http.req.header("user-agent"),
  };
}

/** Returns the common data of every attempt to sign in or to change something. */
export function attemptOf(ctx: Context, http: Http): Attempt {
  return { userAgent: userAgentOf(ctx, http), requestId: http.get("requestId") };
}

/** Returns the request data that is recorded with a change. */
export const causeOfRequest = (ctx: Context, http: Http): Cause => causeOf(attemptOf(ctx, http));

/** Returns the language chosen on one of our pages; undefined if none was, or if the parameters cannot be read. */
export function chosenLocaleOf(parameters: Parameters | UnreadableParameters): string | undefined {
  return isError(parameters) ? undefined : parameters.get("ui_locales");
}

/** Returns path and query of the request. */
export function pathAndQuery(http: Http): string {
  const { pathname, search } = new URL(http.req.url);
  return pathname + search;
}

/**
 * Returns whether a form post comes from one of our pages (login CSRF, ASVS 3.5.1). Browsers send Sec-Fetch-Site or
 * Origin with every form post; a request with neither is not from a browser and cannot abuse a user's cookies.
 */
export function isSameOriginPost(ctx: Context, http: Http): boolean {
  const site = http.req.header("sec-fetch-site");
  const origin = http.req.header("origin");
  if (origin !== undefined && origin !== new URL(ctx.config.baseUrl).origin) return false;
  return site === undefined || site === "same-origin" || site === "none";
}

/**
 * Returns the host a browser used, if it is not the configured one, as cookies and passkeys would not work there. Case
 * and default ports are ignored (RFC 3986 §6.2.2.1, §6.2.3).
 */
export function foreignHost(ctx: Context, http: Http): string | undefined {
  const host = http.req.header("host") ?? http.env?.incoming?.headers[":authority"]?.toString();
  const wantsPage = http.req.header("accept")?.includes("text/html") ?? false;
  if (!wantsPage || host === undefined) return undefined;
  const base = new URL(ctx.config.baseUrl);
  const came = `${base.protocol}//${host}`;
  return parseUrl(came)?.origin === base.origin ? undefined : host;
}
