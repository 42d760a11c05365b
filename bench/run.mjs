// npm run bench: our hot endpoints, those of peers, and what the machine can do at best, one after the other in one
// run, because figures of different runs cannot be compared. See --help.
import { fork } from "node:child_process";
import { cpus } from "node:os";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { postgresCommits, sqliteCommits } from "./commits.mjs";
import { client, person, residentMemory, startBare, startBetterAuth, startOurs, startPeer } from "./processes.mjs";
import { printReport } from "./report.mjs";
import { authorizationUrl, signIn } from "./sign-in.mjs";

const ENDPOINTS = [
  ...["discovery", "keys", "authorize", "exchange", "refresh", "userinfo"],
  ...["credentials", "credentialsJwt", "jwtBearer", "introspection", "tokenExchange", "revocation"],
];
/** What oidc-provider does not have. */
const OURS_ALONE = ["jwtBearer", "tokenExchange"];
const PEER_ENDPOINTS = ENDPOINTS.filter((name) => !OURS_ALONE.includes(name));
/** better-auth is compared where both are durable and nobody has to sign in: at what machines and APIs ask for. */
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
const WARM_UP_SECONDS = 1;
/** Signed in before the load: with one alone the peer would search ever longer lists of what it was granted. */
const BROWSERS = 100;

const HELP = `npm run bench -- [options]
  --seconds <n>       of load per endpoint after 1 s of warming up (default 4)
  --connections <n>   kept open by the load (default 32)
  --only <names>      of ${ENDPOINTS.join(", ")}, comma-separated
  --postgres          our service on a PostgreSQL started for it, instead of SQLite, and better-auth on the same one
  --no-peer           ours and the bare limits only`;

const { values: options } = parseArgs({
  options: {
    seconds: { type: "string", default: "4" },
    connections: { type: "string", default: "32" },
    only: { type: "string", default: ENDPOINTS.join(",") },
    postgres: { type: "boolean", default: false },
    peer: { type: "boolean", default: true },
    help: { type: "boolean", default: false },
  },
  allowNegative: true,
});
const wanted = options.only.split(",");
const seconds = Number(options.seconds);
const connections = Number(options.connections);
const unknown = wanted.find((name) => !ENDPOINTS.includes(name));
if (options.help || unknown || !(seconds > 0) || !(connections > 0)) {
  console.error(unknown ? `There is no endpoint "${unknown}".\n${HELP}` : HELP);
  process.exit(options.help ? 0 : 1);
}

/** Puts load on one target; resolves with the results by name, each with the server's memory right after it. */
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

/** Browsers sign in only where one of the endpoints is asked on behalf of a person. */
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

/** Each beside ours: oidc-provider always, better-auth where it can have the same database. */
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

const { startPostgres } = options.postgres ? await import("../scripts/postgres.mjs") : {};
const postgres = await startPostgres?.();
try {
  let answer;
  const ours = await withServer(
    `Our service on ${postgres ? "PostgreSQL" : "SQLite"}`,
    () => startOurs(postgres?.url),
    async (server) => {
      answer = await discoveryAnswer(server);
      return measureProvider(server, ENDPOINTS);
    },
  );
  const { peer, betterAuth } = options.peer ? await measurePeers(postgres?.url) : {};
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
  const failed = printReport({
    wanted,
    ours,
    peer,
    betterAuth,
    bare,
    machine,
    connections,
    database: postgres ? "PostgreSQL" : "SQLite",
  });
  process.exitCode = failed ? 1 : 0;
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
} finally {
  await postgres?.stop();
}
