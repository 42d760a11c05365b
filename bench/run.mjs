// npm run bench: measures our most used endpoints, those of other providers, and the limits of the machine, one after
// the other in one run, because figures of different runs cannot be compared. See --help.
import { fork } from "node:child_process";
import { cpus } from "node:os";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { postgresCommits, sqliteCommits } from "./commits.mjs";
import { measurePasswordSignIns } from "./password-sign-ins.mjs";
import {
  anotherDatabase,
  client,
  person,
  residentMemory,
  startBare,
  startBetterAuth,
  startOurs,
  startPeer,
} from "./processes.mjs";
import { printReport } from "./report.mjs";
import { authorizationUrl, signIn } from "./sign-in.mjs";
import { measureTexts } from "./texts.mjs";
import { knownName, measureTiming } from "./timing.mjs";
import { measureUsers } from "./users.mjs";

const ENDPOINTS = [
  ...["discovery", "keys", "authorize", "exchange", "refresh", "userinfo"],
  ...["credentials", "credentialsJwt", "jwtBearer", "introspection", "tokenExchange", "revocation"],
];
/** What oidc-provider does not have. */
const OURS_ALONE = ["jwtBearer", "tokenExchange"];
const PEER_ENDPOINTS = ENDPOINTS.filter((name) => !OURS_ALONE.includes(name));
/** better-auth is compared at endpoints for machines and APIs, where both are durable and nobody has to sign in. */
const BETTER_AUTH_ENDPOINTS = ["credentials", "credentialsJwt", "introspection", "revocation"];
/** Codes come from the authorization endpoint, tokens from redeeming them, those of machines from their credentials. */
const NEEDS = {
  exchange: ["authorize"],
  refresh: ["authorize", "exchange"],
  userinfo: ["authorize", "exchange"],
  introspection: ["credentials"],
  tokenExchange: ["authorize", "exchange"],
  revocation: ["credentials"],
};
/** Measurements of more than one endpoint. */
const STUDIES = ["passwords", "texts", "timing"];
/** Only on request, as filling the database takes minutes. */
const LONG_STUDIES = ["users"];
const WARM_UP_SECONDS = 1;
/** Attempts of each kind; enough for a rank test to see what an attacker could. */
const TIMED = { full: 100, quick: 15 };
/** Browsers signed in before the load: with only one, the peer would search ever longer lists of its grants. */
const BROWSERS = 100;

const HELP = `npm run bench -- [options]
  --seconds <n>       of load per endpoint after 1 s of warming up (default 4)
  --connections <n>   kept open by the load (default 32)
  --only <names>      of ${ENDPOINTS.join(", ")};
                      passwords: complete sign-ins per second, and tokens while many wait to sign in;
                      texts: messages with the texts of many organizations;
                      timing: whether the clock tells who has an account (minutes);
                      users: lists and searches among 1 k and 1 M users (minutes, not by default); comma-separated
  --quick             a look of two minutes: 1 s per endpoint, no peers, few attempts
  --postgres          our service on a PostgreSQL started for it, instead of SQLite, and better-auth on the same one
  --no-peer           ours and the bare limits only`;

const { values: options } = parseArgs({
  options: {
    seconds: { type: "string" },
    connections: { type: "string", default: "32" },
    only: { type: "string", default: [...ENDPOINTS, ...STUDIES].join(",") },
    quick: { type: "boolean", default: false },
    postgres: { type: "boolean", default: false },
    peer: { type: "boolean", default: true },
    help: { type: "boolean", default: false },
  },
  allowNegative: true,
});
const asked = options.only.split(",");
const wanted = asked.filter((name) => ENDPOINTS.includes(name));
const seconds = Number(options.seconds ?? (options.quick ? 1 : 4));
const connections = Number(options.connections);
const unknown = asked.find((name) => ![...ENDPOINTS, ...STUDIES, ...LONG_STUDIES].includes(name));
if (options.help || unknown || !(seconds > 0) || !(connections > 0)) {
  console.error(unknown ? `There is no endpoint "${unknown}".\n${HELP}` : HELP);
  process.exit(options.help ? 0 : 1);
}

/** Loads one target; resolves with the results by name, each with the server's memory afterwards. */
function load(target, plan, pid) {
  const child = fork(fileURLToPath(new URL("load.mjs", import.meta.url)));
  child.send({ target, plan, seconds, warmUp: WARM_UP_SECONDS, connections });
  const results = {};
  return new Promise((resolve, reject) => {
    child.on("message", ({ name, result }) => {
      results[name] = { ...result, memory: residentMemory(pid) };
      console.error(`  ${name}: ${Math.round(result.rate)}/s`);
    });
    child.on("exit", (code) => (code === 0 ? resolve(results) : reject(new Error(`the load ended with ${code}`))));
  });
}

/** Starts a server, uses it, and stops it whatever happens. */
async function withServer(name, start, use) {
  console.error(`${name} …`);
  const server = await start();
  try {
    return await use(server);
  } finally {
    await server.stop();
  }
}

