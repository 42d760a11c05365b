/**
 * The built service inside Next (`next start`) on either database: a real client signs a user in, an operation of a
 * management API is called, the console is opened and used, and the process ends as ours does.
 */
import { test as base, expect, type Page } from "@playwright/test";
import * as client from "openid-client";
import { startPostgres } from "../scripts/postgres.mjs";
import { ada, clientSecret, clients, directory } from "./directory";
import { type RelyingParty, startRelyingParty } from "./relying-party";
import { startService } from "./service";
import { backAtApplication, signIn } from "./sign-in";

const manager = { userName: "keeper", name: "Keeper", secret: "k".repeat(40), roles: ["ORG_USER_MANAGER"] };

const databases = {
  SQLite: async () => ({ env: {}, stop: async () => {} }),
  PostgreSQL: async () => {
    const { url, stop } = await startPostgres({ durable: false });
    return { env: { DATABASE_URL: url, SECRET_KEY: "a-secret-key-of-a-hosted-service-long-enough" }, stop };
  },
};

const test = base.extend<{ relyingParty: RelyingParty }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the fixtures from this pattern.
  relyingParty: async ({}, use) => {
    const relyingParty = await startRelyingParty();
    await use(relyingParty);
    await relyingParty.close();
  },
});

for (const [name, startDatabase] of Object.entries(databases)) {
  test(`next start serves the service on ${name}`, async ({ page, relyingParty }) => {
    const database = await startDatabase();
    const bootstrap = directory(relyingParty, []) as { organizations: { machines: unknown[] }[] };
    bootstrap.organizations[0]?.machines.push(manager);
    const service = await startService({ server: "next", bootstrap, env: database.env });
    try {
      await signInByClient(page, service.baseUrl, relyingParty);
      await callManagement(service.baseUrl);
      if (name === "SQLite") await openAndChange(page, service.baseUrl); // pages read the database as all requests do
      expect(await service.stop(), service.output()).toBe(0);
      expect(service.output()).toContain('"msg":"stopped"');
      expect(service.output()).not.toMatch(/"level":[56]0/);
    } finally {
      await service.stop();
      await database.stop();
    }
  });
}

test("next start reports an unsupported setting in one line and ends with status 1", async () => {
  const env = { WORKERS: "2", DATABASE_URL: "postgresql://a:b@127.0.0.1/c", SECRET_KEY: "k".repeat(32) };
  await expect(startService({ server: "next", env })).rejects.toThrow(
    /it ended with 1\n[\s\S]*WORKERS: must be 1 under next start[^\n]+\n$/,
  );
});

async function signInByClient(page: Page, baseUrl: string, relyingParty: RelyingParty): Promise<void> {
  const config = await client.discovery(
    new URL(baseUrl),
    clients.basic,
    undefined,
    client.ClientSecretBasic(clientSecret),
    { execute: [client.allowInsecureRequests] }, // loopback http
  );
  const codeVerifier = client.randomPKCECodeVerifier();
  const state = client.randomState();
  const address = client.buildAuthorizationUrl(config, {
    redirect_uri: relyingParty.redirectUri,
    scope: "openid profile email offline_access",
    code_challenge: await client.calculatePKCECodeChallenge(codeVerifier),
    code_challenge_method: "S256",
    state,
  });
  await page.goto(address.href);
  await signIn(page, ada);
  const callback = await backAtApplication(page, relyingParty.redirectUri);
  const tokens = await client.authorizationCodeGrant(config, callback, {
    pkceCodeVerifier: codeVerifier,
    expectedState: state,
    idTokenExpected: true,
  });
  expect(await client.fetchUserInfo(config, tokens.access_token, ada.id)).toMatchObject({ name: "Ada Lovelace" });
  const refreshed = await client.refreshTokenGrant(config, tokens.refresh_token ?? "");
  expect(refreshed.refresh_token).not.toBe(tokens.refresh_token);
}

/** Uses the session of the previous sign-in; scripts run by their nonce, and a change is made and visible. */
async function openAndChange(page: Page, baseUrl: string): Promise<void> {
  const refused: string[] = [];
  page.on("console", (message) => {
    if (message.type() === "error") refused.push(message.text());
  });
  const answer = await page.goto(`${baseUrl}/console/features`);
  await expect(page.locator("#sign-out")).toBeVisible();
  const headers = answer?.headers() ?? {};
  expect(headers["content-security-policy"]).toMatch(/script-src 'nonce-[\w-]{43}' 'strict-dynamic';/);
  expect(headers["x-frame-options"] ?? headers["content-security-policy"]).toMatch(/DENY|frame-ancestors 'none'/);

  const exchange = page.getByRole("switch", { name: "Token exchange (RFC 8693)" });
  await exchange.setChecked(false);
  await page.locator("#features-form-submit").click();
  await expect(page.locator(".toast").last()).toHaveText(/Saved/);
  await page.reload();
  await expect(exchange).toBeChecked({ checked: false });
  await page.getByRole("link", { name: "Signing keys" }).click(); // a transition by Next's script
  await expect(page).toHaveURL(`${baseUrl}/console/keys`);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Signing keys");
  expect(refused).toEqual([]);
}

/** Calls the management API as a machine that manages users. */
async function callManagement(baseUrl: string): Promise<void> {
  const config = await client.discovery(new URL(baseUrl), manager.userName, manager.secret, undefined, {
    execute: [client.allowInsecureRequests],
  });
  const scope = "openid urn:service:iam:org:project:id:service:aud";
  const { access_token: token } = await client.clientCredentialsGrant(config, { scope });
  const call = (body: string) =>
    fetch(`${baseUrl}/management/v1/users/_search`, {
      method: "POST",
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      body,
    });
  const answer = await call("{}");
  expect(answer.status).toBe(200);
  expect(JSON.stringify(await answer.json())).toContain(ada.id);
  expect((await call(`{"x":"${"a".repeat(300_000)}"}`)).status).toBe(413);
}
