/**
 * Cross-origin requests to the management APIs and their remote procedures (gRPC-Web, Connect): the token identifies
 * the app, and only pages of that app's origins may use it; any other page is rejected before the operation runs.
 * Preflights are always answered: they carry no token and reveal nothing.
 */
import type { Next } from "hono";
import type { Context } from "../context";
import { findClient } from "../directory/app/app";
import { isKnownOrigin, originsOf } from "../directory/app/origins";
import { verifyAccessToken } from "../oidc/access-tokens";
import { permissionDenied } from "../protocol/api-error";
import { presentedToken } from "../protocol/bearer";
import { managementBases } from "../protocol/protected-resource";
import { apiErrorAnswer } from "./api-errors";
import type { Http } from "./env";

/** The path patterns of the management APIs; remote procedures have other paths. */
export const managementApis: readonly string[] = Object.keys(managementBases).map((base) => `${base}/*`);

/** The headers that REST, gRPC-Web and Connect clients send. */
const REQUEST_HEADERS = [
  ...["authorization", "content-type", "accept-language", "if-match", "if-none-match"],
  ...["x-request-id", "x-service-orgid", "x-zitadel-orgid"],
  ...["x-grpc-web", "x-user-agent", "grpc-timeout", "connect-protocol-version", "connect-timeout-ms"],
];
/** The headers that clients read; gRPC-Web puts its status there if there is no message. */
const RESPONSE_HEADERS = [
  ...["WWW-Authenticate", "X-Request-Id", "ETag", "Retry-After", "X-Service-Ignored"],
  ...["Grpc-Status", "Grpc-Message", "Grpc-Status-Details-Bin"],
];

/** How long browsers may cache the response to a preflight, in seconds. */
const MAX_AGE = 600;

/** For the management APIs and their remote procedures. */
export async function apiCrossOrigin(ctx: Context, http: Http, next: Next): Promise<Response | undefined> {
  const origin = http.req.header("origin");
  if (origin === undefined || origin === new URL(ctx.config.baseUrl).origin) {
    await next();
    return;
  }
  if (http.req.method === "OPTIONS" && http.req.header("access-control-request-method") !== undefined) {
    return preflight(http, origin);
  }
  const standing = await standingOf(ctx, http, origin);
  if (standing === "foreign") {
    const refusal = permissionDenied(
      "access.origin",
      "The access token does not belong to an app with this origin. Add the origin to the app (additionalOrigins).",
    );
    return apiErrorAnswer(http, refusal, { headers: { vary: "Origin" } });
  }
  await next();
  http.res.headers.append("vary", "Origin");
  if (standing !== "known") return;
  http.res.headers.set("access-control-allow-origin", origin);
  http.res.headers.set("access-control-expose-headers", RESPONSE_HEADERS.join(", "));
}

function preflight(http: Http, origin: string): Response {
  return http.body(null, 204, {
    vary: "Origin",
    "access-control-allow-origin": origin,
    "access-control-allow-methods": "GET, POST, PUT, PATCH, DELETE",
    "access-control-allow-headers": REQUEST_HEADERS.join(", "),
    "access-control-max-age": String(MAX_AGE),
  });
}

/**
 * Classifies the origin. `foreign`: a valid token of an app with other origins, or of a machine, which has no origins.
 */
async function standingOf(ctx: Context, http: Http, origin: string): Promise<"known" | "unknown" | "foreign"> {
  const bearer = presentedToken(http.req.header("authorization"))?.token;
  const token = bearer === undefined ? undefined : await verifyAccessToken(ctx, bearer);
  // Any app may read why an invalid token is rejected.
  if (!token) return (await isKnownOrigin(ctx, origin)) ? "known" : "unknown";
  const client = await findClient(ctx, token.clientId);
  return client && originsOf(client).has(origin) ? "known" : "foreign";
}
