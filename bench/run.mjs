// npm run bench: measures the most used endpoints of ours and of other providers, and the limits of the machine, in
// turns in one run, because values of different runs cannot be compared. See --help.
import { cpus } from "node:os";
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { inProject } from "../scripts/environment.mjs";
import { measureConsole } from "./console.mjs";
import { ENDPOINTS, measureEndpoints } from "./endpoints.mjs";
import { measurePasswordSignIns } from "./password-sign-ins.mjs";
import { measureProcedures } from "./procedures.mjs";
import { anotherDatabase, startIdentityProvider, startOurs } from "./processes.mjs";
import { measureProviderSignIns } from "./provider-sign-ins.mjs";
import { printReport, writeTable } from "./report.mjs";
import { measureTexts } from "./texts.mjs";
import { knownName, measureTiming } from "./timing.mjs";
import { measureUsers } from "./users.mjs";

/** Measurements of more than one endpoint. */
const STUDIES = ["passwords", "texts", "timing"];
/** Only on request, because they take minutes. */
const LONG_STUDIES = ["console", "procedures", "providers", "users"];
const WARM_UP_SECONDS = 1;
/** The number of attempts of each kind, enough for a rank test to detect what an attacker could detect. */
const TIMED = { full: 100, quick: 15 };

/** Requests name the address that they come from. */
const BEHIND_PROXY = { TRUSTED_PROXIES: "127.0.0.1,::1" };

const HELP = `npm run bench -- [options]
  --seconds <n>       of load per endpoint and round, after 1 s of warming up (default 2)
  --rounds <n>        in which all servers take turns at each endpoint (default 5)
  --connections <n>   kept open by the load (default 32)
  --only <names>      of ${ENDPOINTS.join(", ")};
                      passwords: complete sign-ins per second, what one costs beside the hash, and tokens while many
                      wait to sign in;
                      texts: messages with the texts of many organizations;
                      timing: whether the clock tells who has an account (minutes);
                      console: main thread and size of its pages in Chromium (minutes, not by default);
                      procedures: remote procedures against REST (minutes, not by default);
                      providers: sign-ins at an identity provider beside those by password (minutes, not by default);
                      users: lists and searches among 1 k and 1 M users (minutes, not by default); comma-separated
  --quick             a look of two minutes: one round, 1 s per endpoint, no peers, few attempts
  --postgres          our service on a PostgreSQL started for it, instead of SQLite, and better-auth on the same one
  --no-peer           ours and the bare limits only
  --compare <folder>  with another built version of ours, in the same rounds
  --compare-node <p>  the Node.js that runs that other version (default: the one that runs this)
  --write             writes the table into docs/benchmarks.md, too`;

const { values: options } = parseArgs({
  options: {
    seconds: { type: "string" },
    rounds: { type: "string" },
    connections: { type: "string", default: "32" },
    only: { type: "string", default: [...ENDPOINTS, ...STUDIES].join(",") },
    quick: { type: "boolean", default: false },
    postgres: { type: "boolean", default: false },
    peer: { type: "boolean", default: true },
    compare: { type: "string" },
    "compare-node": { type: "string" },
    write: { type: "boolean", default: false },
    help: { type: "boolean", default: false },
  },
  allowNegative: true,
});
const asked = options.only.split(",");
const wanted = ENDPOINTS.filter((name) => asked.includes(name));
const seconds = Number(options.seconds ?? (options.quick ? 1 : 2));
const rounds = Number(options.rounds ?? (options.quick ? 1 : 5));
const connections = Number(options.connections);
/** The folder of another built version of ours. */
const compared = options.compare && { from: resolve(options.compare), node: options["compare-node"] };
const unknown = asked.find((name) => ![...ENDPOINTS, ...STUDIES, ...LONG_STUDIES].includes(name));
if (options.help || unknown || !(seconds > 0) || !(connections > 0) || !(Number.isInteger(rounds) && rounds > 0)) {
  console.error(unknown ? `There is no endpoint "${unknown}".\n${HELP}` : HELP);
  process.exit(options.help ? 0 : 1);
}

/** Starts a server, uses it, and always stops it. */
async function withServer(name, start, use) {
  console.error(`${name} …`);
  const server = await start();
  try {
    return await use(server);
  } finally {
    await server.stop();
  }
}

/** Measures the endpoints. Returns whether a response was unexpected. */
async function measureAndReport(postgres) {
  const plan = { wanted, rounds, seconds, connections, warmUp: WARM_UP_SECONDS };
  const results = await measureEndpoints({ ...plan, compared, peers: options.peer && !options.quick }, postgres);
  const machine = `${cpus().length} × ${cpus()[0]?.model ?? "unknown processor"}, Node ${process.version}`;
  const report = { wanted, results, machine, connections, rounds, database: postgres ? "PostgreSQL" : "SQLite" };
  if (options.write) writeTable(inProject("docs/benchmarks.md"), report);
  return printReport(report);
}

/** Measures the studies, each on its own server. Returns whether a response was unexpected. */
async function measureStudies(postgres) {
  let failed = false;
  const study = (name, more, measure) =>
    withServer(name, async () => startOurs(await anotherDatabase(postgres), more), measure);
  if (asked.includes("passwords")) {
    const measure = (server, other) =>
      measurePasswordSignIns(server, { seconds: Math.max(2, seconds), rounds, compared: other });
    failed = await study("Password sign-ins", {}, (server) =>
      compared ? study("Compared", compared, (other) => measure(server, other)) : measure(server),
    );
  }
  if (asked.includes("texts")) await study("Texts of many organizations", {}, measureTexts);
  if (asked.includes("console")) {
    await study("Console", {}, (server) =>
      compared
        ? study("Compared", compared, (other) => measureConsole([other, server], { rounds }))
        : measureConsole([server], { rounds }),
    );
  }
  if (asked.includes("procedures")) {
    await study("Procedures", { env: { COMPATIBILITY: "zitadel" } }, measureProcedures);
  }
  if (asked.includes("providers")) {
    await withServer("Identity provider", startIdentityProvider, ({ issuer }) =>
      study("Sign-ins at it", { identityProvider: issuer, env: BEHIND_PROXY, ...compared }, (server) =>
        measureProviderSignIns(server, { rounds }),
      ),
    );
  }
  if (asked.includes("users")) await study("Users", {}, measureUsers);
  if (asked.includes("timing")) {
    const count = options.quick ? TIMED.quick : TIMED.full;
    const people = Array.from({ length: count }, (_, number) => knownName(number));
    const more = { people, env: BEHIND_PROXY };
    await study("Timing", more, (server) => measureTiming(server, { count, withResend: !options.quick }));
  }
  return failed;
}

const { startPostgres } = options.postgres ? await import("../scripts/postgres.mjs") : {};
const postgres = await startPostgres?.();
try {
  const failed = [
    wanted.length > 0 && (await measureAndReport(postgres)),
    asked.length > wanted.length && (await measureStudies(postgres)),
  ];
  process.exitCode = failed.includes(true) ? 1 : 0;
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
} finally {
  await postgres?.stop();
}
