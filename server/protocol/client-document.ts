/**
 * Client ID metadata documents (draft-ietf-oauth-client-id-metadata-document-02): a client id that is the URL of a
 * document about the client. The host of the URL is the only part of such a client that cannot be claimed by another.
 * Rules about the URL, the hosts that are allowed, and how long a document is kept.
 */
import { MAX_LENGTHS } from "./lengths";
import { parseUrl } from "./url";

const MINUTE = 60_000;
/** How long a document is kept, whatever its headers say, in milliseconds (rule REGISTER-2). */
const SHORTEST = 5 * MINUTE;
const LONGEST = 24 * 60 * MINUTE;
/** How long a document that could not be read or is not valid is not fetched again, in milliseconds. */
export const FAILURE_LIFETIME = MINUTE;

/** Whether a client id has the form of a URL of documents, right or wrong: no administrator may choose such an id. */
export const looksLikeDocument = (clientId: string): boolean => /^https:/i.test(clientId);

/**
 * Returns the URL of a client's document (§3): https with a path, without fragment, credentials and dot segments, and
 * written as browsers write it. Undefined for any other client id.
 */
export function documentUrl(clientId: string): URL | undefined {
  if (!clientId.startsWith("https://") || Buffer.byteLength(clientId) > MAX_LENGTHS.client_id) return undefined;
  const url = parseUrl(clientId);
  if (url?.username !== "" || url.password !== "" || clientId.includes("#")) return undefined;
  if (clientId.slice("https://".length).indexOf("/") < 1) return undefined;
  // Parsing removes dot segments, default ports and upper case in the host: the same document has only one client id.
  return url.href === clientId && !url.hostname.endsWith(".") ? url : undefined;
}

/** The hosts of the documents that the instance accepts. */
export interface DocumentHosts {
  enabled: boolean;
  /** Host names, or `*.` and a domain; empty for any host. */
  allowedHosts: readonly string[];
  deniedHosts: readonly string[];
}

/** Whether documents of a host are accepted. Denied hosts are never allowed. */
export function isDocumentAccepted({ enabled, allowedHosts, deniedHosts }: DocumentHosts, { hostname }: URL): boolean {
  const isIn = (hosts: readonly string[]) => hosts.some((host) => matchesHost(host, hostname));
  return enabled && !isIn(deniedHosts) && (allowedHosts.length === 0 || isIn(allowedHosts));
}

/** Whether a pattern, a host name or `*.` and a domain, names this host. */
export function matchesHost(pattern: string, hostname: string): boolean {
  return pattern.startsWith("*.") ? hostname.endsWith(pattern.slice(1)) : pattern === hostname;
}

/** Whether a media type is one of JSON (§4). */
export const isJsonType = (contentType: string | undefined): boolean =>
  /^application\/(?:json|[\w.+-]+\+json)\s*(?:;|$)/i.test(contentType ?? "");

/** How long a document is kept by its headers (RFC 9111 §4.2), in milliseconds. @param now epoch milliseconds */
export function documentLifetime(
  headers: Readonly<Partial<Record<"cache-control" | "expires" | "age", string>>>,
  now: number,
): number {
  return Math.min(LONGEST, Math.max(SHORTEST, cacheLifetime(headers, now)));
}

/** How long a response may be reused by its headers (RFC 9111 §4.2), in milliseconds; 0 if they do not say. */
export function cacheLifetime(
  headers: Readonly<Partial<Record<"cache-control" | "expires" | "age", string>>>,
  now: number,
): number {
  const directives = headers["cache-control"]?.toLowerCase() ?? "";
  const maxAge = /(?:^|[\s,])max-age="?(\d{1,10})/.exec(directives)?.[1];
  const isStored = !/(?:^|[\s,])(?:no-store|no-cache)(?:[\s,=]|$)/.test(directives);
  const until = Date.parse(headers.expires ?? "") - now;
  const fresh = maxAge === undefined ? until : Number(maxAge) * 1000 - (Number(headers.age) || 0) * 1000;
  return isStored && fresh > 0 ? fresh : 0;
}
