/**
 * What Node holds HTTP/1.1 connections to and HTTP/2 ones not: a request arrives within its time, an answer that is
 * complete ends the stream even if the request is not, and a connection that nobody uses is closed. Without it a client
 * that stops in the middle of a request keeps stream and connection for good (attack: slowloris).
 */
import http2 from "node:http2";

export interface Http2Limits {
  /** Milliseconds. */
  requestTimeout: number;
  keepAliveTimeout: number;
}

const { NGHTTP2_CANCEL, NGHTTP2_NO_ERROR } = http2.constants;
const { NGHTTP2_STREAM_STATE_OPEN, NGHTTP2_STREAM_STATE_HALF_CLOSED_LOCAL } = http2.constants;

/** Also swallows the errors of clients that break off: nothing is wrong here. */
export function limitHttp2(server: http2.Http2Server | http2.Http2SecureServer, limits: Http2Limits): void {
  server.on("session", (session) => session.setTimeout(limits.keepAliveTimeout, () => session.close()));
  server.on("sessionError", () => {});
  server.on("stream", (stream) => {
    if (stream.endAfterHeaders) return;
    const late = setTimeout(() => {
      if (isArriving(stream)) stream.close(NGHTTP2_CANCEL);
    }, limits.requestTimeout);
    stream.once("close", () => clearTimeout(late));
    // Node hands the trailers over in the next turn; only then is the answer complete.
    stream.once("wantTrailers", () => setImmediate(() => setImmediate(letGo, stream)));
  });
}

/** An answer before the end of the request, RFC 9113 §8.1: what is still to come is not wanted, and that is no error. */
function letGo(stream: http2.ServerHttp2Stream): void {
  const isAnswered = stream.state.state === NGHTTP2_STREAM_STATE_HALF_CLOSED_LOCAL;
  if (!isAnswered || stream.destroyed) return;
  stream.close(NGHTTP2_NO_ERROR);
  stream.destroy(); // otherwise it waits until somebody reads what has arrived
}

function isArriving({ destroyed, state }: http2.ServerHttp2Stream): boolean {
  const open = [NGHTTP2_STREAM_STATE_OPEN, NGHTTP2_STREAM_STATE_HALF_CLOSED_LOCAL];
  return !destroyed && open.includes(state.state ?? -1);
}
