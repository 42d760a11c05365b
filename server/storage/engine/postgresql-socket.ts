/**
 * Sockets to PostgreSQL that notice a silent end. A load balancer, NAT or firewall that forgets a connection, or a host
 * that dies, sends no RST: the server's own time limits are no help, as nobody is left to keep them, and TCP gives up
 * after a quarter of an hour (RFC 9293 §3.8.3). So the limit is kept here.
 */
import net from "node:net";

/**
 * Milliseconds without a byte in either direction. Longer than the server's statement_timeout: a server that is there
 * has always said something by then.
 */
export const SILENCE_LIMIT = 8_000;

/**
 * Sockets for `stream` of pg's connections. One on which nothing has come or gone for the time of `limit` is destroyed
 * with ETIMEDOUT, and so is whatever waits on it; a connection that is merely idle is opened anew when it is needed.
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
