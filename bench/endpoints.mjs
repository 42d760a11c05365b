// Measures the endpoints one by one: of ours, of the peers, and the bare limits of the machine. All servers run during
// the whole run and take turns, so that other load on the machine affects all of them and the medians of the rounds can
// be compared.
import { postgresCommits, sqliteCommits } from "./commits.mjs";
import { accounted, startLoad } from "./loading.mjs";
import { anotherDatabase, client, person, startBare, startBetterAuth, startOurs, startPeer } from "./processes.mjs";
import { authorizationUrl, signIn } from "./sign-in.mjs";

export const ENDPOINTS = [
  ...["discovery", "keys", "authorize", "exchange", "pushed", "authorizePushed"],
  ...["authorizeSignedOut", "authorizeByDocument"],
  ...["refresh", "userinfo", "introspectPerson"],
  ...["credentials", "credentialsDpop", "credentialsJwt", "jwtBearer", "introspection", "tokenExchange", "revocation"],
];
/** The endpoints that oidc-provider does not have, or only by configuration. */
const OURS_ALONE = [
  ...["jwtBearer", "tokenExchange", "introspectPerson"],
  ...["pushed", "authorizePushed", "credentialsDpop", "authorizeSignedOut", "authorizeByDocument"],
];
const PEER_ENDPOINTS = ENDPOINTS.filter((name) => !OURS_ALONE.includes(name));
/** better-auth is compared at endpoints for machines and APIs, where both are durable and no user has to sign in. */
const BETTER_AUTH_ENDPOINTS = ["credentials", "credentialsJwt", "introspection", "revocation"];
/** The endpoints whose results an endpoint needs: codes, tokens, and tokens of machines. */
const NEEDS = {
  exchange: ["authorize"],
  refresh: ["authorize", "exchange"],
  userinfo: ["authorize", "exchange"],
  introspectPerson: ["authorize", "exchange"],
  authorizePushed: ["pushed"],
  introspection: ["credentials"],
  tokenExchange: ["authorize", "exchange"],
  revocation: ["credentials"],
};
/** The endpoints with constant responses, which a bare server sends as well. */
const FIXED = { discovery: "/.well-known/openid-configuration", keys: "/oauth/v2/keys" };
const SIGNED = ["exchange", "credentialsJwt"];
/**
 * The number of browsers that sign in before the load: with a single one, the peer would search ever longer lists of
 * its grants.
 */
const BROWSERS = 100;

/**
 * Measures all contenders in rounds.
 * @param {{ wanted: string[], rounds: number, seconds: number, warmUp: number, connections: number, peers: boolean,
 *   compared?: { from: string, node?: string } }} options `compared`: the folder of another built version of ours, and
 *   the Node.js that runs it
 * @param {{ url: string, pid: number } | undefined} postgres undefined for SQLite
 * @returns {Promise<object>} the results of the rounds by contender and endpoint; `commits` per second
 */
export async function measureEndpoints(options, postgres) {
  const stops = [];
  try {
    const contenders = [];
    for (const contender of await contendersOf(options, postgres)) {
      console.error(`${contender.title} …`);
      const server = await contender.start();
      stops.push(server.stop);
      const load = await startLoad(await contender.target(server), options);
      stops.push(load.stop);
      contenders.push({ ...contender, server: { ...server, databasePid: contender.databasePid }, load, results: {} });
    }
    for (let round = 1; round <= options.rounds; round++) await measureRound(contenders, options, round);
    const commits = postgres ? await postgresCommits(postgres.url, 2) : await sqliteCommits(2);
    return { ...Object.fromEntries(contenders.map(({ name, results }) => [name, results])), commits };
  } finally {
    for (const stop of stops.reverse()) await stop();
  }
}

