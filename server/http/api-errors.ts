/**
 * Parses requests and sends errors of the management APIs in JSON (rule API-1). Below `/admin/v1`, `/management/v1`,
 * `/auth/v1` and `/v2` all errors have the same format, including those for unknown paths and wrong methods.
 */
import { locales } from "../../messages/locales";
import { authenticateCaller, type Caller, type PresentedCredentials } from "../access/caller";
import { inSlices } from "../concurrency/pauses";
import type { Context } from "../context";
import {
  type ApiError,
  GRPC_CODES,
  internal,
  invalidArgument,
  isApiError,
  notFound,
  statusOf,
  unavailable,
  unimplemented,
} from "../protocol/api-error";
import { dpopAlgorithms } from "../protocol/dpop";
import { flawRefusal, jsonFlaws } from "../protocol/json-flaws";
import { negotiateLocale, parseAcceptLanguage } from "../protocol/ui-locales";
import { challenge } from "./challenge";
import { clientCertificateOf } from "./client-certificate";
import type { Http } from "./env";
import { localizedBody } from "./refusal-texts";

const NO_STORE = { "cache-control": "no-store" };

/** The path under which the console's own pages call the management APIs (console/api.ts). */
export const CONSOLE_API = "/console/api";

/** Returns whether a path belongs to the management APIs, including remote procedures. */
export function isApiPath(path: string): boolean {
  return /^\/(?:admin\/v1|management\/v1|auth\/v1|v2|v2beta|assets\/v1\/(?:org|instance)|(?:service|zitadel)\.[\w.]+)(?:\/|$)/.test(
    path,
  );
}

/**
 * Converts an error to a response. 401 names the scheme (RFC 6750 §3).
 * @param status a more precise HTTP status than that of the code: 405, 413
 */
export function apiErrorAnswer(
  http: Http,
  error: ApiError,
  { status = statusOf(error), headers = {} }: { status?: number; headers?: Record<string, string> } = {},
): Response {
  const language = callersLanguage(http);
  const own = { ...NO_STORE, "content-language": language, ...headersOf(http, error) };
  const reader = http.env?.isFromConsole ? "user" : "developer";
  return http.json(localizedBody(error, language, reader), status as 400, { ...own, ...headers });
}

const SUPPORTED: readonly string[] = locales.map(({ tag }) => tag);

/** Returns the caller's language (RFC 9110 §12.5.4); English if it is missing or not supported. */
export function callersLanguage(http: Http): string {
  const wanted = http.get("language");
  return wanted ?? readersLanguage(http.req.header("accept-language"));
}

/**
 * Returns the caller's language for other transports. @param wanted the value of Accept-Language, or of the gRPC
 * metadata of that name
 */
export function readersLanguage(wanted: string | undefined): string {
  return negotiateLocale(parseAcceptLanguage(wanted), SUPPORTED) ?? "en";
}

function headersOf(http: Http, error: ApiError): Record<string, string> {
  const { retryAfter } = error;
  return {
    ...challengeFor(error, http.req.header("authorization")),
    ...(retryAfter !== undefined && { "retry-after": String(retryAfter) }),
  };
}

/** Returns the header of a 401. @param authorization what the caller sent */
export function challengeFor(
  { code, id, message }: ApiError,
  authorization: string | undefined,
): Record<string, string> {
  if (code !== GRPC_CODES.unauthenticated) return {};
  if (id === "access.proof_invalid") {
    // RFC 9449 §7.2: to send a bound token as a bearer token is no error of the proof.
    const error = /^Bearer /i.test(authorization ?? "") ? "invalid_token" : "invalid_dpop_proof";
    return challenge("DPoP", "api", { error, description: message }, dpopAlgorithms);
  }
  const isBare = authorization === undefined; // RFC 6750 §3.1
  return challenge("Bearer", "api", isBare ? undefined : { error: "invalid_token", description: message });
}

/** Converts a value or an error to a response. */
export function apiAnswer(http: Http, answer: object | ApiError): Response {
  return isApiError(answer) ? apiErrorAnswer(http, answer) : http.json(answer, 200, NO_STORE);
}

export const authenticatedCaller = (ctx: Context, http: Http): Promise<Caller | ApiError> =>
  authenticateCaller(ctx, presentedCredentials(ctx, http));

export const presentedCredentials = (ctx: Context, http: Http): PresentedCredentials => ({
  authorization: http.req.header("authorization"),
  dpop: http.req.header("dpop"),
  method: http.req.method,
  path: http.req.path,
  certificate: clientCertificateOf(ctx, http),
});

/** Returns the JSON body of a request; undefined without a body. */
export async function jsonBody(http: Http): Promise<unknown | ApiError> {
  const bytes = await http.req.arrayBuffer();
  if (bytes.byteLength === 0) return undefined;
  const type = http.req.header("content-type")?.split(";", 1)[0]?.trim().toLowerCase();
  if (type !== undefined && type !== "application/json" && !type.endsWith("+json")) {
    return invalidArgument("request.not_json", "Send the body as application/json.");
  }
  if (!/^(?:|identity)$/i.test(http.req.header("content-encoding")?.trim() ?? "")) {
    return invalidArgument("request.encoded", "Send the body without Content-Encoding.");
  }
  try {
    const json = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    const flaw = await inSlices(jsonFlaws(json));
    if (flaw === "too-deep") return flawRefusal(flaw);
    const value = JSON.parse(json) as unknown;
    return flaw === undefined ? value : flawRefusal(flaw);
  } catch {
    return invalidArgument("request.malformed", "Send well-formed JSON in UTF-8 as the body.");
  }
}

/** Returns the error for a status that does not come from an operation (rule API-1). */
export function apiRefusal(status: number): ApiError {
  switch (status) {
    case 404:
      return notFound("address.not_found", "This address does not exist. Check it against /docs/api.");
    case 405:
      return unimplemented(
        "address.method_not_allowed",
        "This address does not accept the method. See /docs/api for those it does.",
      );
    case 413:
      return invalidArgument("request.too_large", "The body is too large. Send a smaller one.");
    case 503:
      return unavailable("service.unavailable", "The service is not available right now. Try again in a moment.");
    default:
      return internal(
        "service.unexpected",
        "Something went wrong on the server, and nothing was changed. Try again in a moment.",
      );
  }
}
