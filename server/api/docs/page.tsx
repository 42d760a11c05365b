// `/docs/api`: the OpenAPI document as a page, made once. It is the same for everybody and has no script; its style is
// allowed by its hash.
import { gzipSync } from "node:zlib";
import { renderToStaticMarkup } from "react-dom/server";
import { ApiPage } from "../../../components/docs/api-page";
import docsSource from "../../../components/docs/docs.css?raw";
import tokensSource from "../../../components/ui/tokens.css?raw";
import type { Config } from "../../config";
import { fingerprint } from "../../crypto/digest";
import type { Http } from "../../http/env";
import type { Methods } from "../../http/routes";
import { contentHash, publicPageHeaders } from "../../web/pages/headers";
import { publicDocumentAnswer } from "../../web/public-document";
import { describeApi, type OpenApi } from "./describe";
import { AUDIENCE_SCOPE, openApiDocument } from "./openapi";

const style = (tokensSource + docsSource).replace(/\/\*[\s\S]*?\*\//g, "").replace(/\s+/g, " ");

interface Made {
  headers: Record<string, string>;
  html: string;
  packed: Uint8Array<ArrayBuffer>;
}

function make(config: Pick<Config, "baseUrl" | "authUrl">): Made {
  const docs = describeApi(openApiDocument(config) as OpenApi, AUDIENCE_SCOPE);
  const html = `<!doctype html>${renderToStaticMarkup(<ApiPage docs={docs} style={style} />)}`;
  const headers = {
    ...publicPageHeaders({ styleHash: contentHash(style) }),
    "content-type": "text/html; charset=utf-8",
    "content-language": "en",
    "cache-control": "public, max-age=3600",
    etag: `"${fingerprint(html)}"`,
    vary: "accept-encoding",
  };
  return { headers, html, packed: new Uint8Array(gzipSync(html)) };
}

/** Made on the first request, so that the start does not wait for it. */
export function apiDocsMethods(config: Pick<Config, "baseUrl" | "authUrl">): Methods {
  let made: Made | undefined;
  return {
    GET: (_, http) => {
      made ??= make(config);
      const { headers, html, packed } = made;
      if (!takesGzip(http)) return publicDocumentAnswer(http, { body: html, headers });
      const etag = headers.etag?.replace(/"$/, '-gz"') ?? "";
      return publicDocumentAnswer(http, {
        body: packed,
        headers: { ...headers, etag, "content-encoding": "gzip" },
      });
    },
  };
}

/** RFC 9110 §12.5.3; `gzip;q=0` refuses it. */
function takesGzip(http: Http): boolean {
  const accepted = http.req.header("accept-encoding") ?? "";
  return /\bgzip\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/i.test(accepted);
}
