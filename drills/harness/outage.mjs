// The effects of a fault on clients, until requests succeed again.
import { must, say } from "./report.mjs";
import { sleep } from "./service.mjs";

/**
 * Returns the seconds until requests of each of `kinds` that begin after now have succeeded; undefined after the
 * limit.
 * @param {object} load the running load
 * @param {{ limit: number, kinds?: string[] }} options limit: seconds
 */
async function recovery(load, { limit, kinds = ["token", "refresh", "introspection"] }) {
  const startedAt = Date.now();
  const answered = (kind) => load.counts.get(kind)?.answered ?? 0;
  // Responses on their way arrive within half a second.
  await sleep(500);
  const before = new Map(kinds.map((kind) => [kind, answered(kind)]));
  while (Date.now() - startedAt < limit * 1000) {
    if (kinds.every((kind) => answered(kind) > before.get(kind))) return (Date.now() - startedAt) / 1000;
    await sleep(50);
  }
  return undefined;
}

/** Reports the result of `recovery`. */
export async function mustRecover(load, { limit, after }) {
  const seconds = await recovery(load, { limit });
  say(
    `  all kinds of requests succeed again ${seconds === undefined ? "never" : `${seconds.toFixed(1)} s`} after ${after}`,
  );
  must(`that is within ${limit} s`, seconds !== undefined);
}

/**
 * Milliseconds: the age after which a request counts as hanging, and the time without failures after which the service
 * counts as recovered.
 */
const [HANGS, QUIET] = [9_000, 3_000];

/**
 * Reports the seconds after which no request fails and none hangs. One success of each kind proves little: other nodes
 * and other connections answer beside those that hang.
 * @param {{ limit: number, after: string }} options limit: seconds
 */
export async function mustSettle(load, { limit, after }) {
  const startedAt = Date.now();
  await sleep(HANGS + 1_000); // requests that hang are now older than slow ones
  const isWell = () => load.oldest() < HANGS && Date.now() - load.failures.latest > QUIET;
  while (!isWell() && Date.now() - startedAt < limit * 1000) await sleep(50);
  const latest = Math.max(0, load.failures.latest - startedAt) / 1000;
  say(`  the last request failed ${latest.toFixed(1)} s after ${after}; the oldest waits ${load.oldest()} ms`);
  must(`nothing fails and nothing hangs within ${limit} s`, isWell());
}

/**
 * Requests /healthz ten times a second. `longest` returns the longest time without a response so far in milliseconds.
 */
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
    longest: () => longest,
    stop: async () => {
      going = false;
      await watching;
      return longest;
    },
  };
}
