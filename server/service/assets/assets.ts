/** The files of public/icons/ (logo, icons): few and small, read once at start and served from memory with an ETag. */
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import type { Context } from "../../context";
import { fingerprint } from "../../crypto/digest";
import type { Http } from "../../http/env";
import type { Routes } from "../../http/routes";
import type { PublicDocument } from "../../oidc/endpoints/discovery";
import { findAsset } from "../../storage/branding/assets";
import { publicDocumentAnswer } from "../../web/public-document";
import { notFoundAnswer } from "../answers/errors";

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

const DIGEST = /^[\w-]{43}$/;

async function assetRoute(ctx: Context, http: Http): Promise<Response> {
  const digest = http.req.param("digest") ?? "";
  const asset = DIGEST.test(digest) ? await findAsset(ctx.db, digest) : undefined;
  if (!asset) return notFoundAnswer(ctx, http);
  const { contentType, content } = asset;
  return publicDocumentAnswer(http, {
    body: new Uint8Array(content),
    headers: {
      "content-type": contentType,
      "cache-control": "public, max-age=31536000, immutable",
      etag: `"${digest}"`,
      "x-content-type-options": "nosniff",
      "content-security-policy": "default-src 'none'; sandbox",
      // Webmail shows it from other sites.
      "cross-origin-resource-policy": "cross-origin",
    },
  });
}

/**
 * Logos and icons of brands, at addresses derived from their content, so that caches may keep them forever. They are
 * served with the detected type and cannot run anything (attack: stored scripts).
 */
export const brandAssetRoutes: Routes = { "/assets/v1/:digest": { GET: assetRoute } };
