/** The code samples of the console, copied from the page and run against the service. */
import { execFile } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import { Auth, type AuthConfig } from "@auth/core";
import { getRequestListener } from "@hono/node-server";
import { build } from "esbuild";
import { freePort } from "../../scripts/free-port.mjs";
import { ada } from "../directory";
import { beginSession, expect, test } from "./fixtures";
import { addApp, codeOf, connectionValue, openView } from "./new-app";
import { type Program, startProgram } from "./program";

const run = promisify(execFile);
const programs: Program[] = [];
test.afterEach(() => Promise.all(programs.splice(0).map((program) => program.stop())));

/** Starts a copied program that ends with its test. */
function start(folder: string, file: string, env: Record<string, string> = {}): Program {
  const program = startProgram(folder, file, env);
  programs.push(program);
  return program;
}

/** Writes the copied files into a folder inside the project, so that they find the installed libraries. */
function place(name: string, files: ReadonlyMap<string, string>): string {
  const folder = path.join(import.meta.dirname, "../../test-results/snippets", name);
  rmSync(folder, { recursive: true, force: true });
  for (const [file, code] of files) {
    if (!/\.(mjs|js|jsx|ts|sh)$/.test(file)) continue;
    mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
    writeFileSync(path.join(folder, file), code);
  }
  return folder;
}

test("an Express application signs a person in and out", async ({ page }) => {
  const origin = `http://localhost:${await freePort()}`;
  await beginSession(page, ada);
  const { secret = "" } = await addApp(page, { kind: "web", name: "Express", redirectUri: `${origin}/callback` });
  const folder = place("express", await codeOf(page, /Express/));
  const app = start(folder, "app.mjs", { CLIENT_SECRET: secret });
  await app.heard(/Open http/);
  await page.goto(`${origin}/sign-in`);
  await expect(page.locator("body")).toContainText('"signedInAs":{"sub":"u-ada"');
  await page.goto(`${origin}/sign-out`);
  await page.goto(origin);
  await expect(page.locator("body")).toContainText("/sign-in");

  // If the port is in use, it reports that instead of an address.
  const second = start(folder, "app.mjs", { CLIENT_SECRET: secret });
  await second.heard(/EADDRINUSE/);
  expect(await second.ended).toBe(1);
  expect(second.output()).not.toContain("Open http");
});

test("Passport reads the name, because the wizard sets what it needs", async ({ page }) => {
  const origin = `http://localhost:${await freePort()}`;
  await beginSession(page, ada);
  const redirectUri = `${origin}/callback`;
  const { secret = "" } = await addApp(page, { kind: "web", stack: "passport", name: "Passport", redirectUri });
  const folder = place("passport", await codeOf(page, /Passport/));
  const app = start(folder, "passport.mjs", { CLIENT_SECRET: secret, SESSION_SECRET: "its own" });
  await app.heard(/Open http/);
  await page.goto(`${origin}/sign-in`);
  await expect(page.locator("body")).toContainText('"displayName":"Ada Lovelace"');
});

test("a sample that needs a missing setting of the app reports and sets it", async ({ page }) => {
  await beginSession(page, ada);
  await addApp(page, { kind: "web", name: "Made for another" });
  await page.getByRole("tab", { name: /Passport/ }).click();
  const panel = page.getByRole("tabpanel", { name: /Passport/ });
  await expect(panel).toContainText("Passport reads the name and the email from the ID token");
  await page.locator("#set-for-passport").click();
  await expect(panel.locator(".banner")).toHaveCount(0);
  await openView(page, "Settings");
  await expect(page.getByRole("switch", { name: "User Info inside ID Token" })).toBeChecked();
});

