// Signing in by password: how many complete sign-ins per second (authorization request, page, form, code), beside the
// machine's bare argon2id rate; what one costs the service beside the hash; and how long the token endpoint takes while
// hundreds of sign-ins wait for their turn.
//
// The service's own part is the processor time of its processes without that of libuv's pool, in the same moments: in a
// sign-in nothing but hashes is given to the pool. The difference to a hash that is measured elsewhere would be of two
// figures four times as large, each as uncertain as the machine is busy. What hashing costs the other threads, with which it
// shares cores and caches, is in the own part.
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
 * Many, as each sign-in runs much code only a few times, and it takes a while until V8 has compiled all of it. Counted and
 * not timed: on a busy machine few fit into a time, and what was measured then was the compiler.
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

/** That many complete sign-ins, so many at once. */
async function signInOften({ issuer }, count, atOnce) {
  let left = count;
  const repeat = async () => {
    while (left-- > 0) await signIn(start(issuer), client, person);
  };
  await Promise.all(Array.from({ length: atOnce }, repeat));
}

/** Sign-ins per second, and for one the processor time of the hash and of all else, milliseconds. */
async function measureRound(server, atOnce) {
  const before = threadTimes(server.pid);
  const startedAt = performance.now();
  await signInOften(server, SIGN_INS_PER_ROUND, atOnce);
  const rate = (SIGN_INS_PER_ROUND / (performance.now() - startedAt)) * 1000;
  const after = threadTimes(server.pid);
  const taken = (...threads) => threads.reduce((sum, name) => sum + after[name] - before[name], 0) / SIGN_INS_PER_ROUND;
  return { rate, hash: taken("pool"), own: taken("main", "helpers"), main: taken("main") };
}

/** In turns, every second round the other way round; resolves with the rounds of each server. */
async function measureRounds(servers, rounds, atOnce) {
  const measured = servers.map(() => []);
  for (let round = 0; round < rounds; round++) {
    const order = [...servers.keys()];
    if (round % 2 === 1) order.reverse();
    for (const place of order) measured[place].push(await measureRound(servers[place], atOnce));
  }
  return measured;
}

/** Client credentials from a few connections; their latencies are taken in another process. */
async function tokenLoad({ issuer, machines }, { seconds, warmUp }) {
  const target = { issuer, cookies: [], client, machines };
  const load = await startLoad(target, { seconds, warmUp, connections: TOKEN_CONNECTIONS });
  try {
    return await load.measure("credentials");
  } finally {
    load.stop();
  }
}

/** Opens all forms first, then posts them all at once, so that nothing but passwords is waiting. */
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

/** The median, and the lowest and the highest of the rounds. */
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

/** What sign-ins cost, many at once and one after another; resolves with our rate of many. */
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
 * Measures and prints; returns whether an answer was not as expected.
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
