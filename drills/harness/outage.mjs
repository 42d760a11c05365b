// What clients see from the moment of a fault until requests succeed again.
import { must, say } from "./report.mjs";
import { sleep } from "./service.mjs";

/**
 * Seconds until each of `kinds` has succeeded again, of requests that begin after now; undefined if that takes too long.
 * @param {object} load under way @param {{ limit: number, kinds?: string[] }} options limit: seconds
 */
export async function recovery(load, { limit, kinds = ["token", "refresh", "introspection"] }) {
  const startedAt = Date.now();
  const answered = (kind) => load.counts.get(kind)?.answered ?? 0;
  // Answers that were on their way arrive within half a second.
  await sleep(500);
  const before = new Map(kinds.map((kind) => [kind, answered(kind)]));
  while (Date.now() - startedAt < limit * 1000) {
    if (kinds.every((kind) => answered(kind) > before.get(kind))) return (Date.now() - startedAt) / 1000;
    await sleep(50);
  }
  return undefined;
}

/** The same, said. */
export async function mustRecover(load, { limit, after }) {
  const seconds = await recovery(load, { limit });
  say(
    `  all kinds of requests succeed again ${seconds === undefined ? "never" : `${seconds.toFixed(1)} s`} after ${after}`,
  );
  must(`that is within ${limit} s`, seconds !== undefined);
}

/** Asks /healthz ten times a second; `stop` gives the longest time without an answer in milliseconds. */
export function watchHealth(url) {
  let going = true;
  let longest = 0;
  const watching = (async () => {
    while (going) {
      const askedAt = Date.now();
      await fetch(`${url}/healthz`).catch(() => undefined);
      longest = Math.max(longest, Date.now() - askedAt);
      await sleep(100);
    }
  })();
  return {
    stop: async () => {
      going = false;
      await watching;
      return longest;
    },
  };
}
