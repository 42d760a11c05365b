// Controls the load: a number of clients that each send one request after another, or a rate of requests.
const wait = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** Milliseconds that a client waits while requests fail, its own or those of others. */
const AFTER_FAILURE = 500;

/** The mix of most drills: many cheap requests, some sign-ins. A name is repeated by its frequency. */
const MIXED = [
  ...["token", "introspection", "introspection", "refresh", "refresh", "code", "code", "user"],
  ...["token", "introspection", "introspection", "refresh", "refresh", "code", "sign-in"],
];

/**
 * Starts clients that pause for a moment after each response, and longer while requests fail.
 * @returns {{ stop: () => Promise<void> }} resolves after the last response
 */
export function clients(load, { amount, mix = MIXED, pause = 5 }) {
  let going = true;
  const one = async (first) => {
    for (let step = first; going; step++) {
      const startedAt = Date.now();
      await load.flows[mix[step % mix.length]]();
      await wait(load.failures.latest >= startedAt ? AFTER_FAILURE : pause);
    }
  };
  const all = Array.from({ length: amount }, (_, index) => one(index * 3));
  return {
    stop: async () => {
      going = false;
      await Promise.all(all);
    },
  };
}

/** Sends `perSecond` requests, whether or not the previous ones were answered, at most `most` in parallel. */
export function steady(load, { perSecond, most = 200, mix = MIXED }) {
  const open = new Set();
  const startedAt = Date.now();
  let sent = 0;
  let skipped = 0;
  const timer = setInterval(() => {
    for (const due = ((Date.now() - startedAt) * perSecond) / 1000; sent < due; sent++) {
      if (open.size >= most) skipped++;
      else {
        const request = load.flows[mix[sent % mix.length]]().finally(() => open.delete(request));
        open.add(request);
      }
    }
  }, 10);
  return {
    stop: async () => {
      clearInterval(timer);
      await Promise.all(open);
      const seconds = (Date.now() - startedAt) / 1000;
      return { perSecond: (sent - skipped) / seconds, skipped };
    },
  };
}