test("Auth.js works with the provider as shown", async ({ page, relyingParty }) => {
  await beginSession(page, ada);
  const redirectUri = `${relyingParty.siteOrigin}/api/auth/callback/identity`;
  const { secret = "" } = await addApp(page, { kind: "web", stack: "next", name: "Next", redirectUri });
  const folder = place("next", await codeOf(page, /Next\.js/));
  process.env.CLIENT_SECRET = secret;
  const config = await configurationIn(path.join(folder, "auth.ts"));
  const application = {
    ...config,
    basePath: "/api/auth",
    trustHost: true,
    secret: "a secret of the application's own",
  };
  relyingParty.serve(getRequestListener((request) => Auth(request, application)));
  await page.goto(`${relyingParty.siteOrigin}/api/auth/signin?callbackUrl=/api/auth/session`);
  await page.getByRole("button", { name: "Sign in with Identity" }).click();
  await page.waitForURL(`${relyingParty.siteOrigin}/api/auth/session`);
  await expect(page.locator("body")).toContainText("ada@acme.test");
});

/** Returns the configuration that a file passes to next-auth, which passes it to the tested library, @auth/core. */
async function configurationIn(file: string): Promise<AuthConfig> {
  const { outputFiles } = await build({
    entryPoints: [file],
    bundle: true,
    format: "esm",
    write: false,
    plugins: [
      {
        name: "next-auth",
        setup(builder) {
          builder.onResolve({ filter: /^next-auth$/ }, () => ({ path: "next-auth", namespace: "configuration" }));
          const contents = "export default (config) => ({ handlers: config });";
          builder.onLoad({ filter: /.*/, namespace: "configuration" }, () => ({ contents }));
        },
      },
    ],
  });
  const code = Buffer.from(outputFiles[0]?.contents ?? []).toString("base64");
  return (await import(`data:text/javascript;base64,${code}`)).handlers;
}

for (const { stack, name, file } of [
  { stack: /oidc-client-ts/, name: "spa", file: "main.js" },
  { stack: /React/, name: "react", file: "main.jsx" },
]) {
  test(`a single-page application signs a person in: ${name}`, async ({ page, relyingParty }) => {
    await beginSession(page, ada);
    await addApp(page, { kind: "browser", name, redirectUri: `${relyingParty.siteOrigin}/callback` });
    const folder = place(name, await codeOf(page, stack));
    const { outputFiles } = await build({
      entryPoints: [path.join(folder, file)],
      bundle: true,
      format: "esm",
      jsx: "automatic",
      define: { "process.env.NODE_ENV": '"production"' },
      write: false,
    });
    relyingParty.serve((request, response) => {
      const isScript = request.url === "/main.js";
      response.writeHead(200, { "content-type": isScript ? "text/javascript" : "text/html; charset=utf-8" });
      const html =
        "<!doctype html><html lang=en><title>App</title><div id=root></div><script type=module src=/main.js></script>";
      response.end(isScript ? outputFiles[0]?.contents : html);
    });
    await page.goto(relyingParty.siteOrigin);
    await page.getByRole("button", { name: "Sign in" }).click();
    await expect(page.getByRole("button", { name: "Sign out Ada Lovelace" })).toBeVisible();
  });
}

test("a desktop program signs a person in by the browser", async ({ page }) => {
  await beginSession(page, ada);
  await addApp(page, { kind: "native", name: "Desktop", redirectUri: "http://127.0.0.1/callback" });
  const folder = place("desktop", await codeOf(page, /desktop or terminal/));
  const program = start(folder, "sign-in.mjs");
  const [, address = ""] = await program.heard(/browser: (\S+)/);
  await page.goto(address);
  await page.locator("#submit").click(); // Continue to Desktop
  await expect(page.locator("body")).toContainText("You are signed in");
  await program.heard(/Signed in as u-ada/);
});

test("a program in a terminal signs a person in by a code on another device", async ({ page }) => {
  await beginSession(page, ada);
  await addApp(page, { kind: "device", name: "Terminal" });
  const folder = place("device", await codeOf(page, /device code/));
  const program = start(folder, "device.mjs");
  const [, address = ""] = await program.heard(/Open (\S+)/);
  await page.goto(address);
  await page.locator("#submit").click();
  await page.locator("#allow").click();
  await program.heard(/Signed in as u-ada/);
});

