/**
 * Response types and modes (RFC 6749 §3.1.1, OAuth 2.0 Multiple Response Type Encoding Practices, OAuth 2.0 Form Post
 * Response Mode). Tokens are never sent in a query, which ends up in logs, histories and Referer headers.
 */
import { invalidRequest, type OAuthError, unsupportedResponseType } from "./oauth-error";

/** In alphabetical order of their words: `parseResponseType` compares them so. */
export const responseTypes = [
  "code",
  "id_token",
  "id_token token",
  "code id_token",
  "code token",
  "code id_token token",
] as const;
export type ResponseType = (typeof responseTypes)[number];
/** How a response travels to the redirect URI. */
export type ResponseTransport = "query" | "fragment" | "form_post";
/** A transport, with `.jwt` if the parameters are in a signed JWT (JARM §2.3). */
export type ResponseMode = ResponseTransport | `${ResponseTransport}.jwt`;

const transports: readonly ResponseTransport[] = ["query", "fragment", "form_post"];
const signedModes: readonly ResponseMode[] = ["query.jwt", "fragment.jwt", "form_post.jwt"];
/** The values for discovery; `jwt` means the default transport of the response type. */
export const responseModes: readonly string[] = [...transports, ...signedModes, "jwt"];

export const transportOf = (mode: ResponseMode): ResponseTransport => mode.replace(/\.jwt$/, "") as ResponseTransport;

/** Whether the parameters are in a signed JWT. */
export const isSignedMode = (mode: ResponseMode): boolean => mode.endsWith(".jwt");

/**
 * Parses a response type, whose words may be in any order (RFC 6749 §3.1.1). A missing one is invalid_request, an
 * unknown one unsupported_response_type.
 */
export function parseResponseType(raw: string | undefined): ResponseType | OAuthError {
  if (raw === undefined) return invalidRequest("response_type is missing");
  const words = raw.split(" ").sort().join(" ");
  return responseTypes.find((type) => type === words) ?? unsupportedResponseType("response_type is not supported");
}

/** What a response contains, by the words of its response type. */
export const returnsCode = (type: ResponseType): boolean => type.split(" ").includes("code");
export const returnsIdToken = (type: ResponseType): boolean => type.split(" ").includes("id_token");
export const returnsAccessToken = (type: ResponseType): boolean => type.split(" ").includes("token");

/** Whether the response carries an access token or id_token through the browser. */
export function isFrontChannel(responseType: ResponseType): boolean {
  return responseType !== "code";
}

/** Returns the grant types that a client needs for a response type (OpenID Connect Dynamic Client Registration §2). */
export function grantsOfResponse(type: ResponseType): ("authorization_code" | "implicit")[] {
  return [
    ...(returnsCode(type) ? (["authorization_code"] as const) : []),
    ...(isFrontChannel(type) ? (["implicit"] as const) : []),
  ];
}

/** Returns the requested mode, or the default of the response type: query for a code, fragment for tokens. */
export function resolveResponseMode(responseType: ResponseType, raw: string | undefined): ResponseMode | OAuthError {
  const usual = isFrontChannel(responseType) ? "fragment" : "query";
  if (raw === undefined) return usual;
  const named = raw === "jwt" ? `${usual}.jwt` : raw;
  const mode = [...transports, ...signedModes].find((known) => known === named);
  if (mode === undefined) return invalidRequest("response_mode is not supported");
  if (transportOf(mode) === "query" && isFrontChannel(responseType)) {
    // Multiple Response Types §3: "the response_mode query MUST NOT be used" if tokens are returned.
    return invalidRequest("response_mode query cannot carry tokens");
  }
  return mode;
}
