/**
 * Cross-origin requests of browser apps (Fetch standard §3.2). Only the endpoints such an app needs are readable across
 * origins, and only for the exact origins of registered apps. Any request header is allowed there, and so are
 * credentials, which some libraries always send: these endpoints read no cookie, so a browser's cookies change nothing.
 * No other endpoint allows credentials (rule CORS-1). Attack: any page reading responses meant for an app.
 */
import type { Next } from "hono";
import type { Context } from "../context";
import { findClient } from "../directory/app/app";
import { isKnownOrigin, originsOf } from "../directory/app/origins";
import { verifyAccessToken } from "../oidc/access-tokens";
import { presentedToken } from "../protocol/bearer";
import { parseClientCredentials } from "../protocol/client-credentials";
import { isError } from "../protocol/oauth-error";
import type { Http } from "./env";
import { formParameters } from "./request";

/** The paths that browser apps call, with their methods. */
export const crossOriginMethods: Readonly<Record<string, string>> = {
  "/oauth/v2/token": "POST",
  "/oauth/v2/revoke": "POST",
  "/oauth/v2/device_authorization": "POST",
  "/oauth/v2/par": "POST",
  "/oidc/v1/userinfo": "GET, POST",
};

/** Headers that are allowed if a preflight names none, or names them in a format that no browser sends. */
const USUAL_HEADERS = "authorization, content-type";
/** Characters. */
const MAX_HEADER_LIST = 1024;

/** Returns the request headers that a preflight asks for (Fetch §3.2.2): a list of names, RFC 9110 §5.1. */
function allowedHeaders(asked: string | undefined): string {
  const isList = /^[\w!#$%&'*+.^`|~-]+(?:[ \t]*,[ \t]*[\w!#$%&'*+.^`|~-]+)*$/;
  return asked !== undefined && asked.length <= MAX_HEADER_LIST && isList.test(asked) ? asked : USUAL_HEADERS;
}

/** How long browsers may cache the response to a preflight, in seconds; most cap it at two hours or less. */
const MAX_AGE = 600;

/** Middleware for the paths of `crossOriginMethods`. */
export async function crossOrigin(ctx: Context, http: Http, next: Next): Promise<Response | undefined> {
  const origin = http.req.header("origin");
  if (origin === undefined) {
    await next();
    return;
  }
  if (http.req.method === "OPTIONS" && http.req.header("access-control-request-method") !== undefined) {
    return preflight(ctx, http, origin);
  }
  await next();
  http.res.headers.append("vary", "Origin");
  if (!(await mayRead(ctx, http, origin))) return;
  http.res.headers.set("access-control-allow-origin", origin);
  http.res.headers.set("access-control-allow-credentials", "true");
  http.res.headers.set("access-control-expose-headers", "WWW-Authenticate, DPoP-Nonce, Retry-After, X-Request-Id");
}

/** Answers a preflight. It does not identify the app, so any registered origin is accepted. */
async function preflight(ctx: Context, http: Http, origin: string): Promise<Response> {
  const allowed = await isKnownOrigin(ctx, origin);
  return http.body(null, 204, {
    vary: "Origin, Access-Control-Request-Headers",
    ...(allowed && {
      "access-control-allow-origin": origin,
      "access-control-allow-credentials": "true",
      "access-control-allow-methods": crossOriginMethods[http.req.path] ?? "",
      "access-control-allow-headers": allowedHeaders(http.req.header("access-control-request-headers")),
      "access-control-max-age": String(MAX_AGE),
    }),
  });
}

/**
 * Returns whether the origin may read the response: an origin of the requesting app, or of any registered app if the
 * app is unknown.
 */
async function mayRead(ctx: Context, http: Http, origin: string): Promise<boolean> {
  const clientId = await requestingClient(ctx, http);
  const client = clientId === undefined ? undefined : await findClient(ctx, clientId);
  return client ? originsOf(client).has(origin) : isKnownOrigin(ctx, origin);
}

async function requestingClient(ctx: Context, http: Http): Promise<string | undefined> {
  const authorization = http.req.header("authorization");
  const form = http.req.method === "POST" ? await formParameters(http) : undefined;
  if (http.req.path === "/oidc/v1/userinfo") {
    const bearer = presentedToken(authorization)?.token ?? (isError(form) ? undefined : form?.get("access_token"));
    return bearer === undefined ? undefined : (await verifyAccessToken(ctx, bearer))?.clientId;
  }
  const credentials = form === undefined || isError(form) ? undefined : parseClientCredentials(authorization, form);
  return credentials === undefined || isError(credentials) ? undefined : credentials.clientId;
}

/**
 * Answers preflights of endpoints that any page may use with any request headers, as they read no cookie: discovery and
 * keys, which are public, and client registration, which has its own tokens.
 */
export function openPreflight(http: Http, methods = "GET"): Response {
  return http.body(null, 204, {
    "access-control-allow-origin": "*",
    "access-control-allow-methods": methods,
    // The asterisk does not include Authorization (Fetch §4.9).
    "access-control-allow-headers": methods === "GET" ? "*" : "*, authorization",
    "access-control-max-age": String(MAX_AGE),
  });
}
