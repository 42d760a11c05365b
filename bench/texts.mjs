// The time to render a message with the texts of ten thousand organizations, compared to few. The rows are written
// directly into the database.
import { randomUUID } from "node:crypto";

const ORGANIZATIONS = 10_000;
const RENDERED = 1_000;
const TYPE = "password_change";
const SCOPE = "urn:service:iam:org:project:id:service:aud";

const idOf = (number) => `many-${number}`;

async function fill(databaseUrl) {
  if (databaseUrl.startsWith("file:")) await fillSqlite(databaseUrl.slice("file:".length));
  else await fillPostgresql(databaseUrl);
}

async function fillSqlite(file) {
  const { default: Database } = await import("better-sqlite3");
  const db = new Database(file, { timeout: 10_000 });
  const now = Date.now();
  const organization = db.prepare(
    `INSERT INTO "Organization" ("id", "name", "state", "createdAt") VALUES (?, ?, 'active', ?)`,
  );
  const text = db.prepare(
    `INSERT INTO "MessageText" ("ownerId", "type", "language", "subject", "createdAt", "changedAt")
     VALUES (?, ?, 'en', ?, ?, ?)`,
  );
  db.transaction(() => {
    for (let number = 0; number < ORGANIZATIONS; number++) {
      organization.run(idOf(number), idOf(number), now);
      text.run(idOf(number), TYPE, `Of ${idOf(number)}`, now, now);
    }
  })();
  db.close();
}

async function fillPostgresql(url) {
  const { default: pg } = await import("pg");
  const db = new pg.Client({ connectionString: url });
  await db.connect();
  const numbers = `generate_series(0, ${ORGANIZATIONS - 1}) AS number`;
  await db.query(`INSERT INTO "Organization" ("id", "name", "state", "createdAt")
    SELECT 'many-' || number, 'many-' || number, 'active', now() FROM ${numbers}`);
  await db.query(`INSERT INTO "MessageText" ("ownerId", "type", "language", "subject", "createdAt", "changedAt")
    SELECT 'many-' || number, '${TYPE}', 'en', 'Of many-' || number, now(), now() FROM ${numbers}`);
  await db.end();
}

/** Returns an access token for the management APIs. */
export async function adminToken({ issuer, machines }) {
  const { id, secret } = machines.admin;
  const headers = { authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString("base64")}` };
  const body = new URLSearchParams({ grant_type: "client_credentials", scope: SCOPE });
  const answer = await (await fetch(`${issuer}/oauth/v2/token`, { method: "POST", headers, body })).json();
  return answer.access_token;
}

/** Returns the median of sequential requests in milliseconds. */
async function median(attempt) {
  const times = [];
  for (let number = 0; number < RENDERED; number++) {
    const startedAt = performance.now();
    await attempt(number);
    times.push(performance.now() - startedAt);
  }
  return times.sort((a, b) => a - b)[RENDERED / 2];
}

/** Measures and prints. */
export async function measureTexts(server) {
  const { issuer } = server;
  const authorization = `Bearer ${await adminToken(server)}`;
  const preview = (organization, subject) => async () => {
    const headers = { authorization, "x-service-orgid": organization, "x-request-id": randomUUID() };
    const url = `${issuer}/management/v1/text/message/${TYPE}/en/_preview`;
    const answer = await (await fetch(url, { method: "POST", headers })).json();
    if (!answer.subject?.includes(subject)) throw new Error(`preview: ${JSON.stringify(answer).slice(0, 300)}`);
  };
  for (let round = 0; round < 3; round++) await median(preview("acme", "")); // so that V8 compiles it
  const few = await median(preview("acme", ""));
  await fill(server.databaseUrl);
  const scattered = (number) => idOf((number * 7919) % ORGANIZATIONS);
  const many = await median((number) => preview(scattered(number), `Of ${scattered(number)}`)());
  console.log(`\nRendering a message over HTTP, organizations with texts: none ${few.toFixed(2)} ms,`);
  console.log(
    `  ${ORGANIZATIONS.toLocaleString("en")} of them ${many.toFixed(2)} ms (median of ${RENDERED}, one after the other)`,
  );
}
