/**
 * Rejects bodies that are too large (attack: memory exhaustion). A Content-Length binds the sender (RFC 9112 §6.3) and
 * is checked alone: opening the body as a stream costs more than the rest of a small request. Chunked bodies are
 * counted while they are read. The rest of a rejected body is still read, because closing the connection while the
 * client sends would lose the response (RFC 9112 §9.6).
 */
import { once } from "node:events";
import { IncomingMessage } from "node:http";
import type { MiddlewareHandler } from "hono";
import type { Env, Http } from "./env";

/** Bytes that are read and discarded; the connection is closed above that. */
const MAX_DROPPED_BYTES = 32 * 1024 * 1024;
/** Time without a byte, in milliseconds, after which the rest of a rejected body is no longer awaited. */
const PATIENCE = 2_000;

/** Limits the body of a request. @param maxSize bytes */
export function limitBody(
  maxSize: number,
  tooLarge: (http: Http) => Response | Promise<Response>,
): MiddlewareHandler<Env> {
  return async (http, next) => {
    const length = http.req.header("content-length");
    const isAnnounced = length !== undefined && http.req.header("transfer-encoding") === undefined;
    if (isAnnounced) {
      if (Number(length) <= maxSize) return next();
      await drop(http.env?.incoming);
      return tooLarge(http as Http);
    }
    const { raw } = http.req;
    if (!raw.body) return next();
    const body = await readAtMost(maxSize, raw.body.getReader());
    if (!body) return tooLarge(http as Http);
    // From its parts: under `next start` the request may be a proxy, which `new Request(raw)` does not accept.
    const { url, method, headers, signal } = raw;
    http.req.raw = new Request(url, { method, headers, signal, body });
    return next();
  };
}

/** Returns the whole body; undefined if it is larger. */
async function readAtMost(
  maxSize: number,
  reader: ReadableStreamDefaultReader<Uint8Array<ArrayBuffer>>,
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  while (size <= maxSize + MAX_DROPPED_BYTES) {
    const { done, value } = await reader.read();
    if (done) return size <= maxSize ? Buffer.concat(chunks) : undefined;
    size += value.length;
    if (size <= maxSize) chunks.push(value);
    else chunks.length = 0;
  }
  return undefined;
}

/**
 * Reads and discards a body with a Content-Length before it is rejected. HTTP/2 does not need this: its streams end
 * independently.
 */
async function drop(body: IncomingMessage | undefined): Promise<void> {
  if (!(body instanceof IncomingMessage)) return;
  const over = new AbortController();
  const silence = setTimeout(() => over.abort(), PATIENCE);
  let left = MAX_DROPPED_BYTES;
  body.on("data", (part: Buffer) => {
    left -= part.length;
    if (left < 0) over.abort();
    else silence.refresh();
  });
  await once(body, "end", { signal: over.signal }).catch(() => {}); // the time is over, or the client has disconnected
  clearTimeout(silence);
}
