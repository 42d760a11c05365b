/** The files of public/icons/ (logo, icons): few and small, read once at start and served from memory with an ETag. */
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { fingerprint } from "../../crypto/digest";
import type { PublicDocument } from "../../oidc/endpoints/discovery";

const TYPES: Record<string, string> = {
  ".svg": "image/svg+xml",
  ".ico": "image/x-icon",
  ".png": "image/png",
  ".txt": "text/plain; charset=utf-8",
};

/** Address to file, for every file directly in the directory. */
export function readAssets(directory: string): Map<string, PublicDocument<Uint8Array<ArrayBuffer>>> {
  const assets = new Map<string, PublicDocument<Uint8Array<ArrayBuffer>>>();
  for (const entry of readdirSync(directory, { withFileTypes: true })) {
    const type = TYPES[path.extname(entry.name)];
    if (!entry.isFile() || type === undefined) continue;
    const body = new Uint8Array(readFileSync(path.join(directory, entry.name)));
    assets.set(`/${entry.name}`, {
      body,
      headers: {
        "content-type": type,
        "cache-control": "public, max-age=3600",
        etag: `"${fingerprint(body)}"`,
        "x-content-type-options": "nosniff",
        // An SVG is a document: if it is opened directly, it must not load or run anything.
        "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'; sandbox",
      },
    });
  }
  return assets;
}
