// Which addresses may be links. They come from registrations and settings, and even an address that was injected into
// the database must not run as a script in our origin (`javascript:`, `data:`).
import { parseUrl } from "./url";

/**
 * Returns the address if it may be a link, else undefined. Allowed: a path on this site, https, http, and a private-use
 * scheme with a dot, as native applications register them (RFC 8252 §7.1).
 */
export function linkTarget(href: string | undefined): string | undefined {
  if (href === undefined) return undefined;
  if (/^\/(?![/\\])/.test(href)) return href;
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(href)?.[1]?.toLowerCase();
  if (scheme === undefined || !parseUrl(href)) return undefined;
  return scheme === "https" || scheme === "http" || scheme.includes(".") ? href : undefined;
}
