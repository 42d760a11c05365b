/**
 * The authorization response as a redirect (RFC 6749 §4.1.2, §4.2.2, OAuth 2.0 Multiple Response Types §2.1). All
 * values are percent-encoded and state is returned byte for byte. The caller must have matched the redirect URI: it is
 * not checked here.
 */
import type { OAuthError } from "./oauth-error";

/** Parameter names and values, written in this order; undefined values are omitted. */
export type ResponseValues = Readonly<Record<string, string | number | undefined>>;

/** Returns the parameters of an error response (RFC 6749 §4.1.2.1); the caller adds `iss` (RFC 9207 §2). */
export function errorValues(error: OAuthError, state: string | undefined): ResponseValues {
  return { error: error.error, error_description: error.description || undefined, state };
}

/** Returns the parameters as name and text, for a form_post page. */
export function responseFields(values: ResponseValues): [name: string, value: string][] {
  return Object.entries(values).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]]));
}

/** Returns the URL to redirect to; the query of the registered URI is kept (RFC 6749 §3.1.2). */
export function responseUrl(redirectUri: string, mode: "query" | "fragment", values: ResponseValues): string {
  const encoded = responseFields(values)
    .map(([name, value]) => `${encode(name)}=${encode(value)}`)
    .join("&");
  if (encoded === "") return redirectUri;
  if (mode === "fragment") return `${redirectUri}#${encoded}`;
  if (!redirectUri.includes("?")) return `${redirectUri}?${encoded}`;
  return /[?&]$/.test(redirectUri) ? `${redirectUri}${encoded}` : `${redirectUri}&${encoded}`;
}

/**
 * Encodes a space as %20, which form decoders and plain URI decoders both understand. Does not throw on a lone
 * surrogate.
 */
function encode(text: string): string {
  return encodeURIComponent(text.replace(/\p{Cs}/gu, "\uFFFD"));
}
