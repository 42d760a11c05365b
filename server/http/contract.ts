/** The contract of the APIs, served by the service that keeps it: the OpenAPI document, as a page too, and the proto files. */
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import type { Context } from "../context";
import { digest } from "../crypto/digest";
import { root } from "../root";
import { apiDocsMethods } from "./docs/page";
import { openApiDocument } from "./openapi";
import { publicDocumentAnswer } from "./public-document";
import type { Methods, Routes } from "./routes";

export function contractRoutes(ctx: Context): Routes {
  const json = "application/json; charset=utf-8";
  const files = protoFiles();
  const addresses = [...files.keys()].map((file) => `/proto/${file}`);
  return {
    "/openapi.json": document(JSON.stringify(openApiDocument(ctx.config)), json),
    "/docs/api": apiDocsMethods(ctx.config),
    "/proto": document(JSON.stringify({ files: addresses }), json),
    ...Object.fromEntries(
      [...files].map(([file, text]) => [`/proto/${file}`, document(text, "text/plain; charset=utf-8")]),
    ),
  };
}

/** By their names as they import each other. */
function protoFiles(): Map<string, string> {
  const directory = path.join(root, "proto");
  const names = readdirSync(directory, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".proto"));
  return new Map(
    names
      .sort()
      .map((name) => [name.split(path.sep).join("/"), readFileSync(path.join(directory, name), "utf8")] as const),
  );
}

/** The same for everybody until the next version; tools on web pages may read it. */
function document(body: string, type: string): Methods {
  const headers = {
    "content-type": type,
    "cache-control": "public, max-age=3600",
    etag: `"${digest(body).slice(0, 22)}"`,
    "x-content-type-options": "nosniff",
    "access-control-allow-origin": "*",
  };
  return { GET: (_, http) => publicDocumentAnswer(http, { body, headers }) };
}
