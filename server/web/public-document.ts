/**
 * Documents that are identical for everyone, with an ETag, so that a cache with the current version gets a short 304
 * (RFC 9110 §13.1.2).
 */
import type { Context } from "../context";
import type { Http } from "../http/env";
import { discovery, keySet, type PublicDocument, protectedResource } from "../oidc/endpoints/discovery";
import { type ManagementBase, managementBases } from "../protocol/protected-resource";

/** Returns the current version of a document. */
type DocumentSource = () => Promise<PublicDocument>;

/**
 * The discovery document and the key set by their addresses, and what OAuth clients look for: the discovery document at
 * the address of RFC 8414, and the metadata of the management APIs (RFC 9728).
 */
export function publicDocuments(ctx: Context): {
  documents: ReadonlyMap<string, DocumentSource>;
  oauthMetadata: ReadonlyMap<string, DocumentSource>;
} {
  const metadata = discovery(ctx);
  const documents = new Map<string, DocumentSource>([
    ["/.well-known/openid-configuration", metadata],
    ["/oauth/v2/keys", () => keySet(ctx)],
  ]);
  const oauthMetadata = new Map(wellKnownPaths(ctx, "oauth-authorization-server").map((path) => [path, metadata]));
  for (const base of Object.keys(managementBases) as ManagementBase[]) {
    const document = protectedResource(ctx, base);
    for (const path of wellKnownPaths(ctx, "oauth-protected-resource", base)) {
      oauthMetadata.set(path, () => Promise.resolve(document));
    }
  }
  return { documents, oauthMetadata };
}

/** Returns the addresses of a document (RFC 8414 §3.1, RFC 9728 §3.1): the path of the issuer comes after the name. */
function wellKnownPaths({ config: { baseUrl } }: Context, name: string, path = ""): string[] {
  const address = `/.well-known/${name}`;
  const basePath = new URL(baseUrl).pathname;
  return basePath === "/" ? [address + path] : [address + path, address + basePath + path];
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
