/**
 * The authorization response as a redirect (RFC 6749 §4.1.2 and §4.2.2, OAuth 2.0 Multiple Response Types §2.1). Values
 * are percent-encoded without exception and state comes back byte for byte. The address must have been matched before:
 * nothing here asks whether it may be used.
 */
import type { OAuthError } from "./oauth-error";

/** Wire names to values, written in this order; undefined values are left out. */
export type ResponseValues = Readonly<Record<string, string | number | undefined>>;

/** RFC 6749 §4.1.2.1: what an error puts into a response; the caller adds `iss` (RFC 9207 §2). */
export function errorValues(error: OAuthError, state: string | undefined): ResponseValues {
  return { error: error.error, error_description: error.description || undefined, state };
}

/** The values of a response as name and text, for a form_post page. */
export function responseFields(values: ResponseValues): [name: string, value: string][] {
  return Object.entries(values).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]]));
}

/** The address to redirect to; a query of the registered address is kept (RFC 6749 §3.1.2). */
export function responseUrl(redirectUri: string, mode: "query" | "fragment", values: ResponseValues): string {
  const encoded = responseFields(values)
    .map(([name, value]) => `${encode(name)}=${encode(value)}`)
    .join("&");
  if (encoded === "") return redirectUri;
  if (mode === "fragment") return `${redirectUri}#${encoded}`;
  if (!redirectUri.includes("?")) return `${redirectUri}?${encoded}`;
  return /[?&]$/.test(redirectUri) ? `${redirectUri}${encoded}` : `${redirectUri}&${encoded}`;
}

/** A space as %20, which form decoders and plain URI decoders both understand; a lone surrogate must not throw. */
function encode(text: string): string {
  return encodeURIComponent(text.replace(/\p{Cs}/gu, "\uFFFD"));
}
