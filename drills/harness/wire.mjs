// A network between the service and its database that can fail in the ways that networks do.
import { once } from "node:events";
import { connect, createServer } from "node:net";
import { atEnd } from "./service.mjs";

/**
 * @param {string} url of the database behind it
 * @returns {Promise<{ url: string, forget: () => number, stall: (on: boolean) => void, reset: () => number, lead: (url: string) => void }>}
 */
export async function startWire(url) {
  const pairs = new Set();
  let target = new URL(url);
  let stalled = false;

  const server = createServer((near) => {
    const far = connect(Number(target.port), target.hostname);
    const pair = { near, far };
    pairs.add(pair);
    for (const [from, to] of [
      [near, far],
      [far, near],
    ]) {
      if (stalled) from.pause();
      from.on("data", (chunk) => {
        if (!pair.forgotten) to.write(chunk);
      });
      from.on("error", () => {});
      from.on("close", () => {
        if (pair.forgotten) return; // nobody hears of it
        to.destroy();
        pairs.delete(pair);
      });
    }
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const end = () => {
    for (const { near, far } of pairs) {
      near.destroy();
      far.destroy();
    }
  };
  atEnd(() => {
    end();
    server.close();
  });

  return {
    url: Object.assign(new URL(url), { port: server.address().port }).href,
    /** What is connected leads nowhere from now on, and nobody is told; new connections work. */
    forget: () => {
      for (const pair of pairs) {
        pair.forgotten = true;
        pair.far.destroy();
      }
      return pairs.size;
    },
    /** Nothing moves, nothing is lost. */
    stall: (on) => {
      stalled = on;
      for (const { near, far } of pairs) {
        for (const socket of [near, far]) on ? socket.pause() : socket.resume();
      }
    },
    reset: () => {
      const { size } = pairs;
      for (const { near } of pairs) near.resetAndDestroy();
      return size;
    },
    /** Where new connections lead from now on, as after a failover. */
    lead: (other) => {
      target = new URL(other);
    },
  };
}
