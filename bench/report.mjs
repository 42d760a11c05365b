// The table at the end of a bench: one line per endpoint, in requests per second and milliseconds.

const number = (value) => (value === undefined ? "–" : Math.round(value).toLocaleString("en"));
const milliseconds = (value) => (value === undefined ? "–" : value.toFixed(value < 10 ? 2 : 1));
const megabytes = (bytes) => (bytes ? String(Math.round(bytes / 1e6)) : "–");
const ratio = (a, b) => (a === undefined || !b ? "–" : `${(a / b).toFixed(2)} ×`);

const HEADINGS = [
  ...["endpoint", "server", "req/s", "p50 ms", "p99 ms", "RSS MB", "errors"],
  ...["to oidc-provider", "to better-auth", "to bare"],
];

/** Prints the table; returns whether any answer was not as expected. */
export function printReport({ wanted, ours, peer, betterAuth, bare, machine, connections, database }) {
  const http = bare.http?.fixed;
  const sign = bare.sign?.signed;
  const limits = { discovery: http, keys: http, exchange: sign, credentialsJwt: sign };
  const rows = wanted.flatMap((name) => [
    line(name, `ours (${database})`, ours[name], limits[name], peer?.[name], betterAuth?.[name]),
    ...(peer?.[name] ? [line("", "oidc-provider (memory)", peer[name], limits[name])] : []),
    ...(betterAuth?.[name] ? [line("", `better-auth (${database})`, betterAuth[name], limits[name])] : []),
  ]);
  if (http) rows.push(line("bare limit", "node:http, discovery's answer", http));
  if (sign) rows.push(line("bare limit", "node:http, one RS256 each", sign));
  rows.push([
    "bare limit",
    `${database}, durable commits`,
    number(bare.commits),
    ...Array(HEADINGS.length - 3).fill("–"),
  ]);
  print([HEADINGS, ...rows]);
  console.log(`\n${machine}; ${connections} connections; load and server on the same machine.`);
  console.log("Bare limits: node:http for discovery and keys, one RS256 signature a request for exchange and JWTs.");
  const results = [ours, peer, betterAuth].flatMap((server) => Object.values(server ?? {}));
  const failed = [...results, http, sign].filter((result) => result?.errors > 0);
  for (const { errors, example = "no answer" } of failed) {
    console.log(`${number(errors)} wrong answers, the first: ${example.slice(0, 300)}`);
  }
  return failed.length > 0;
}

function line(name, server, result, limit, peer, betterAuth) {
  const { rate, p50, p99, memory, errors } = result;
  const figures = [number(rate), milliseconds(p50), milliseconds(p99), megabytes(memory), number(errors)];
  return [name, server, ...figures, ratio(rate, peer?.rate), ratio(rate, betterAuth?.rate), ratio(rate, limit?.rate)];
}

function print(rows) {
  const widths = HEADINGS.map((_, column) => Math.max(...rows.map((row) => row[column].length)));
  for (const row of rows) {
    const cells = row.map((cell, column) => (column < 2 ? cell.padEnd(widths[column]) : cell.padStart(widths[column])));
    console.log(cells.join("  ").trimEnd());
  }
}
