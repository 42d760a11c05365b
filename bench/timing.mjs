// Tests whether response times reveal the existence of an account: posts the same form for names with and without an
// account, in turns, and compares the response times with a rank test. It prints how often an attacker would be right
// with the guess "slower means known"; 50 % means that nothing is revealed.
import { client } from "./processes.mjs";
import { authorizationUrl } from "./sign-in.mjs";

/** Seconds before another email may be requested. */
const RESEND_PAUSE = 31;
const PASSWORD = "a lamp, a river and a tram";

/** Known and unknown names have the same length. */
export const knownName = (number) => `known-${String(number).padStart(4, "0")}@acme.test`;
const unknownName = (number) => `guess-${String(number).padStart(4, "0")}@acme.test`;

/** Every attempt comes from another network, because the service would throttle a single one. */
let networks = 0;
function anotherNetwork() {
  networks++;
  return { "x-forwarded-for": `10.${(networks >> 16) & 255}.${(networks >> 8) & 255}.${networks & 255}` };
}

async function newFlow(issuer, parameters = {}) {
  const url = new URL(authorizationUrl(`${issuer}/oauth/v2/authorize`, client));
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  const { headers } = await fetch(url, { redirect: "manual" });
  return flowOf(headers.get("location"));
}

const flowOf = (location) => new URL(location).searchParams.get("flow");

/** Posts a form. Returns the response time in milliseconds and the address of the redirect. */
async function post(issuer, path, form) {
  const headers = { origin: issuer, ...anotherNetwork() };
  const startedAt = performance.now();
  const response = await fetch(`${issuer}${path}`, {
    ...{ method: "POST", body: new URLSearchParams(form), headers, redirect: "manual" },
  });
  await response.arrayBuffer();
  const time = performance.now() - startedAt;
  if (response.status !== 303) throw new Error(`${path}: ${response.status}`);
  return { time, location: response.headers.get("location") };
}

const FORMS = {
  async signIn(issuer, loginName) {
    const flow = await newFlow(issuer);
    return post(issuer, "/login/submit", { flow, loginName, password: "wrong wrong wrong" });
  },
  async reset(issuer, loginName) {
    const flow = await newFlow(issuer);
    return post(issuer, "/login/forgot-password/submit", { flow, loginName });
  },
  async registration(issuer, email) {
    const flow = await newFlow(issuer, { prompt: "create" });
    const form = { flow, email, givenName: "Grace", familyName: "Hopper", password: PASSWORD };
    return post(issuer, "/login/create-account/submit", form);
  },
};

/**
 * Alternates between both kinds, in random order within each pair, so that other load on the machine affects both
 * equally.
 */
async function inTurns(count, attempt) {
  const times = { known: [], unknown: [] };
  for (let number = 0; number < count; number++) {
    const pair = [
      ["known", knownName(number)],
      ["unknown", unknownName(number)],
    ];
    if (Math.random() < 0.5) pair.reverse();
    for (const [kind, name] of pair) times[kind].push(await attempt(name));
  }
  return times;
}

/** Measures and prints. @param options.count the number of attempts of each kind and form */
export async function measureTiming(server, { count, withResend }) {
  const { issuer } = server;
  console.log(
    `\nKnown and unknown names, ${count} attempts each: median ms, and how often the slower is the known one`,
  );
  for (const name of ["signIn", "reset"]) {
    report(name, await inTurns(count, async (typed) => (await FORMS[name](issuer, typed)).time));
  }
  const flows = new Map();
  const registered = await inTurns(count, async (typed) => {
    const { time, location } = await FORMS.registration(issuer, typed);
    flows.set(typed, flowOf(location));
    return time;
  });
  report("registration", registered);
  if (!withResend) return;
  await new Promise((resolve) => setTimeout(resolve, RESEND_PAUSE * 1000));
  const again = (typed) => post(issuer, "/login/verify-email/resend", { flow: flows.get(typed) });
  report("resend", await inTurns(count, async (typed) => (await again(typed)).time));
}

function report(name, { known, unknown }) {
  const { share, p } = rankTest(known, unknown);
  const verdict = p < 0.01 ? "a difference" : "no difference to be seen";
  const medians = `${median(known).toFixed(2)} known, ${median(unknown).toFixed(2)} unknown`;
  console.log(`  ${name.padEnd(13)}${medians}; ${(share * 100).toFixed(0)} %, p = ${p.toFixed(3)}: ${verdict}`);
}

const median = (values) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];

/**
 * Returns the result of a Mann-Whitney test: the share of pairs whose first value is larger, and the two-sided p-value
 * (normal).
 */
function rankTest(first, second) {
  const all = [...first.map((value) => [value, true]), ...second.map((value) => [value, false])];
  all.sort(([a], [b]) => a - b);
  const rankSum = all.reduce((sum, [, isFirst], index) => sum + (isFirst ? index + 1 : 0), 0);
  const pairs = first.length * second.length;
  const larger = rankSum - (first.length * (first.length + 1)) / 2;
  const z = (larger - pairs / 2) / Math.sqrt((pairs * (all.length + 1)) / 12);
  return { share: larger / pairs, p: 2 * upperTail(Math.abs(z)) };
}

/** The upper tail of the normal distribution (Abramowitz and Stegun 26.2.17, error below 1e-7). */
function upperTail(z) {
  const t = 1 / (1 + 0.2316419 * z);
  const factors = [1.330274429, -1.821255978, 1.781477937, -0.356563782, 0.31938153];
  const sum = factors.reduce((total, factor) => (total + factor) * t, 0);
  return (Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI)) * sum;
}
