// Signing in by password: how many complete sign-ins per second (authorization request, page, form, code), beside the
// machine's bare argon2id rate; and how long the token endpoint takes while hundreds of sign-ins wait for their turn.
import { fork } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { mainThreadTime, processorTime } from "./accounting.mjs";
import { exchange } from "./exchange.mjs";
import { startLoad } from "./loading.mjs";
import { client, person } from "./processes.mjs";
import { authorizationUrl, prepareSignIn, signIn } from "./sign-in.mjs";

const AT_ONCE = 16;
const STORM = 500;
const TOKEN_CONNECTIONS = 8;
/**
 * Many, as each sign-in runs much code only a few times, and it takes a while until V8 has compiled all of it. Counted and
 * not timed: on a busy machine few fit into a time, and what was measured then was the compiler.
 */
const WARM_UP_SIGN_INS = 1000;

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

/** That many complete sign-ins. */
async function warmUp({ issuer }) {
  let left = WARM_UP_SIGN_INS;
  const repeat = async () => {
    while (left-- > 0) await signIn(start(issuer), client, person);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, repeat));
}

/** Complete sign-ins per second, and for one the processor time of the service and of its main thread, milliseconds. */
async function signInRate({ issuer, pid }, seconds) {
  const end = performance.now() + seconds * 1000;
  const taken = () => [processorTime(pid), mainThreadTime(pid)];
  const before = taken();
  let count = 0;
  let inTime = 0;
  const repeat = async () => {
    while (performance.now() < end) {
      await signIn(start(issuer), client, person);
      count++;
      if (performance.now() <= end) inTime++;
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, repeat));
  const [processor, main] = taken().map((time, index) => (time - before[index]) / count);
  return { rate: inTime / seconds, processor, main };
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

/** Measures and prints; returns whether an answer was not as expected. */
export async function measurePasswordSignIns(server, seconds) {
  await warmUp(server);
  const before = await askModule("argon2.mjs", { seconds });
  const { rate, processor, main } = await signInRate(server, seconds);
  const after = await askModule("argon2.mjs", { seconds });
  const bare = (before.rate + after.rate) / 2;
  const quiet = await tokenLoad(server, { seconds, warmUp: 1 });
  const busy = await storm(server, seconds);
  const hash = (before.processor + after.processor) / 2;
  const ms = (value) => `${value.toFixed(1)} ms`;
  const times = ({ rate, p50, p99 }) =>
    rate > 0 ? `${Math.round(rate)}/s, p50 ${ms(p50)}, p99 ${ms(p99)}` : "no answer in the time measured";
  console.log(`\nPassword sign-ins, ${AT_ONCE} at once: ${rate.toFixed(1)}/s`);
  console.log(`Bare argon2id, all cores: ${bare.toFixed(1)}/s; sign-ins to it: ${(rate / bare).toFixed(2)} ×`);
  console.log(
    `Processor time of a sign-in: ${ms(processor)}, of a hash: ${ms(hash)} (${(hash / processor).toFixed(2)} ×); the service's own part is ${ms(processor - hash)}; its main thread takes ${ms(main)}`,
  );
  console.log(`Token endpoint alone: ${times(quiet)}`);
  console.log(`While ${STORM} sign-ins queue (for ${busy.lasted.toFixed(1)} s): ${times(busy.tokens)}`);
  if (busy.failed > 0) console.log(`${busy.failed} of the queued sign-ins failed`);
  return busy.failed > 0 || busy.tokens.errors > 0 || quiet.errors > 0;
}
