/**
 * Limits responses that the client does not read. They would stay in memory for as long as the client likes (attack:
 * slow read), so a connection is closed if its response waits without progress.
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Http2ServerResponse } from "node:http2";

/** Milliseconds without progress. */
const UNREAD_LIMIT = 30_000;

/**
 * Limits a response. It may take any time while it is still being produced; only one that waits to be read is aborted.
 */
export function limitUnread(request: IncomingMessage, response: ServerResponse, limit = UNREAD_LIMIT): void {
  const { socket } = request; // the response loses its socket once everything has been handed over
  response.setTimeout(limit, () => {
    const { stream } = response as unknown as Partial<Http2ServerResponse>;
    const way = stream ?? socket;
    if (way.writableLength > 0) way.destroy();
  });
}
