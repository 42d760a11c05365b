/**
 * The contract of the APIs, served by the service itself: the OpenAPI document, the same as pages, and the proto
 * files.
 */
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import type { Config } from "../../config/config";
import type { Methods, Routes } from "../../http/routes";
import { root } from "../../root";
import { ownDescriptorSet } from "../zitadel/own-services";
import { openApiDocument } from "./openapi";
import { apiDocsRoutes } from "./page";
import { staticDocument } from "./static-document";

/** The descriptors of all procedures, compiled: `buf generate <address>` makes a client. */
const DESCRIPTORS = "/proto/service.binpb";

type Addresses = Pick<Config, "baseUrl" | "authUrl">;

export function contractRoutes({ config }: { config: Addresses }): Routes {
  const json = "application/json; charset=utf-8";
  const files = protoFiles();
  const addresses = [...files.keys()].map((file) => `/proto/${file}`);
  return {
    "/openapi.json": document(() => JSON.stringify(openApiDocument(config)), json),
    ...apiDocsRoutes(config),
    "/proto": document(() => JSON.stringify({ files: addresses, descriptors: DESCRIPTORS }), json),
    [DESCRIPTORS]: document(ownDescriptorSet, "application/x-protobuf"),
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

const document = (make: Parameters<typeof staticDocument>[0], type: string): Methods =>
  staticDocument(make, {
    "content-type": type,
    "cache-control": "public, max-age=3600",
    "x-content-type-options": "nosniff",
    "access-control-allow-origin": "*", // readable by tools on web pages
  });
