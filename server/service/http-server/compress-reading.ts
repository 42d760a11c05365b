/**
 * Compresses the data of a page that the console's scripts read when the user goes from page to page (media type
 * `text/x-component`, React Server Components). Documents stay uncompressed: a site could let a browser request them
 * with an input of its choice and measure their length (attack: BREACH). It cannot do so with this data: that takes the
 * header `rsc`, which other sites may not send without a permission that the console does not give (CORS), and the
 * session's cookie is SameSite.
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import { constants, createBrotliCompress, createGzip } from "node:zlib";
import { acceptedEncoding } from "../../http/content-encoding";

/** Low levels: each response is compressed once, while the user waits. */
const STREAMS = {
  br: () => createBrotliCompress({ params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }),
  gzip: () => createGzip({ level: 4 }),
} as const;

/** Prepares a response, before Next writes it. Other responses are not changed. */
export function compressReading({ headers }: IncomingMessage, response: ServerResponse): void {
  const encoding = headers.rsc === "1" ? acceptedEncoding(headers["accept-encoding"]) : undefined;
  if (encoding === undefined) return;
  const write = response.write.bind(response);
  const end = response.end.bind(response);
  const flushHeaders = response.flushHeaders.bind(response);
  let stream: ReturnType<(typeof STREAMS)[typeof encoding]> | undefined;
  let hasBegun = false;
  /** Decides when the headers are complete, which is before the first byte. */
  const begin = () => {
    if (hasBegun) return;
    hasBegun = true;
    const isReading = String(response.getHeader("content-type")).startsWith("text/x-component");
    if (response.headersSent || !isReading || response.hasHeader("content-encoding")) return;
    response.removeHeader("content-length");
    response.setHeader("content-encoding", encoding);
    response.appendHeader("vary", "accept-encoding");
    const packed = STREAMS[encoding]();
    packed.on("data", (bytes: Buffer) => write(bytes) || packed.pause());
    packed.on("drain", () => response.emit("drain"));
    packed.on("end", () => end());
    response.on("drain", () => packed.resume());
    response.once("close", () => packed.destroy());
    stream = packed;
  };
  response.flushHeaders = () => {
    begin();
    flushHeaders();
  };
  response.write = (...given: unknown[]) => {
    begin();
    const parameters = given as Parameters<typeof write>;
    return stream ? stream.write(...parameters) : write(...parameters);
  };
  response.end = (...given: unknown[]) => {
    begin();
    const parameters = given as Parameters<typeof end>;
    if (stream) stream.end(...parameters);
    else end(...parameters);
    return response;
  };
}
