/** The sector of a client with pairwise subjects (OIDC Core §8.1). */
import { parseUrl } from "./url";

/**
 * Returns the host that names the sector: that of the sector identifier URI, or else of the redirect URIs. Undefined if
 * these have several hosts, or none.
 */
export function sectorOf(settings: { sectorIdentifierUri?: string; redirectUris?: readonly string[] }) {
  const { sectorIdentifierUri, redirectUris = [] } = settings;
  const named = sectorIdentifierUri === undefined ? redirectUris : [sectorIdentifierUri];
  const [host, another] = new Set(named.map((uri) => parseUrl(uri)?.hostname ?? ""));
  return another === undefined && host !== "" ? host : undefined;
}
