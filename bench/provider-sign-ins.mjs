// Sign-ins at an identity provider beside those by password, in turns on one server: the processor time of the service
// for each, without the hash of the password, which libuv's pool takes. At a provider the pool counts: it only resolves
// names and verifies signatures there.
import { threadTimes } from "./accounting.mjs";
import { client, person } from "./processes.mjs";
import { median } from "./report.mjs";
import { authorizationUrl, signIn } from "./sign-in.mjs";

const SIGN_INS_PER_ROUND = 100;
/** Each runs much code only a few times, so V8 takes a while to compile all of it. */
const WARM_UP_SIGN_INS = 1000;

let networks = 0;

/** Returns the processor time of one sign-in in milliseconds. */
async function cost(server, how, count = SIGN_INS_PER_ROUND) {
  const before = threadTimes(server.pid);
  const start = authorizationUrl(`${server.issuer}/oauth/v2/authorize`, client);
  for (let left = count; left > 0; left--) {
    // One network may start only some hundred sign-ins at providers.
    const headers = { "x-forwarded-for": `10.${networks >> 8}.${networks++ & 255}.1` };
    await signIn(start, client, { ...person, headers, isAtProvider: how === "provider" });
  }
  const after = threadTimes(server.pid);
  const counted = how === "provider" ? ["main", "helpers", "pool"] : ["main", "helpers"];
  return counted.reduce((sum, name) => sum + after[name] - before[name], 0) / count;
}

/** Measures and prints. */
export async function measureProviderSignIns(server, { rounds }) {
  for (const how of ["password", "provider"]) await cost(server, how, WARM_UP_SIGN_INS);
  const measured = [];
  for (let round = 0; round < rounds; round++) {
    const order = round % 2 === 0 ? ["password", "provider"] : ["provider", "password"];
    const costs = {};
    for (const how of order) costs[how] = await cost(server, how);
    measured.push({ ...costs, ratio: costs.provider / costs.password });
  }
  const shown = (name) => {
    const values = measured.map((round) => round[name]);
    return `${median(values).toFixed(2)} (${Math.min(...values).toFixed(2)} to ${Math.max(...values).toFixed(2)})`;
  };
  console.log(`\nSign-ins one after another, ${rounds} rounds of ${SIGN_INS_PER_ROUND}; processor time of one in ms:`);
  console.log(`  by password, without the hash: ${shown("password")}`);
  console.log(`  at an identity provider: ${shown("provider")}, ${shown("ratio")} × that`);
}
