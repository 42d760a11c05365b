// Finds a port for a program whose port must be chosen before it starts.
import { randomInt } from "node:crypto";
import { createSocket } from "node:dgram";
import { once } from "node:events";
import { createServer } from "node:net";

/** Ports on which nothing listens, from which the system makes no connections, and which browsers do not block. */
const QUIET_PORTS = { from: 20_000, to: 30_000 };

/**
 * Returns a free port on the loopback interface for a program that is started later. It is not a port that the system
 * assigns by itself, because a busy machine could assign it to another program in the meantime. No other caller gets
 * the same port while this process runs, even after the program stopped, so that requests to it reach no other server.
 * @param {() => number} [draw] returns the first and the next port to try
 */
export async function freePort(draw = () => randomInt(QUIET_PORTS.from, QUIET_PORTS.to)) {
  for (;;) {
    const port = draw();
    const claim = await claimPort(port);
    if (!claim) continue;
    if (await isFree(port)) return port;
    claim.close();
  }
}

/**
 * Claims a port for the lifetime of this process, visibly to all processes of the machine: binds the UDP port of the
 * same number, which nothing here uses.
 */
async function claimPort(port) {
  const claim = createSocket("udp4").unref();
  claim.bind({ port, address: "127.0.0.1", exclusive: true });
  try {
    await once(claim, "listening");
    return claim;
  } catch (error) {
    claim.close();
    if (error.code !== "EADDRINUSE") throw error;
    return undefined;
  }
}

async function isFree(port) {
  const server = createServer().listen(port);
  try {
    await once(server, "listening");
  } catch (error) {
    if (error.code !== "EADDRINUSE") throw error;
    return false;
  }
  server.close();
  await once(server, "close");
  return true;
}
