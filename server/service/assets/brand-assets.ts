/**
 * Logos and icons of brands, at addresses derived from their content, so that caches may keep them forever. They are
 * served with the detected type and cannot run anything (attack: stored scripts).
 */
import type { Context } from "../../context";
import type { Http } from "../../http/env";
import type { Routes } from "../../http/routes";
import { findAsset } from "../../storage/branding/assets";
import { publicDocumentAnswer } from "../../web/public-document";
import { notFoundAnswer } from "../answers/errors";

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

export const brandAssetRoutes: Routes = { "/assets/v1/:digest": { GET: assetRoute } };
