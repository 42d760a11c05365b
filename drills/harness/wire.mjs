// A proxy that imitates the failures of a network, in front of the database or of the service.
import { once } from "node:events";
import { connect, createServer } from "node:net";
import { atEnd } from "./service.mjs";

/**
 * Starts a proxy.
 * @param {string} url the address behind it
 * @returns {Promise<{ url: string, forget: () => number, stall: (on: boolean) => void, swallow: (what?: RegExp) =>
 *   void, hold: (on: boolean) => void, reset: () => number, lead: (url: string) => void }>}
 */
export async function startWire(url) {
  const pairs = new Set();
  let target = new URL(url);
  let stalled = false;
  let held = false;
  let swallowed;

  const server = createServer((near) => {
    const far = connect(Number(target.port), target.hostname);
    const pair = { near, far };
    pairs.add(pair);
    for (const [from, to] of [
      [near, far],
      [far, near],
    ]) {
      if (stalled || (held && from === far)) from.pause();
      from.on("data", (chunk) => {
        if (pair.forgotten || (pair.swallows && from === far)) return;
        if (from === near && swallowed?.test(chunk.toString("latin1"))) pair.swallows = true;
        to.write(chunk);
      });
      from.on("error", () => {});
      from.on("close", () => {
        if (pair.forgotten) return; // the other side is not notified
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
    /** Drops the data of existing connections from now on, without closing them. New connections work. */
    forget: () => {
      for (const pair of pairs) {
        pair.forgotten = true;
        pair.far.destroy();
      }
      return pairs.size;
    },
    /** Delays all data without loss. */
    stall: (on) => {
      stalled = on;
      for (const { near, far } of pairs) {
        for (const socket of [near, far]) on ? socket.pause() : socket.resume();
      }
    },
    /** Delivers data that matches, and drops all responses on that connection from then on. */
    swallow: (what) => {
      swallowed = what;
    },
    /** Delivers requests and holds responses. */
    hold: (on) => {
      held = on;
      for (const { far } of pairs) on ? far.pause() : far.resume();
    },
    reset: () => {
      const { size } = pairs;
      for (const { near } of pairs) near.resetAndDestroy();
      return size;
    },
    /** Changes the target of new connections, as after a failover. */
    lead: (other) => {
      target = new URL(other);
    },
  };
}
