// The tables at the end of a run: medians of the rounds, one line per endpoint and server.
import { readFileSync, writeFileSync } from "node:fs";

const number = (value) => (value === undefined ? "–" : Math.round(value).toLocaleString("en"));
const milliseconds = (value) => (value === undefined ? "–" : value.toFixed(value < 10 ? 2 : 1));
const processor = (value) => (value === undefined ? "–" : value.toFixed(value < 1 ? 3 : 2));
const megabytes = (bytes) => (bytes ? String(Math.round(bytes / 1e6)) : "–");
const times = (value) => (Number.isFinite(value) ? `${value.toFixed(2)} ×` : "–");

const HEADINGS = [
  ...["endpoint", "server", "req/s", "p50 ms", "p99 ms", "CPU ms/req", "±", "server", "database", "RSS MB", "errors"],
  ...["to oidc-provider", "to better-auth", "to bare", "to compared"],
];

export function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/** Half of the range, relative to the median. */
export const spread = (values) => (Math.max(...values) - Math.min(...values)) / 2 / median(values);

/** Returns the medians of an endpoint's rounds; undefined if it was not measured. */
function summary(rounds) {
  if (!rounds) return undefined;
  const of = (name) => median(rounds.map((round) => round[name]));
  const names = ["rate", "p50", "p99", "memory", "server", "database", "processor"];
  return {
    ...Object.fromEntries(names.map((name) => [name, of(name)])),
    spread: spread(rounds.map((round) => round.processor)),
    errors: rounds.reduce((sum, round) => sum + round.errors, 0),
    example: rounds.find((round) => round.example)?.example,
    rounds,
  };
}

/**
 * Returns how many times as many requests ours serves with the same processor time: the median of the ratios of the
 * rounds.
 */
const against = (ours, other) =>
  other && median(other.rounds.map((round, index) => round.processor / ours.rounds[index].processor));

/** Returns summaries by contender and endpoint. The faster way of signing is the limit of signatures. */
function summaries({ commits: _, signedInPool, signedInline, ...results }) {
  const all = Object.fromEntries(
    Object.entries(results).map(([name, endpoints]) => [
      name,
      Object.fromEntries(Object.entries(endpoints).map(([endpoint, rounds]) => [endpoint, summary(rounds)])),
    ]),
  );
  const [one] = Object.values(signedInPool ?? {}).map(summary);
  const [other] = Object.values(signedInline ?? {}).map(summary);
  const signed = one && other && one.processor > other.processor ? other : one;
  const bare = { ...all.bareHttp, ...(signed ? { exchange: signed, credentialsJwt: signed } : {}) };
  return { ...all, bare, signed };
}

/** Prints the table. Returns whether a response was unexpected. */
export function printReport({ wanted, results, machine, connections, rounds, database }) {
  const { ours, compared, peer, betterAuth, bareHttp, bare, signed } = summaries(results);
  const others = [
    ["compared", compared],
    ["oidc-provider (memory)", peer],
    [`better-auth (${database})`, betterAuth],
    ["bare node:http", bareHttp],
  ];
  const rows = wanted.flatMap((name) => [
    line(
      name,
      `ours (${database})`,
      ours[name],
      [peer, betterAuth, bare, compared].map((one) => one?.[name]),
    ),
    ...others.flatMap(([title, results]) => (results?.[name] ? [line("", title, results[name], [])] : [])),
  ]);
  if (signed) rows.push(line("bare limit", "node:http, one RS256 each", signed, []));
  const commits = ["bare limit", `${database}, durable commits`, number(results.commits)];
  rows.push(HEADINGS.map((_, column) => commits[column] ?? "–"));
  print([HEADINGS, ...rows]);
  console.log(`\n${machine}; ${connections} connections; load and servers on the same machine.`);
  console.log(`Medians of ${rounds} rounds in which all took turns; ± half of what lies between lowest and highest.`);
  console.log('CPU: processor time of all processes, and "to" how many times as many requests for the same of it.');
  console.log("Bare limits: node:http for discovery and keys, one RS256 signature a request for exchange and JWTs.");
  const measured = [ours, compared, peer, betterAuth, bareHttp, { signed }].flatMap((one) => Object.values(one ?? {}));
  const failed = measured.filter((result) => result?.errors > 0);
  for (const { errors, example = "no answer" } of failed) {
    console.log(`${number(errors)} wrong answers, the first: ${example.slice(0, 300)}`);
  }
  return failed.length > 0;
}

function line(name, server, result, others) {
  const { rate, p50, p99, memory, errors, processor: taken, spread } = result;
  const parts = [
    processor(taken),
    `${Math.round(100 * spread)} %`,
    processor(result.server),
    processor(result.database),
  ];
  const figures = [number(rate), milliseconds(p50), milliseconds(p99), ...parts, megabytes(memory), number(errors)];
  const ratios = HEADINGS.slice(-4).map((_, index) => times(against(result, others[index])));
  return [name, server, ...figures, ...ratios];
}

function print(rows) {
  const widths = HEADINGS.map((_, column) => Math.max(...rows.map((row) => row[column].length)));
  for (const row of rows) {
    const cells = row.map((cell, column) => (column < 2 ? cell.padEnd(widths[column]) : cell.padStart(widths[column])));
    console.log(cells.join("  ").trimEnd());
  }
}

/** The names of the endpoints in docs/benchmarks.md. */
const WORDS = {
  discovery: "discovery",
  keys: "key set",
  authorize: "authorize, signed in",
  exchange: "code exchange, RS256 id_token",
  pushed: "pushed request",
  authorizeSignedOut: "authorize, signed out",
  authorizeByDocument: "authorize, signed out, metadata document",
  authorizePushed: "authorize, pushed and signed in",
  refresh: "refresh, RS256 id_token",
  userinfo: "userinfo",
  introspectPerson: "introspection of a person's token",
  credentials: "client_credentials, opaque",
  credentialsDpop: "client_credentials, DPoP",
  credentialsJwt: "client_credentials, JWT",
  jwtBearer: "JWT profile",
  introspection: "introspection of a machine's token",
  tokenExchange: "token exchange",
  revocation: "revocation",
};

/** Replaces the table of this database in docs/benchmarks.md. */
export function writeTable(path, { wanted, results, machine, connections, rounds, database }) {
  const { ours, peer, bare } = summaries(results);
  const rows = wanted.map((name) => {
    const { rate, p50, p99, server, database, spread } = ours[name];
    const cost = [processor(server), processor(database), `±${Math.round(100 * spread)} %`];
    const ratios = [peer, bare].map((one) => times(against(ours[name], one?.[name])));
    return [WORDS[name], number(rate), milliseconds(p50), milliseconds(p99), ...cost, ...ratios];
  });
  const headings = [
    ...["endpoint", "requests/s", "p50 ms", "p99 ms", "CPU ms: server", "database", "spread"],
    ...["to oidc-provider", "to bare"],
  ];
  const table = [headings, headings.map(() => "---"), ...rows].map((row) => `| ${row.join(" | ")} |`);
  const text = [`${database}; ${machine}; ${connections} connections, medians of ${rounds} rounds:`, "", ...table];
  const [from, to] = [`<!-- bench ${database} -->`, `<!-- /bench ${database} -->`];
  const before = readFileSync(path, "utf8");
  const [start, end] = [before.indexOf(from), before.indexOf(to)];
  if (start < 0 || end < start) throw new Error(`${path} has no place for the table: ${from} … ${to}`);
  const written = `${before.slice(0, start)}${from}\n${text.join("\n")}\n${before.slice(end)}`;
  writeFileSync(path, written);
}
