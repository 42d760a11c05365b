// The second peer: npm better-auth with its OAuth provider plugin. It is durable as ours is: it uses the PostgreSQL of
// this run, with its own database and migrations. The settings are those of an operator who wants speed without loss of
// safety:
// - no rate limits and no telemetry, which are not measured; a secret and NODE_ENV=production;
// - the client in `cachedTrustedClients`, the plugin's option to avoid a look-up in every request;
// - the resource of the JWTs cached as well and open to every client, which saves another look-up;
// - RS256, the algorithm of ours and of the other peer (its default is Ed25519);
// - a pool of ten connections, the default of pg and of ours; defaults otherwise, including hashed secrets and tokens.
import { createServer } from "node:http";
import { oauthProvider } from "@better-auth/oauth-provider";
import { betterAuth } from "better-auth";
import { getMigrations } from "better-auth/db/migration";
import { toNodeHandler } from "better-auth/node";
import { jwt } from "better-auth/plugins/jwt";
import pg from "pg";

const DATABASE = "better_auth";
const SCOPE = "bench";
const RESOURCE = "urn:bench";

process.once("message", async ({ client, person, databaseUrl }) => {
  const server = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const baseURL = `http://localhost:${server.address().port}`;
  const options = {
    baseURL,
    basePath: "/",
    secret: "a secret of 32 characters and more for one run of the bench",
    database: new pg.Pool({ connectionString: await makeDatabase(databaseUrl) }),
    emailAndPassword: { enabled: true },
    rateLimit: { enabled: false },
    telemetry: { enabled: false },
    plugins: [
      jwt({ jwks: { keyPairConfig: { alg: "RS256", modulusLength: 2048 } } }),
      oauthProvider({
        loginPage: "/sign-in",
        consentPage: "/consent",
        scopes: ["openid", SCOPE],
        resources: [{ identifier: RESOURCE, name: "Bench", allowedScopes: [SCOPE] }],
        cachedResources: new Set([RESOURCE]),
        enforcePerClientResources: false,
        cachedTrustedClients: new Set([client.id]),
        generateClientId: () => client.id,
        generateClientSecret: () => client.secret,
        clientPrivileges: () => true,
      }),
    ],
  };
  await (await getMigrations(options)).runMigrations();
  const auth = betterAuth(options);
  await registerClient(auth, person);
  server.on("request", toNodeHandler(auth));
  process.on("SIGTERM", () => process.exit(0));
  process.send({ issuer: baseURL });
});

/**
 * Creates its database in the cluster of ours. Earlier writes are flushed first, so that they do not slow down this
 * load.
 */
async function makeDatabase(url) {
  const db = new pg.Client({ connectionString: url });
  await db.connect();
  try {
    await db.query(`CREATE DATABASE ${DATABASE}`);
    await db.query("CHECKPOINT");
  } finally {
    await db.end();
  }
  return Object.assign(new URL(url), { pathname: `/${DATABASE}` }).href;
}

/** Registers a client, which only a signed-in user can do. */
async function registerClient(auth, person) {
  const body = { email: person.loginName, password: person.password, name: "Ada Lovelace" };
  const { headers } = await auth.api.signUpEmail({ body, returnHeaders: true });
  const cookie = headers
    .getSetCookie()
    .map((line) => line.split(";")[0])
    .join("; ");
  await auth.api.adminCreateOAuthClient({
    headers: new Headers({ cookie }),
    body: {
      client_name: "Bench",
      grant_types: ["client_credentials"],
      token_endpoint_auth_method: "client_secret_basic",
      client_credentials_scopes: [SCOPE],
    },
  });
}
