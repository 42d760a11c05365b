/**
 * Refuses bodies that are too large (attack: exhausted memory). An announced length binds the sender (RFC 9112 §6.3)
 * and is checked by itself: to open the body as a stream costs more than the rest of a small request. One in chunks is
 * counted as it is read. What is too much is still taken from the connection, because closing that while the client
 * sends would lose the answer (RFC 9112 §9.6).
 */
import { once } from "node:events";
import { IncomingMessage } from "node:http";
import type { MiddlewareHandler } from "hono";
import type { Env, Http } from "./env";

/** Bytes that are read and thrown away; whoever sends more learns it from a closed connection. */
const MAX_DROPPED_BYTES = 32 * 1024 * 1024;
/** Milliseconds without a byte after which the rest of an announced body that will be refused is not awaited longer. */
const PATIENCE = 2_000;

/** @param maxSize bytes */
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
    http.req.raw = new Request(raw, { body });
    return next();
  };
}

/** The whole body, undefined where it is larger. */
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

/** Reads and drops an announced body before it is refused. HTTP/2 needs none of this: its streams end on their own. */
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
  await once(body, "end", { signal: over.signal }).catch(() => {}); // given up, or the client has gone
  clearTimeout(silence);
}
