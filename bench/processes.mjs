// Starts the servers to measure, each in its own process.
import { fork } from "node:child_process";
import { generateKeyPairSync } from "node:crypto";
import { fileURLToPath } from "node:url";
import { startService } from "../scripts/service.mjs";
import { startDocuments } from "./documents.mjs";

/** Registered with all providers: one user, one web application. */
export const person = { loginName: "ada@acme.test", password: "correct horse battery staple" };
export const client = {
  id: "web",
  secret: "0123456789abcdef0123456789abcdef0123",
  redirectUri: "https://rp.test/cb",
  scope: "openid profile email offline_access",
};

const machineKey = generateKeyPairSync("rsa", { modulusLength: 2048 });
/** Only registered with ours: service users, and an API that introspects. */
const machines = {
  opaque: {
    id: "machine",
    secret: "machine-secret-machine-secret-machine",
    userId: "m-1",
    keyId: "k1",
    privateKey: machineKey.privateKey.export({ type: "pkcs8", format: "pem" }),
  },
  admin: { id: "admin-machine", secret: "machine-secret-machine-secret-machine" },
  jwt: { id: "jwt-machine", secret: "machine-secret-machine-secret-machine" },
  api: { id: "api", secret: client.secret },
  scope: { scope: "urn:service:iam:org:project:id:shop:aud" },
};

/** What the identity provider says about the user, and how our service is its client there. */
const account = { sub: "ada-there", email: person.loginName, email_verified: true, name: "Ada Lovelace" };
const ofProvider = { name: "Bench", clientId: "us", clientSecret: "a secret of the bench" };

/**
 * Starts our service as built, with its usual durability and with codes that do not expire before they are redeemed.
 * @param {string} [databaseUrl] of PostgreSQL; SQLite if omitted
 * @param {{ people?: string[], env?: Record<string, string>, from?: string, node?: string,
 *   identityProvider?: string }} more the names of further users; further settings; the folder of another built
 *   version; the Node.js that runs it; the issuer of a provider at which the user signs in as well
 */
export async function startOurs(databaseUrl, { people = [], env: more = {}, from, node, identityProvider } = {}) {
  const bootstrap = {
    instance: {
      features: { oidcTokenExchange: true },
      security: { clientIdMetadataDocuments: { enabled: true } },
    },
    organizations: [
      {
        id: "acme",
        name: "ACME",
        default: true,
        domains: [{ domain: "acme.test", verified: true, primary: true }],
        ...(identityProvider && {
          identityProviders: [
            {
              name: ofProvider.name,
              oidc: { issuer: identityProvider, clientId: ofProvider.clientId, clientSecret: ofProvider.clientSecret },
            },
          ],
        }),
        users: [
          {
            ...(identityProvider && { idpLinks: [{ idpName: ofProvider.name, userId: account.sub }] }),
            userName: person.loginName,
            password: person.password,
            profile: { firstName: "Ada", lastName: "Lovelace", displayName: "Ada Lovelace" },
            email: { email: person.loginName, isEmailVerified: true },
          },
          ...people.map((userName) => ({
            userName,
            password: person.password,
            profile: { firstName: "Grace", lastName: "Hopper" },
            email: { email: userName, isEmailVerified: true },
          })),
        ],
        machines: [
          {
            id: machines.opaque.userId,
            userName: machines.opaque.id,
            secret: machines.opaque.secret,
            keys: [
              { keyId: machines.opaque.keyId, publicKey: machineKey.publicKey.export({ type: "spki", format: "pem" }) },
            ],
          },
          { userName: machines.admin.id, secret: machines.admin.secret, roles: ["IAM_OWNER"] },
          { userName: machines.jwt.id, secret: machines.jwt.secret, accessTokenType: "ACCESS_TOKEN_TYPE_JWT" },
        ],
        projects: [
          {
            id: "shop",
            name: "Shop",
            apps: [
              { name: "API", api: { clientId: machines.api.id, clientSecret: machines.api.secret } },
              {
                name: "Web",
                oidc: {
                  clientId: client.id,
                  clientSecret: client.secret,
                  redirectUris: [client.redirectUri],
                  responseTypes: ["OIDC_RESPONSE_TYPE_CODE"],
                  grantTypes: [
                    "OIDC_GRANT_TYPE_AUTHORIZATION_CODE",
                    "OIDC_GRANT_TYPE_REFRESH_TOKEN",
                    "OIDC_GRANT_TYPE_TOKEN_EXCHANGE",
                  ],
                  appType: "OIDC_APP_TYPE_WEB",
                  authMethodType: "OIDC_AUTH_METHOD_TYPE_BASIC",
                  accessTokenType: "OIDC_TOKEN_TYPE_BEARER",
                },
              },
            ],
          },
        ],
      },
    ],
  };
  const documents = await startDocuments(client.redirectUri);
  const trust = { NODE_EXTRA_CA_CERTS: documents.certificate };
  const env = { LOG_LEVEL: "warn", CODE_LIFETIME: "10m", ...trust, ...more };
  if (databaseUrl)
    Object.assign(env, { DATABASE_URL: databaseUrl, SECRET_KEY: "a key for one run of the bench and no more" });
  const { baseUrl, pid, stop, env: settings } = await startService({ bootstrap, env, from, node });
  const stopBoth = async () => {
    documents.stop();
    await stop();
  };
  const own = { machines, document: documents.clientId };
  return { issuer: baseUrl, pid, stop: stopBoth, ...own, databaseUrl: settings.DATABASE_URL };
}

let databases = 0;

/**
 * Creates an empty database in the cluster. Returns undefined without a cluster: the service then uses its own file.
 */
export async function anotherDatabase(postgres) {
  if (!postgres) return undefined;
  const { default: pg } = await import("pg");
  const db = new pg.Client({ connectionString: postgres.url });
  await db.connect();
  try {
    const name = `bench_${++databases}`;
    await db.query(`CREATE DATABASE ${name}`);
    return Object.assign(new URL(postgres.url), { pathname: `/${name}` }).href;
  } finally {
    await db.end();
  }
}

/** Runs a module of this folder as a process. Resolves with the message that it sends when it listens. */
async function startModule(name, options) {
  const child = fork(fileURLToPath(new URL(name, import.meta.url)), {
    env: { ...process.env, NODE_ENV: "production" },
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  const end = new Promise((resolve) => child.once("exit", resolve));
  child.send(options);
  const ready = await Promise.race([
    new Promise((resolve) => child.once("message", resolve)),
    end.then((code) => Promise.reject(new Error(`${name} ended with ${code}`))),
  ]);
  const stop = async () => {
    child.kill("SIGTERM");
    await end;
  };
  return { ...ready, pid: child.pid, stop };
}

export const startIdentityProvider = () =>
  startModule("identity-provider.mjs", { clientId: ofProvider.clientId, user: account });
export const startPeer = () => startModule("peer.mjs", { client, person });
export const startBetterAuth = (databaseUrl) => startModule("better-auth.mjs", { client, person, databaseUrl });
export const startBare = (kind, answers) => startModule("bare.mjs", { kind, answers });
