/**
 * Answers that nobody reads. What a client has asked for and does not take stays in memory, for as long as it likes
 * (attack: slow read): a connection on which an answer waits and does not get on is closed.
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Http2ServerResponse } from "node:http2";

/** Milliseconds without progress. */
const UNREAD_LIMIT = 30_000;

/** An answer that is still being made may take any time: only one that waits to be read is given up. */
export function limitUnread(request: IncomingMessage, response: ServerResponse, limit = UNREAD_LIMIT): void {
  const { socket } = request; // of the answer it is gone once everything has been handed over
  response.setTimeout(limit, () => {
    const { stream } = response as unknown as Partial<Http2ServerResponse>;
    const way = stream ?? socket;
    if (way.writableLength > 0) way.destroy();
  });
}
