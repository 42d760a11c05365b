// A port for a program that is told where to listen.
import { randomInt } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:net";

/** Where nothing listens, connects from, or is forbidden to browsers unless somebody asked for that very port. */
const QUIET_PORTS = { from: 20_000, to: 30_000 };

/**
 * A free port on the loopback interface for a program that is started later. Not one that the system gives out by
 * itself: on a busy machine it would give that one to somebody else meanwhile.
 */
export async function freePort() {
  for (;;) {
    const port = randomInt(QUIET_PORTS.from, QUIET_PORTS.to);
    const server = createServer().listen(port);
    const isFree = await once(server, "listening").then(
      () => true,
      (error) => {
        if (error.code !== "EADDRINUSE") throw error;
        return false;
      },
    );
    if (!isFree) continue;
    server.close();
    await once(server, "close");
    return port;
  }
}
