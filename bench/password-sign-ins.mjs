// Sign-ins by password: the rate of complete sign-ins (authorization request, page, form, code) beside the machine's
// bare argon2id rate, the cost of one beside the hash, and the latency of the token endpoint while hundreds of sign-ins
// wait.
//
// The cost of the service is the processor time of its processes without that of libuv's pool in the same interval: in
// a sign-in the pool only hashes. Subtracting a hash that was measured elsewhere would be the difference of two values
// four times as large, each with the noise of the machine. The slowdown of other threads by hashing, which shares cores
// and caches, is included.
import { fork } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { threadTimes } from "./accounting.mjs";
import { exchange } from "./exchange.mjs";
import { startLoad } from "./loading.mjs";
import { client, person } from "./processes.mjs";
import { median } from "./report.mjs";
import { authorizationUrl, prepareSignIn, signIn } from "./sign-in.mjs";

const AT_ONCE = 16;
const SIGN_INS_PER_ROUND = 100;
const STORM = 500;
const TOKEN_CONNECTIONS = 8;
/**
 * The number of sign-ins before the measurement. Each runs much code only a few times, so V8 takes a while to compile
 * all of it. A number instead of a duration: few sign-ins fit into a duration on a busy machine, and the compiler
 * would be measured.
 */
const WARM_UP_SIGN_INS = 2000;

const start = (issuer) => authorizationUrl(`${issuer}/oauth/v2/authorize`, client);

/** Runs a module of this folder once; resolves with the message it sends. */
function askModule(name, message) {
  const child = fork(fileURLToPath(new URL(name, import.meta.url)));
  child.send(message);
  return new Promise((resolve, reject) => {
    child.once("message", resolve);
    child.once("exit", (code) => code === 0 || reject(new Error(`${name} ended with ${code}`)));
  });
}

/** Completes `count` sign-ins, `atOnce` in parallel. */
async function signInOften({ issuer }, count, atOnce) {
  let left = count;
  const repeat = async () => {
    while (left-- > 0) await signIn(start(issuer), client, person);
  };
  await Promise.all(Array.from({ length: atOnce }, repeat));
}

/**
 * Returns the sign-ins per second, and the processor time of the hash and of everything else per sign-in in
 * milliseconds.
 */
async function measureRound(server, atOnce) {
  const before = threadTimes(server.pid);
  const startedAt = performance.now();
  await signInOften(server, SIGN_INS_PER_ROUND, atOnce);
  const rate = (SIGN_INS_PER_ROUND / (performance.now() - startedAt)) * 1000;
  const after = threadTimes(server.pid);
  const taken = (...threads) => threads.reduce((sum, name) => sum + after[name] - before[name], 0) / SIGN_INS_PER_ROUND;
  return { rate, hash: taken("pool"), own: taken("main", "helpers"), main: taken("main") };
}

/** Measures the servers in turns, in reverse order every second round. Resolves with the rounds of each server. */
async function measureRounds(servers, rounds, atOnce) {
  const measured = servers.map(() => []);
  for (let round = 0; round < rounds; round++) {
    const order = [...servers.keys()];
    if (round % 2 === 1) order.reverse();
    for (const place of order) measured[place].push(await measureRound(servers[place], atOnce));
  }
  return measured;
}

/** Requests client credentials on a few connections. Latencies are measured in another process. */
async function tokenLoad({ issuer, machines }, { seconds, warmUp }) {
  const target = { issuer, cookies: [], client, machines };
  const load = await startLoad(target, { seconds, warmUp, connections: TOKEN_CONNECTIONS });
  try {
    return await load.measure("credentials");
  } finally {
    load.stop();
  }
}

/** Opens all forms first, then posts them together, so that only passwords are waiting. */
async function storm(server, seconds) {
  const forms = [];
  while (forms.length < STORM) {
    const some = Array.from({ length: 50 }, () => prepareSignIn(start(server.issuer), client, person));
    forms.push(...(await Promise.all(some)));
  }
  const warmUp = 1;
  const tokens = tokenLoad(server, { seconds, warmUp });
  await sleep(warmUp * 1000);
  const startedAt = performance.now();
  const answers = await Promise.all(
    forms.map(async (form) => {
      const { location } = (await exchange(form)).headers;
      return location?.startsWith(client.redirectUri) && new URL(location).searchParams.has("code");
    }),
  );
  const lasted = (performance.now() - startedAt) / 1000;
  return { tokens: await tokens, lasted, failed: answers.filter((isRight) => !isRight).length };
}

const ms = (value) => `${value.toFixed(1)} ms`;

/** Formats the median, the lowest and the highest value of the rounds. */
function inRounds(values, digits = 1) {
  const [middle, lowest, highest] = [median(values), Math.min(...values), Math.max(...values)];
  return `${middle.toFixed(digits)} (${lowest.toFixed(digits)} to ${highest.toFixed(digits)})`;
}

function printRounds(title, measured) {
  const of = (name) => measured.map((round) => round[name]);
  console.log(`${title}: ${inRounds(of("rate"))} a second`);
  console.log(
    `  processor time of one in ms: hash ${inRounds(of("hash"))}, own part ${inRounds(of("own"), 2)}, of it the main thread ${inRounds(of("main"), 2)}`,
  );
}

/** Measures the cost of parallel and of sequential sign-ins. Resolves with the rate of our parallel ones. */
async function measureCosts(ours, compared, rounds) {
  const servers = compared ? [ours, compared] : [ours];
  for (const server of servers) await signInOften(server, WARM_UP_SIGN_INS, AT_ONCE);
  const rates = [];
  for (const atOnce of [AT_ONCE, 1]) {
    const [own, other] = await measureRounds(servers, rounds, atOnce);
    const how = atOnce === 1 ? "one after another" : `${atOnce} at once`;
    printRounds(`\nPassword sign-ins, ${how}, ${rounds} rounds of ${SIGN_INS_PER_ROUND}`, own);
    rates.push(median(own.map(({ rate }) => rate)));
    if (!other) continue;
    const ratios = own.map((round, index) => round.own / other[index].own);
    printRounds("  compared", other);
    console.log(`  own part to compared: ${inRounds(ratios, 2)} ×`);
  }
  return rates[0];
}

/**
 * Measures and prints. Returns whether a response was unexpected.
 * @param {{ seconds: number, rounds: number, compared?: object }} options `compared`: another version of the service
 */
export async function measurePasswordSignIns(server, { seconds, rounds, compared }) {
  const before = await askModule("argon2.mjs", { seconds });
  const rate = await measureCosts(server, compared, rounds);
  const after = await askModule("argon2.mjs", { seconds });
  const bare = (before.rate + after.rate) / 2;
  const quiet = await tokenLoad(server, { seconds, warmUp: 1 });
  const busy = await storm(server, seconds);
  const times = ({ rate, p50, p99 }) =>
    rate > 0 ? `${Math.round(rate)}/s, p50 ${ms(p50)}, p99 ${ms(p99)}` : "no answer in the time measured";
  console.log(`Bare argon2id, all cores: ${bare.toFixed(1)}/s; sign-ins to it: ${(rate / bare).toFixed(2)} ×`);
  console.log(`Token endpoint alone: ${times(quiet)}`);
  console.log(`While ${STORM} sign-ins queue (for ${busy.lasted.toFixed(1)} s): ${times(busy.tokens)}`);
  if (busy.failed > 0) console.log(`${busy.failed} of the queued sign-ins failed`);
  return busy.failed > 0 || busy.tokens.errors > 0 || quiet.errors > 0;
}
