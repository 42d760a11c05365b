/**
 * The contract of the APIs, served by the service itself: the OpenAPI document, the same as a page, and the proto
 * files.
 */
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import type { Config } from "../../config";
import { fingerprint } from "../../crypto/digest";
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
  let made: PublicDocument | undefined;
  return {
    GET: (_, http) => {
      made ??= withHeaders(make(), type);
      return publicDocumentAnswer(http, made);
    },
  };
}

function withHeaders(body: string, type: string): PublicDocument {
  const headers = {
    "content-type": type,
    "cache-control": "public, max-age=3600",
    etag: `"${fingerprint(body)}"`,
    "x-content-type-options": "nosniff",
    "access-control-allow-origin": "*",
  };
  return { body, headers };
}
