/**
 * Documents that are identical for everyone, with an ETag, so that a cache with the current version gets a short 304
 * (RFC 9110 §13.1.2).
 */
import type { Context } from "../context";
import type { Http } from "../http/env";
import { discovery, keySet, type PublicDocument } from "../oidc/endpoints/discovery";

/** Returns the current version of a document. */
type DocumentSource = () => Promise<PublicDocument>;

/** The discovery document and the key set by their addresses, and the discovery document where OAuth clients look. */
export function publicDocuments(ctx: Context): {
  documents: ReadonlyMap<string, DocumentSource>;
  oauthMetadata: ReadonlyMap<string, DocumentSource>;
} {
  const metadata = discovery(ctx);
  const documents = new Map<string, DocumentSource>([
    ["/.well-known/openid-configuration", metadata],
    ["/oauth/v2/keys", () => keySet(ctx)],
  ]);
  return { documents, oauthMetadata: new Map(oauthMetadataPaths(ctx).map((path) => [path, metadata])) };
}

/** Returns the addresses of RFC 8414 §3.1: the path of the issuer comes last. */
function oauthMetadataPaths({ config: { baseUrl } }: Context): string[] {
  const address = "/.well-known/oauth-authorization-server";
  const issuerPath = new URL(baseUrl).pathname;
  return issuerPath === "/" ? [address] : [address, address + issuerPath];
}

export function publicDocumentAnswer(
  http: Http,
  { body, headers }: PublicDocument<string | Uint8Array<ArrayBuffer>>,
): Response {
  const known = http.req.header("if-none-match");
  if (known !== undefined && matches(known, headers.etag ?? "")) return http.body(null, 304, headers);
  return http.body(body, 200, headers);
}

/** Whether an ETag matches, by weak comparison (RFC 9110 §8.8.3.2). */
function matches(header: string, etag: string): boolean {
  return header.trim() === "*" || header.split(",").some((tag) => tag.trim().replace(/^W\//, "") === etag);
}
