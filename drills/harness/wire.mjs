// A network that can fail in the ways that networks do, in front of the database or of the service.
import { once } from "node:events";
import { connect, createServer } from "node:net";
import { atEnd } from "./service.mjs";

/**
 * @param {string} url of what is behind it
 * @returns {Promise<{ url: string, forget: () => number, stall: (on: boolean) => void, swallow: (what?: RegExp) => void, hold: (on: boolean) => void, reset: () => number, lead: (url: string) => void }>}
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
    /** Existing connections lead nowhere from now on, without notice; new connections work. */
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
    /** What matches arrives, and nothing comes back on that connection any more. */
    swallow: (what) => {
      swallowed = what;
    },
    /** Requests arrive, answers wait. */
    hold: (on) => {
      held = on;
      for (const { far } of pairs) on ? far.pause() : far.resume();
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
