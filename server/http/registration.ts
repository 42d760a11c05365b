/** The HTTP layer of client registration (RFC 7591, RFC 7592): JSON in both directions, never stored by a cache. */
import type { Context } from "../context";
import {
  changeOwnRegistration,
  type RegistrationRequest,
  readOwnRegistration,
  register,
  removeOwnRegistration,
} from "../oidc/endpoints/register";
import { noteOAuthRefusal } from "../oidc/report-refusals";
import { isApiError } from "../protocol/api-error";
import { isError, type OAuthError } from "../protocol/oauth-error";
import { jsonBody } from "./api-errors";
import { challenge } from "./challenge";
import { openPreflight } from "./cors";
import type { Http } from "./env";
import { causeOfRequest } from "./request";
import type { Handler, Routes } from "./routes";

/** Any page may register a client: these endpoints read no cookie. */
const HEADERS = {
  "cache-control": "no-store",
  pragma: "no-cache",
  "access-control-allow-origin": "*",
  "access-control-expose-headers": "WWW-Authenticate, Retry-After, X-Request-Id",
};

function refusalAnswer(ctx: Context, http: Http, error: OAuthError): Response {
  noteOAuthRefusal(ctx, { path: "/oauth/v2/register", error });
  const wrong = { error: error.error, description: error.description };
  const isBare = http.req.header("authorization") === undefined; // RFC 6750 §3.1
  const headers = error.status === 401 ? challenge("Bearer", "registration", isBare ? undefined : wrong) : {};
  const body = { error: error.error, error_description: error.description };
  const retry = error.retryAfter !== undefined && { "retry-after": String(error.retryAfter) };
  return http.json(body, error.status as 400, { ...HEADERS, ...headers, ...retry });
}

async function requestOf(ctx: Context, http: Http): Promise<RegistrationRequest> {
  const hasBody = http.req.method === "POST" || http.req.method === "PUT";
  const body = hasBody ? await jsonBody(http) : undefined;
  const isObject = typeof body === "object" && body !== null && !Array.isArray(body) && !isApiError(body);
  return {
    authorization: http.req.header("authorization"),
    body: isObject ? (body as Record<string, unknown>) : undefined,
    cause: causeOfRequest(ctx, http),
  };
}

const answered =
  (
    status: 200 | 201 | 204,
    answer: (ctx: Context, clientId: string, request: RegistrationRequest) => Promise<object | undefined | OAuthError>,
  ): Handler =>
  async (ctx, http) => {
    const result = await answer(ctx, http.req.param("clientId") ?? "", await requestOf(ctx, http));
    if (isError(result)) return refusalAnswer(ctx, http, result);
    return result === undefined ? http.body(null, 204, HEADERS) : http.json(result, status as 200, HEADERS);
  };

export const registrationRoutes: Routes = {
  "/oauth/v2/register": {
    POST: answered(201, (ctx, _, request) => register(ctx, request)),
    OPTIONS: (_, http) => openPreflight(http, "POST"),
  },
  "/oauth/v2/register/:clientId": {
    GET: answered(200, readOwnRegistration),
    PUT: answered(200, changeOwnRegistration),
    DELETE: answered(204, removeOwnRegistration),
    OPTIONS: (_, http) => openPreflight(http, "GET, PUT, DELETE"),
  },
};