/** Browsers sign in only if one of the endpoints needs a person. */
async function measureProvider({ issuer, pid, machines }, endpoints) {
  const needed = new Set(wanted.flatMap((name) => [...(NEEDS[name] ?? []), name]));
  const plan = endpoints.filter((name) => needed.has(name));
  const cookies = [];
  if (endpoints.includes("authorize")) {
    const metadata = await (await fetch(`${issuer}/.well-known/openid-configuration`)).json();
    const start = authorizationUrl(metadata.authorization_endpoint, client);
    while (cookies.length < BROWSERS) cookies.push(await signIn(start, client, person));
  }
  return load({ issuer, cookies, client, machines }, plan, pid);
}

/** oidc-provider always, better-auth if it can use the same database. */
async function measurePeers(databaseUrl) {
  const inMemory = (server) => measureProvider(server, PEER_ENDPOINTS);
  const peer = await withServer("oidc-provider in memory", startPeer, inMemory);
  if (!databaseUrl || !BETTER_AUTH_ENDPOINTS.some((name) => wanted.includes(name))) return { peer };
  const onPostgres = (server) => measureProvider(server, BETTER_AUTH_ENDPOINTS);
  const start = () => startBetterAuth(databaseUrl);
  return { peer, betterAuth: await withServer("better-auth on the same PostgreSQL", start, onPostgres) };
}

/** The answer a bare server has to give to be comparable: our discovery document with all its headers. */
async function discoveryAnswer({ issuer }) {
  const response = await fetch(`${issuer}/.well-known/openid-configuration`);
  const own = new Set(["date", "connection", "keep-alive", "content-length", "transfer-encoding"]);
  const headers = Object.fromEntries([...response.headers].filter(([name]) => !own.has(name)));
  return { headers, body: await response.text() };
}

/** The endpoints one by one, ours, the peers' and the bare limits; returns whether any answer was not as expected. */
async function measureEndpoints(postgres) {
  let answer;
  const ours = await withServer(
    `Our service on ${postgres ? "PostgreSQL" : "SQLite"}`,
    () => startOurs(postgres?.url),
    async (server) => {
      answer = await discoveryAnswer(server);
      return measureProvider(server, ENDPOINTS);
    },
  );
  const { peer, betterAuth } = options.peer && !options.quick ? await measurePeers(postgres?.url) : {};
  const bare = {};
  const bareLoad =
    (plan) =>
    ({ issuer, pid }) =>
      load({ issuer, bare: true, body: answer.body }, [plan], pid);
  if (wanted.includes("discovery") || wanted.includes("keys")) {
    bare.http = await withServer("Bare node:http", () => startBare("fixed", answer), bareLoad("fixed"));
  }
  if (["exchange", "credentialsJwt"].some((name) => wanted.includes(name))) {
    for (const kind of ["signedInPool", "signedInline"]) {
      const one = await withServer(`Bare RS256 (${kind})`, () => startBare(kind), bareLoad("signed"));
      if (!bare.sign || one.signed.rate > bare.sign.signed.rate) bare.sign = one;
    }
  }
  bare.commits = postgres ? await postgresCommits(postgres.url, 2) : await sqliteCommits(2);
  const machine = `${cpus().length} × ${cpus()[0]?.model ?? "unknown processor"}, Node ${process.version}`;
  const database = postgres ? "PostgreSQL" : "SQLite";
  return printReport({ wanted, ours, peer, betterAuth, bare, machine, connections, database });
}

/** On servers of their own, each with what it needs; returns whether any answer was not as expected. */
async function measureStudies(postgres) {
  let failed = false;
  const study = (name, more, measure) =>
    withServer(name, async () => startOurs(await anotherDatabase(postgres), more), measure);
  if (asked.includes("passwords")) {
    const measure = (server) => measurePasswordSignIns(server, Math.max(2, seconds));
    failed = await study("Password sign-ins", {}, measure);
  }
  if (asked.includes("texts")) await study("Texts of many organizations", {}, measureTexts);
  if (asked.includes("users")) await study("Users", {}, measureUsers);
  if (asked.includes("timing")) {
    const count = options.quick ? TIMED.quick : TIMED.full;
    const people = Array.from({ length: count }, (_, number) => knownName(number));
    const more = { people, env: { TRUSTED_PROXIES: "127.0.0.1,::1" } };
    await study("Timing", more, (server) => measureTiming(server, { count, withResend: !options.quick }));
  }
  return failed;
}

const { startPostgres } = options.postgres ? await import("../scripts/postgres.mjs") : {};
const postgres = await startPostgres?.();
try {
  const failed = [
    wanted.length > 0 && (await measureEndpoints(postgres)),
    asked.length > wanted.length && (await measureStudies(postgres)),
  ];
  process.exitCode = failed.includes(true) ? 1 : 0;
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
} finally {
  await postgres?.stop();
}
