// Finds a port for a program whose port must be chosen before it starts.
import { randomInt } from "node:crypto";
import { createSocket } from "node:dgram";
import { once } from "node:events";
import { createServer } from "node:net";

/** Where nothing listens, connects from, or is forbidden to browsers unless somebody asked for that very port. */
const QUIET_PORTS = { from: 20_000, to: 30_000 };

/**
 * A free port on the loopback interface for a program that is started later. Not one that the system gives out by
 * itself: on a busy machine it would give that one to somebody else meanwhile. Nobody else is told the same one while this
 * process runs, also once nothing listens there any more: what is sent to a server that is away reaches no other.
 * @param {() => number} [draw] where to look first, and next
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

/** A claim that all processes of the machine see and that ends with ours: the same number of UDP, which nothing here uses. */
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
