/**
 * Sockets to PostgreSQL that detect a silent end. A load balancer, NAT or firewall that forgets a connection, or a host
 * that dies, sends no RST. The server's time limits do not help then, and TCP gives up after a quarter of an hour (RFC
 * 9293 §3.8.3). So the limit is enforced here.
 */
import net from "node:net";

/**
 * Milliseconds without a byte in either direction. Longer than the server's statement_timeout, by which a living server
 * has always answered.
 */
export const SILENCE_LIMIT = 8_000;

/**
 * Returns sockets for the `stream` option of pg's connections. A socket without traffic for `limit` is destroyed with
 * ETIMEDOUT, and so are the queries that wait for it. An idle connection is opened again when it is needed.
 * @param limit milliseconds
 */
export function socketsThatEnd(limit: number): () => net.Socket {
  return () => {
    const socket = new net.Socket();
    socket.setTimeout(limit, () => {
      socket.destroy(Object.assign(new Error("the database was silent for too long"), { code: "ETIMEDOUT" }));
    });
    return socket;
  };
}
