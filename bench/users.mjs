// Lists and searches of the management API among a thousand and among a million users. The rows are written into the
// database itself, in the form the service keeps them in.
const FEW = 1_000;
const MANY = 1_000_000;
const ASKED = 300;
const SCOPE = "urn:service:iam:org:project:id:service:aud";
const CHUNK = 20_000;

const FIRST_NAMES = ["Ada", "Grace", "Edsger", "Barbara", "Donald", "Radia", "Tony", "Frances", "Niklaus", "Margaret"];
const LAST_NAMES = ["Lovelace", "Hopper", "Dijkstra", "Liskov", "Knuth", "Perlman", "Hoare", "Allen", "Wirth"];

function personOf(number) {
  const firstName = FIRST_NAMES[number % FIRST_NAMES.length];
  const lastName = LAST_NAMES[number % LAST_NAMES.length];
  const label = `n${String(number).padStart(7, "0")}`;
  const userName = `${firstName}.${lastName}.${label}@crowd.test`;
  const displayName = `${firstName} ${lastName}`;
  const key = userName.toLowerCase();
  const words = [firstName.toLowerCase(), lastName.toLowerCase(), label, "crowd", "test"];
  return { id: `user-${label}`, firstName, lastName, displayName, userName, key, label, words };
}

const USER = `"id", "organizationId", "kind", "state", "userName", "loginNameKey", "userNameKey", "userNameDomain",
  "firstName", "lastName", "displayName", "displayNameKey", "email", "emailKey", "isEmailVerified",
  "isPhoneVerified", "passwordChangeRequired", "validFrom", "createdAt", "changedAt"`;
const AGGREGATE = `"type", "id", "resourceOwner", "sequence", "createdAt", "changedAt"`;

function* rowsOf(from, to, at, yes, no) {
  for (let number = from; number < to; number++) {
    const { id, firstName, lastName, displayName, userName, key, words } = personOf(number);
    const names = [userName, key, key, "crowd.test", firstName, lastName, displayName, displayName.toLowerCase()];
    yield {
      user: [id, "crowd", "human", "active", ...names, userName, key, yes, no, no, at, at, at],
      aggregate: ["user", id, "crowd", 1, at, at],
      words: words.map((word) => [id, "crowd", word]),
    };
  }
}

async function fillSqlite(file, from, to) {
  const { default: Database } = await import("better-sqlite3");
  const db = new Database(file, { timeout: 60_000 });
  db.pragma("cache_size = -1000000"); // 1 GB: indexes are filled at random places
  db.pragma("synchronous = OFF");
  const places = (columns) => columns.split(",").fill("?").join(", ");
  const insert = (table, columns) => db.prepare(`INSERT INTO "${table}" (${columns}) VALUES (${places(columns)})`);
  const users = insert("User", USER);
  const aggregates = insert("Aggregate", AGGREGATE);
  const words = insert("UserWord", `"userId", "organizationId", "word"`);
  for (let start = from; start < to; start += CHUNK) {
    db.transaction(() => {
      for (const row of rowsOf(start, Math.min(to, start + CHUNK), Date.now(), 1, 0)) {
        users.run(row.user);
        aggregates.run(row.aggregate);
        for (const word of row.words) words.run(word);
      }
    })();
    await new Promise(setImmediate); // connections that are closed meanwhile are noticed
  }
  db.close();
}

async function fillPostgresql(url, from, to) {
  const { default: pg } = await import("pg");
  const db = new pg.Client({ connectionString: url });
  await db.connect();
  const insert = (table, columns, rows) => {
    const texts = JSON.stringify(
      rows.map((row) => Object.fromEntries(columns.map((name, index) => [name, row[index]]))),
    );
    const names = columns.map((name) => `"${name}"`).join(", ");
    const sql = `INSERT INTO "${table}" (${names}) SELECT ${names} FROM json_populate_recordset(NULL::"${table}", $1)`;
    return db.query(sql, [texts]);
  };
  const namesOf = (columns) => columns.split(",").map((name) => name.trim().slice(1, -1));
  for (let start = from; start < to; start += CHUNK) {
    const rows = [...rowsOf(start, Math.min(to, start + CHUNK), new Date().toISOString(), true, false)];
    await insert(
      "User",
      namesOf(USER),
      rows.map(({ user }) => user),
    );
    await insert(
      "Aggregate",
      namesOf(AGGREGATE),
      rows.map(({ aggregate }) => aggregate),
    );
    await insert(
      "UserWord",
      ["userId", "organizationId", "word"],
      rows.flatMap(({ words }) => words),
    );
  }
  await db.query("ANALYZE");
  await db.end();
}

