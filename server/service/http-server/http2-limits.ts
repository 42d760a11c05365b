/**
 * Applies limits to HTTP/2 that Node applies only to HTTP/1.1: a request must arrive in time, a complete response ends
 * the stream even if the request is incomplete, and an unused connection is closed. Otherwise a client that stops in
 * the middle of a request keeps its stream and connection forever (attack: slowloris).
 */
import http2 from "node:http2";

export interface Http2Limits {
  /** Milliseconds. */
  requestTimeout: number;
  keepAliveTimeout: number;
}

const { NGHTTP2_CANCEL, NGHTTP2_NO_ERROR } = http2.constants;
const { NGHTTP2_STREAM_STATE_OPEN, NGHTTP2_STREAM_STATE_HALF_CLOSED_LOCAL } = http2.constants;

/** Applies the limits. Also ignores errors of clients that disconnect. */
export function limitHttp2(server: http2.Http2Server | http2.Http2SecureServer, limits: Http2Limits): void {
  server.on("session", (session) => session.setTimeout(limits.keepAliveTimeout, () => session.close()));
  server.on("sessionError", () => {});
  server.on("stream", (stream) => {
    if (stream.endAfterHeaders) return;
    const late = setTimeout(() => {
      if (isArriving(stream)) stream.close(NGHTTP2_CANCEL);
    }, limits.requestTimeout);
    stream.once("close", () => clearTimeout(late));
    // Node sends the trailers in the next turn; only then is the response complete.
    stream.once("wantTrailers", () => setImmediate(() => setImmediate(letGo, stream)));
  });
}

/**
 * Ends the stream of a response sent before the end of the request (RFC 9113 §8.1). The rest of the request is not
 * needed, and this is not an error.
 */
function letGo(stream: http2.ServerHttp2Stream): void {
  const isAnswered = stream.state.state === NGHTTP2_STREAM_STATE_HALF_CLOSED_LOCAL;
  if (!isAnswered || stream.destroyed) return;
  stream.close(NGHTTP2_NO_ERROR);
  stream.destroy(); // otherwise it waits until the received data is read
}

function isArriving({ destroyed, state }: http2.ServerHttp2Stream): boolean {
  const open = [NGHTTP2_STREAM_STATE_OPEN, NGHTTP2_STREAM_STATE_HALF_CLOSED_LOCAL];
  return !destroyed && open.includes(state.state ?? -1);
}
