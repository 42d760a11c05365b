/**
 * The contract of the APIs, served by the service itself: the OpenAPI document, the same as a page, and the proto
 * files.
 */
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import type { Config } from "../../config";
import { fingerprint } from "../../crypto/digest";
import { acceptedEncoding, type Encoding, type Packed, packedForms } from "../../http/content-encoding";
import type { Methods, Routes } from "../../http/routes";
import type { PublicDocument } from "../../oidc/endpoints/discovery";
import { root } from "../../root";
import { publicDocumentAnswer } from "../../web/public-document";
import { openApiDocument } from "./openapi";
import { apiDocsMethods } from "./page";

type Addresses = Pick<Config, "baseUrl" | "authUrl">;

export function contractRoutes({ config }: { config: Addresses }): Routes {
  const json = "application/json; charset=utf-8";
  const files = protoFiles();
  const addresses = [...files.keys()].map((file) => `/proto/${file}`);
  return {
    "/openapi.json": document(() => JSON.stringify(openApiDocument(config)), json),
    "/docs/api": apiDocsMethods(config),
    "/proto": document(() => JSON.stringify({ files: addresses }), json),
    ...Object.fromEntries(
      [...files].map(([file, text]) => [`/proto/${file}`, document(() => text, "text/plain; charset=utf-8")]),
    ),
  };
}

/** By the names under which they import each other. */
function protoFiles(): Map<string, string> {
  const directory = path.join(root, "proto");
  const names = readdirSync(directory, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".proto"));
  return new Map(
    names
      .sort()
      .map((name) => [name.split(path.sep).join("/"), readFileSync(path.join(directory, name), "utf8")] as const),
  );
}

/**
 * The same for everybody until the next version, and readable by tools on web pages. Made on the first request, so that
 * the start does not wait for it.
 */
function document(make: () => string, type: string): Methods {
  let made: { plain: PublicDocument<Uint8Array<ArrayBuffer>>; packed: Packed } | undefined;
  return {
    GET: async (_, http) => {
      made ??= prepared(new TextEncoder().encode(make()), type);
      const encoding = acceptedEncoding(http.req.header("accept-encoding"));
      return publicDocumentAnswer(http, encoding ? await inEncoding(made, encoding) : made.plain);
    },
  };
}

/** One copy for everybody: a string would be encoded anew for each who asks, and held until they have read it. */
function prepared(body: Uint8Array<ArrayBuffer>, type: string) {
  return { plain: withHeaders(body, type), packed: packedForms(body) };
}

/** Two forms of one document are two representations (RFC 9110 §8.8.3.3). */
async function inEncoding(
  { plain, packed }: { plain: PublicDocument<Uint8Array<ArrayBuffer>>; packed: Packed },
  encoding: Encoding,
): Promise<PublicDocument<Uint8Array<ArrayBuffer>>> {
  const etag = plain.headers.etag?.replace(/"$/, `-${encoding}"`) ?? "";
  return { body: await packed(encoding), headers: { ...plain.headers, etag, "content-encoding": encoding } };
}

function withHeaders(body: Uint8Array<ArrayBuffer>, type: string): PublicDocument<Uint8Array<ArrayBuffer>> {
  const headers = {
    "content-type": type,
    "cache-control": "public, max-age=3600",
    etag: `"${fingerprint(body)}"`,
    "x-content-type-options": "nosniff",
    "access-control-allow-origin": "*",
    vary: "Accept-Encoding",
  };
  return { body, headers };
}