function fill(databaseUrl, from, to) {
  if (databaseUrl.startsWith("file:")) return fillSqlite(databaseUrl.slice("file:".length), from, to);
  return fillPostgresql(databaseUrl, from, to);
}

async function adminToken({ issuer, machines }) {
  const { id, secret } = machines.admin;
  const headers = { authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString("base64")}` };
  const body = new URLSearchParams({ grant_type: "client_credentials", scope: SCOPE });
  const answer = await (await fetch(`${issuer}/oauth/v2/token`, { method: "POST", headers, body })).json();
  return answer.access_token;
}

/** What a console asks for, about somebody who is among the few as well. */
const QUESTIONS = {
  "newest first": () => ({ query: { limit: 20 } }),
  "by name": () => ({ query: { limit: 20 }, sortingColumn: "USER_FIELD_NAME_DISPLAY_NAME" }),
  "search box": (number) => {
    const { firstName, label } = personOf(number);
    return { query: { limit: 20 }, queries: [{ textQuery: { text: `${firstName.slice(0, 3)} ${label}` } }] };
  },
  "user name begins": (number) => {
    const userName = personOf(number).userName.slice(0, -"@crowd.test".length).toLowerCase();
    const method = "TEXT_QUERY_METHOD_STARTS_WITH_IGNORE_CASE";
    return { query: { limit: 20 }, queries: [{ userNameQuery: { userName, method } }] };
  },
  "address is": (number) => ({
    query: { limit: 20 },
    queries: [{ emailQuery: { emailAddress: personOf(number).userName, method: "TEXT_QUERY_METHOD_EQUALS" } }],
  }),
};

/** Milliseconds in the middle for each question, asked one after the other. */
async function ask(issuer, authorization) {
  const medians = {};
  for (const [name, question] of Object.entries(QUESTIONS)) {
    const times = [];
    for (let round = 0; round < ASKED; round++) {
      const body = JSON.stringify(question((round * 7919) % FEW));
      const headers = { authorization, "content-type": "application/json", "x-service-orgid": "crowd" };
      const startedAt = performance.now();
      const response = await fetch(`${issuer}/management/v1/users/_search`, { method: "POST", headers, body });
      const { result } = await response.json();
      times.push(performance.now() - startedAt);
      if (!(result?.length > 0)) throw new Error(`${name}: nobody found`);
    }
    medians[name] = times.sort((a, b) => a - b)[ASKED / 2];
  }
  return medians;
}

async function addOrganization(issuer, authorization) {
  const headers = { authorization, "content-type": "application/json" };
  const body = JSON.stringify({ id: "crowd", name: "Crowd" });
  const response = await fetch(`${issuer}/management/v1/orgs`, { method: "POST", headers, body });
  if (!response.ok) throw new Error(await response.text());
}

/** Measures and prints. */
export async function measureUsers(server) {
  const { issuer, databaseUrl } = server;
  const authorization = `Bearer ${await adminToken(server)}`;
  await addOrganization(issuer, authorization);
  await fill(databaseUrl, 0, FEW);
  await ask(issuer, authorization); // until it is compiled
  const few = await ask(issuer, authorization);
  await fill(databaseUrl, FEW, MANY);
  await ask(issuer, authorization);
  const many = await ask(issuer, authorization);
  console.log(`\nUsers of one organization over HTTP, median of ${ASKED}, one after the other`);
  console.log(`  ${"".padEnd(20)}${"1 k".padStart(10)}${"1 M".padStart(10)}${"ratio".padStart(8)}`);
  for (const name of Object.keys(QUESTIONS)) {
    const figures = [few[name], many[name]].map((ms) => `${ms.toFixed(2)} ms`.padStart(10)).join("");
    console.log(`  ${name.padEnd(20)}${figures}${(many[name] / few[name]).toFixed(2).padStart(8)}`);
  }
}