test("an API asks about a machine's token, or checks it by its signature", async ({ page, service }) => {
  await beginSession(page, ada);
  const machine = await addApp(page, { kind: "machine", name: "Nightly job" });
  const machineId = /\/machines\/([^/#]+)/.exec(page.url())?.[1];
  const api = await addApp(page, { kind: "api", name: "Orders" });
  const apiFolder = place("api", await codeOf(page, /Express/, "#by-introspection"));
  const curlFolder = place("curl", await codeOf(page, "curl", "#by-introspection"));
  const jwtFolder = place("jwt-api", await codeOf(page, /Express/, "#by-jwt"));
  const scope = await connectionValue(page, "Scope for its callers");
  const tokenFor = async (wanted: string) => {
    const answer = await fetch(`${service.baseUrl}/oauth/v2/token`, {
      method: "POST",
      body: new URLSearchParams({ grant_type: "client_credentials", scope: wanted }),
      headers: {
        authorization: `Basic ${Buffer.from(`${machine.clientId}:${machine.secret}`).toString("base64")}`,
      },
    });
    return ((await answer.json()) as { access_token: string }).access_token;
  };
  const token = await tokenFor(`openid ${scope}`);
  const stranger = await tokenFor("openid");
  const environment = { CLIENT_SECRET: api.secret ?? "", TOKEN: token };
  const introspected = await run("sh", ["introspect.sh"], { cwd: curlFolder, env: { ...process.env, ...environment } });
  expect(JSON.parse(introspected.stdout)).toMatchObject({ active: true });

  /** Starts an API and sends it each token in turn. @returns the statuses */
  const answersOf = async (folder: string, file: string, good: string, others: readonly (string | undefined)[]) => {
    const port = await freePort();
    const program = start(folder, file, { ...environment, PORT: String(port) });
    const ask = (sent: string | undefined) =>
      fetch(`http://127.0.0.1:${port}/`, {
        headers: sent === undefined ? {} : { authorization: `Bearer ${sent}` },
      }).then(
        ({ status }) => status,
        () => program.said(),
      );
    await expect.poll(() => ask(good)).toBe(200);
    return Promise.all(others.map(ask));
  };
  expect(await answersOf(apiFolder, "api.mjs", token, [stranger, undefined, "x"])).toEqual([401, 401, 401]);

  // The organization can read why the stranger's token was inactive, and how to fix it.
  const project = /project:id:([^:]+):aud/.exec(scope)?.[1] ?? "";
  await page.goto(`/console/organizations/acme/events?type=app.introspection.not_in_audience`);
  await page.getByRole("link", { name: "Details" }).first().click();
  const details = page.locator(".event-panel");
  await expect(details).toContainText(`“inactive” for a token of ${machine.clientId}`);
  await expect(details).toContainText(`:${project}:aud`);

  const switched = await page.evaluate(
    async ([id, userName]) =>
      (
        await fetch(`/console/api/management/v1/users/${id}/machine`, {
          method: "PUT",
          headers: { "content-type": "application/json", "x-csrf-token": document.body.dataset.csrf ?? "" },
          body: JSON.stringify({ name: userName, accessTokenType: "ACCESS_TOKEN_TYPE_JWT" }),
        })
      ).status,
    [machineId, machine.clientId],
  );
  expect(switched).toBe(200);
  const jwt = await tokenFor(`openid ${scope}`);
  const wrong = [await tokenFor("openid"), token, undefined, `${jwt.slice(0, -8)}AAAAAAAA`];
  expect(await answersOf(jwtFolder, "jwt-api.mjs", jwt, wrong)).toEqual([401, 401, 401, 401]);
});