/** Runs in reverse order every second round, so that no contender always follows the same one. */
async function measureRound(contenders, { wanted }, round) {
  const needed = new Set(wanted.flatMap((name) => [...(NEEDS[name] ?? []), name]));
  const inTurn = round % 2 === 1 ? contenders : [...contenders].reverse();
  for (const endpoint of ENDPOINTS.filter((name) => needed.has(name))) {
    for (const { name, plan, server, load, results } of inTurn) {
      if (!plan.includes(endpoint)) continue;
      const result = await accounted(server, () => load.measure(endpoint));
      results[endpoint] ??= [];
      results[endpoint].push(result);
      console.error(`  ${round} ${endpoint}, ${name}: ${Math.round(result.rate)}/s, ${result.processor.toFixed(3)} ms`);
    }
  }
}

/** Returns the contenders: how they start, what the load needs to know about them, and the endpoints to measure. */
async function contendersOf({ wanted, peers, compared }, postgres) {
  const ours = { target: providerTarget(ENDPOINTS), plan: ENDPOINTS, databasePid: postgres?.pid };
  const all = [];
  let fixed;
  /** Ours starts first because the bare server repeats its responses. */
  const target = async (server) => {
    fixed = await fixedAnswers(server);
    return ours.target(server);
  };
  all.push({ ...ours, name: "ours", title: "Our service", start: () => startOurs(postgres?.url), target });
  if (compared) {
    const start = async () => startOurs(await anotherDatabase(postgres), compared);
    all.push({ ...ours, name: "compared", title: `The one in ${compared.from}`, start });
  }
  if (peers) {
    const peer = { target: providerTarget(PEER_ENDPOINTS), plan: PEER_ENDPOINTS, start: startPeer };
    all.push({ ...peer, name: "peer", title: "oidc-provider in memory" });
  }
  if (peers && postgres && BETTER_AUTH_ENDPOINTS.some((name) => wanted.includes(name))) {
    const betterAuth = { target: providerTarget(BETTER_AUTH_ENDPOINTS), plan: BETTER_AUTH_ENDPOINTS };
    const start = () => startBetterAuth(postgres.url);
    const title = "better-auth on the same PostgreSQL";
    all.push({ ...betterAuth, name: "betterAuth", title, start, databasePid: postgres.pid });
  }
  if (Object.keys(FIXED).some((name) => wanted.includes(name))) {
    const bare = ({ issuer }) => ({ issuer, bare: true, fixed });
    const start = () =>
      startBare("fixed", Object.fromEntries(Object.values(fixed).map(({ path, ...answer }) => [path, answer])));
    all.push({ name: "bareHttp", title: "Bare node:http", start, target: bare, plan: Object.keys(FIXED) });
  }
  if (SIGNED.some((name) => wanted.includes(name))) {
    for (const kind of ["signedInPool", "signedInline"]) {
      const bare = ({ issuer }) => ({ issuer, bare: true });
      const plan = SIGNED.filter((name) => wanted.includes(name)).slice(0, 1);
      all.push({ name: kind, title: `Bare RS256 (${kind})`, start: () => startBare(kind), target: bare, plan });
    }
  }
  return all;
}

/** Returns how the load starts. Browsers sign in only if the contender has an endpoint that needs a user. */
function providerTarget(endpoints) {
  return async ({ issuer, machines, document }) => {
    const cookies = [];
    if (endpoints.includes("authorize")) {
      const metadata = await (await fetch(`${issuer}/.well-known/openid-configuration`)).json();
      const start = authorizationUrl(metadata.authorization_endpoint, client);
      while (cookies.length < BROWSERS) cookies.push(await signIn(start, client, person));
    }
    return { issuer, cookies, client, machines, document };
  };
}

/** Returns the responses that make a bare server comparable: those of ours with all headers, at the same addresses. */
async function fixedAnswers({ issuer }) {
  const own = new Set(["date", "connection", "keep-alive", "content-length", "transfer-encoding"]);
  const answers = {};
  for (const [name, path] of Object.entries(FIXED)) {
    const response = await fetch(issuer + path);
    const headers = Object.fromEntries([...response.headers].filter(([header]) => !own.has(header)));
    answers[name] = { path, headers, body: await response.text() };
  }
  return answers;
}
