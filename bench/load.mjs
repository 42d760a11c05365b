// Generates load with autocannon in a separate process, so that it does not share an event loop with a server. It
// receives its target, then the names of endpoints one at a time, and sends each result. Every response is checked;
// unexpected ones count as errors. Latencies are measured here in fractions of a millisecond because autocannon's
// histogram only has whole ones.
import autocannon from "autocannon";
import { bareLoads, providerLoads } from "./requests.mjs";

/** The maximum number of code exchanges per second for which codes are prepared. */
const MAX_EXCHANGES = 2500;
/** Seconds. */
const WARM_AGAIN = 0.25;

process.once("message", async ({ target, seconds, warmUp, connections }) => {
  const loads = target.bare ? bareLoads(target) : await providerLoads(target, MAX_EXCHANGES * (seconds + warmUp));
  const used = new Set();
  process.on("message", async (name) => {
    // A server that already answered this load only needs its connections opened and its caches filled.
    const how = { seconds, connections, warmUp: used.has(name) ? Math.min(warmUp, WARM_AGAIN) : warmUp };
    used.add(name);
    process.send({ result: await measure({ ...how, ...loads[name]() }) });
  });
  process.send({ ready: true });
});

/**
 * Measures one load with autocannon.
 * @param {() => object} load.request returns what one connection sends, in the format of autocannon
 * @param {number} [load.amount] a number of requests instead of a duration; the first 15 % of them warm up
 * @param {{ count: number, example?: string }} load.wrong counted by the request's own checks
 * @returns {Promise<{ rate: number, p50: number, p99: number, answers: number, errors: number, example?: string }>}
 *   per second; ms; all responses, including those of the warm-up
 */
async function measure({ url, request, amount, wrong, verifyBody, connections, seconds, warmUp }) {
  const wrongBefore = wrong.count;
  const times = [];
  const latencies = [];
  const started = performance.now();
  const run = autocannon({
    url,
    connections,
    timeout: 30,
    ...(amount ? { amount: amount - (amount % connections) } : { duration: Math.ceil(warmUp + seconds) }),
    ...(verifyBody ? { verifyBody } : {}),
    setupClient: (connection) => connection.setRequests([request()]),
  });
  run.on("response", (_connection, _status, _bytes, latency) => {
    times.push(performance.now());
    latencies.push(latency);
  });
  const result = await run;
  const end = times[times.length - 1] ?? started;
  const from = amount ? (times[Math.floor(times.length * 0.15)] ?? started) : started + warmUp * 1000;
  const to = amount ? end : Math.min(end, started + (warmUp + seconds) * 1000);
  const sorted = Float64Array.from(latencies.filter((_, index) => times[index] >= from && times[index] <= to)).sort();
  return {
    rate: sorted.length / ((to - from) / 1000),
    p50: sorted[Math.floor(sorted.length * 0.5)],
    p99: sorted[Math.floor(sorted.length * 0.99)],
    answers: times.length,
    errors: result.errors + wrong.count - wrongBefore, // includes timeouts
    example: wrong.example,
  };
}
