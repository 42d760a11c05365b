/**
 * Serves the scripts and styles of the console, as built by Next.js: from memory, compressed if the client accepts it
 * (RFC 9110 §12.5.3). Their names change with their contents, so that browsers cache them forever. They contain neither
 * secrets nor anything from a request, so compression reveals nothing (attack: BREACH).
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import path from "node:path";
import { fingerprint } from "../crypto/digest";
import { acceptedEncoding, type Packed, packedForms } from "../http/content-encoding";

/** Handles a request. Returns whether it was answered. */
export type StaticFiles = (request: IncomingMessage, response: ServerResponse) => boolean;

const TYPES: Record<string, string> = {
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".json": "application/json",
  ".svg": "image/svg+xml",
  ".woff2": "font/woff2",
};
/**
 * The first line of each script: browsers that know it (V8) compile all functions while the script is loading, in
 * another thread. Otherwise the functions of a cold page are compiled one by one when they are called, which is half of
 * what such a page costs.
 */
const COMPILE_AT_ONCE = Buffer.from("//# allFunctionsCalledOnLoad\n");
/** The types that are not already compressed. */
const COMPRESSIBLE = new Set([".js", ".css", ".json", ".svg"]);

interface StaticFile {
  bytes: Buffer;
  headers: Record<string, string>;
  etag: string;
  isCompressible: boolean;
  packed: Packed;
}

/**
 * Reads the folder once.
 * @param prefix the address of the folder, without a slash at the end
 */
export function staticFiles(folder: string, prefix: string): StaticFiles {
  const files = new Map<string, StaticFile>();
  for (const name of existsSync(folder) ? readdirSync(folder, { recursive: true, encoding: "utf8" }) : []) {
    const file = readStaticFile(path.join(folder, name));
    if (file) files.set(`${prefix}/${name.split(path.sep).join("/")}`, file);
  }
  return (request, response) => {
    if (request.method !== "GET" && request.method !== "HEAD") return false;
    const file = files.get((request.url ?? "").split("?", 1)[0] ?? "");
    if (!file) return false;
    void answer(file, request, response);
    return true;
  };
}

function readStaticFile(file: string): StaticFile | undefined {
  const extension = path.extname(file);
  const type = TYPES[extension];
  if (type === undefined) return undefined;
  const content = readFileSync(file);
  const bytes = extension === ".js" ? Buffer.concat([COMPILE_AT_ONCE, content]) : content;
  const headers = {
    "content-type": type,
    "cache-control": "public, max-age=31536000, immutable",
    "x-content-type-options": "nosniff",
    vary: "Accept-Encoding",
  };
  const etag = fingerprint(bytes);
  return { bytes, headers, etag, isCompressible: COMPRESSIBLE.has(extension), packed: packedForms(bytes) };
}

async function answer(file: StaticFile, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const encoding = file.isCompressible ? acceptedEncoding(request.headers["accept-encoding"]) : undefined;
  // Two encodings of one file are two representations (RFC 9110 §8.8.3.3).
  const headers = { ...file.headers, etag: `"${file.etag}${encoding ? `-${encoding}` : ""}"` };
  if (request.headers["if-none-match"] === headers.etag) return void response.writeHead(304, headers).end();
  const body = encoding === undefined ? file.bytes : await file.packed(encoding);
  response.writeHead(200, {
    ...headers,
    ...(encoding && { "content-encoding": encoding }),
    "content-length": body.length,
  });
  response.end(request.method === "HEAD" ? undefined : body);
}
