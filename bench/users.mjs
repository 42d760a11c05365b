// Lists and searches of the management API in an organization with a thousand users and in one with a million, in
// turns, so that other load on the machine affects both equally. The rows are written directly into the database.
const FEW = 1_000;
const MANY = 1_000_000;
const ASKED = 300;
const SCOPE = "urn:service:iam:org:project:id:service:aud";
const CHUNK = 20_000;

const FIRST_NAMES = ["Ada", "Grace", "Edsger", "Barbara", "Donald", "Radia", "Tony", "Frances", "Niklaus", "Margaret"];
const LAST_NAMES = ["Lovelace", "Hopper", "Dijkstra", "Liskov", "Knuth", "Perlman", "Hoare", "Allen", "Wirth"];

function personOf(number, organization) {
  const firstName = FIRST_NAMES[number % FIRST_NAMES.length];
  const lastName = LAST_NAMES[number % LAST_NAMES.length];
  const label = `n${String(number).padStart(7, "0")}`;
  const userName = `${firstName}.${lastName}.${label}@${organization}.test`;
  const displayName = `${firstName} ${lastName}`;
  const key = userName.toLowerCase();
  const words = [firstName.toLowerCase(), lastName.toLowerCase(), label, organization, "test"];
  return { id: `${organization}-${label}`, firstName, lastName, displayName, userName, key, label, words };
}

const USER = `"id", "organizationId", "kind", "state", "userName", "loginNameKey", "userNameKey", "userNameDomain",
  "firstName", "lastName", "displayName", "displayNameKey", "email", "emailKey", "isEmailVerified",
  "isPhoneVerified", "passwordChangeRequired", "validFrom", "createdAt", "changedAt"`;
const AGGREGATE = `"type", "id", "resourceOwner", "sequence", "createdAt", "changedAt"`;

function* rowsOf(organization, from, to, at, yes, no) {
  for (let number = from; number < to; number++) {
    const { id, firstName, lastName, displayName, userName, key, words } = personOf(number, organization);
    const names = [
      userName,
      key,
      key,
      `${organization}.test`,
      firstName,
      lastName,
      displayName,
      displayName.toLowerCase(),
    ];
    yield {
      user: [id, organization, "human", "active", ...names, userName, key, yes, no, no, at, at, at],
      aggregate: ["user", id, organization, 1, at, at],
      words: words.map((word) => [id, organization, word]),
    };
  }
}

async function fillSqlite(file, organization, to) {
  const { default: Database } = await import("better-sqlite3");
  const db = new Database(file, { timeout: 60_000 });
  db.pragma("cache_size = -1000000"); // 1 GB: rows are inserted at random places of the indexes
  db.pragma("synchronous = OFF");
  const places = (columns) => columns.split(",").fill("?").join(", ");
  const insert = (table, columns) => db.prepare(`INSERT INTO "${table}" (${columns}) VALUES (${places(columns)})`);
  const users = insert("User", USER);
  const aggregates = insert("Aggregate", AGGREGATE);
  const words = insert("UserWord", `"userId", "organizationId", "word"`);
  for (let start = 0; start < to; start += CHUNK) {
    db.transaction(() => {
      for (const row of rowsOf(organization, start, Math.min(to, start + CHUNK), Date.now(), 1, 0)) {
        users.run(row.user);
        aggregates.run(row.aggregate);
        for (const word of row.words) words.run(word);
      }
    })();
    await new Promise(setImmediate); // so that closed connections are noticed
  }
  db.close();
}

async function fillPostgresql(url, organization, to) {
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
  for (let start = 0; start < to; start += CHUNK) {
    const rows = [...rowsOf(organization, start, Math.min(to, start + CHUNK), new Date().toISOString(), true, false)];
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

/** Adds users to an organization. */
export function fill(databaseUrl, organization, to) {
  if (databaseUrl.startsWith("file:")) return fillSqlite(databaseUrl.slice("file:".length), organization, to);
  return fillPostgresql(databaseUrl, organization, to);
}

async function adminToken({ issuer, machines }) {
  const { id, secret } = machines.admin;
  const headers = { authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString("base64")}` };
  const body = new URLSearchParams({ grant_type: "client_credentials", scope: SCOPE });
  const answer = await (await fetch(`${issuer}/oauth/v2/token`, { method: "POST", headers, body })).json();
  return answer.access_token;
}

/** The requests of the console, for a user that exists in both organizations. */
const QUESTIONS = {
  "newest first": () => ({}),
  "by name": () => ({ sortingColumn: "USER_FIELD_NAME_DISPLAY_NAME" }),
  "search box": ({ firstName, label }) => ({ queries: [{ textQuery: { text: `${firstName.slice(0, 3)} ${label}` } }] }),
  "user name begins": ({ key }) => {
    const query = { userName: key.replace(/@.*/, ""), method: "TEXT_QUERY_METHOD_STARTS_WITH_IGNORE_CASE" };
    return { queries: [{ userNameQuery: query }] };
  },
  "address is": ({ userName }) => ({ queries: [{ emailQuery: { emailAddress: userName } }] }),
};

/** Returns the response time in milliseconds. */
async function ask(issuer, authorization, organization, question) {
  const headers = { authorization, "content-type": "application/json", "x-service-orgid": organization };
  const body = JSON.stringify({ query: { limit: 20 }, ...question });
  const startedAt = performance.now();
  const response = await fetch(`${issuer}/management/v1/users/_search`, { method: "POST", headers, body });
  const { result } = await response.json();
  if (!(result?.length > 0)) throw new Error(`nobody found: ${body}`);
  return performance.now() - startedAt;
}

/** Returns the medians in milliseconds, by organization. */
async function medians(issuer, authorization, organizations, question) {
  const times = organizations.map(() => []);
  for (let round = 0; round < ASKED; round++) {
    for (const [index, organization] of organizations.entries()) {
      const about = personOf((round * 7919) % FEW, organization);
      times[index].push(await ask(issuer, authorization, organization, question(about)));
    }
  }
  return times.map((list) => list.sort((a, b) => a - b)[ASKED / 2]);
}

async function addOrganization(issuer, authorization, id) {
  const headers = { authorization, "content-type": "application/json" };
  const body = JSON.stringify({ id, name: id });
  const response = await fetch(`${issuer}/management/v1/orgs`, { method: "POST", headers, body });
  if (!response.ok) throw new Error(await response.text());
}

/** Measures and prints. */
export async function measureUsers(server) {
  const { issuer, databaseUrl } = server;
  const authorization = `Bearer ${await adminToken(server)}`;
  const organizations = ["few", "many"];
  for (const organization of organizations) {
    await addOrganization(issuer, authorization, organization);
    await fill(databaseUrl, organization, organization === "few" ? FEW : MANY);
  }
  console.log(`\nUsers of one organization over HTTP, median of ${ASKED}, one after the other`);
  console.log(`  ${"".padEnd(20)}${"1 k".padStart(10)}${"1 M".padStart(10)}${"ratio".padStart(8)}`);
  for (const [name, question] of Object.entries(QUESTIONS)) {
    await medians(issuer, authorization, organizations, question); // so that V8 compiles it
    const [few, many] = await medians(issuer, authorization, organizations, question);
    const figures = [few, many].map((ms) => `${ms.toFixed(2)} ms`.padStart(10)).join("");
    console.log(`  ${name.padEnd(20)}${figures}${(many / few).toFixed(2).padStart(8)}`);
  }
}
