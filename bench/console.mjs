// The pages of the console beside the login page in Chromium: what a cold page costs the main thread, in turns with the
// login page, and what is loaded when a user goes to the page inside the console.
import { setTimeout as sleep } from "node:timers/promises";
import { chromium } from "@playwright/test";
import { findChromium } from "../scripts/machine.mjs";
import { person } from "./processes.mjs";
import { median } from "./report.mjs";
import { adminToken } from "./texts.mjs";
import { fill } from "./users.mjs";

const USERS = 1_000;
const APPS = 20;
const OF = "/console/organizations/acme";
const LOGIN = "login page";
const PAGES = {
  overview: "/console",
  status: "/console/status",
  keys: "/console/keys",
  organizations: "/console/organizations",
  organization: OF,
  apps: `${OF}/apps`,
  "an app": `${OF}/projects/shop/apps/`,
  users: `${OF}/users`,
  passwords: `${OF}/policies`,
  branding: `${OF}/branding`,
  "audit log": `${OF}/events`,
  "email templates": `${OF}/texts`,
  "login page texts": `${OF}/texts/pages`,
};
const NAMES = [LOGIN, ...Object.keys(PAGES)];
const ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--disable-background-networking"];
/** The figures of a page, with the names of the Chrome DevTools Protocol, in seconds. */
const COSTS = ["TaskDuration", "ScriptDuration", "LayoutDuration", "RecalcStyleDuration"];
/** After this time every page is at rest, also on a busy machine. */
const CALM_MS = 2_000;

/** Fills the organization, and gives the user the right to see everything. Returns the address of each page. */
async function prepare(server) {
  await fill(server.databaseUrl, "acme", USERS);
  const authorization = `Bearer ${await adminToken(server)}`;
  const call = async (path, body) => {
    const headers = { authorization, "content-type": "application/json", "x-service-orgid": "acme" };
    const response = await fetch(server.issuer + path, { method: "POST", headers, body: JSON.stringify(body) });
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return response.json();
  };
  const { result } = await call("/management/v1/users/_search", {
    queries: [{ emailQuery: { emailAddress: person.loginName } }],
  });
  await call("/admin/v1/members", { userId: result[0].id, roles: ["IAM_OWNER"] });
  let app;
  for (let number = 1; number <= APPS; number++) {
    app = await call("/management/v1/projects/shop/apps/oidc", {
      name: `App ${number}`,
      redirectUris: [`https://app-${number}.test/callback`],
      responseTypes: ["OIDC_RESPONSE_TYPE_CODE"],
      grantTypes: ["OIDC_GRANT_TYPE_AUTHORIZATION_CODE"],
      appType: "OIDC_APP_TYPE_WEB",
      authMethodType: "OIDC_AUTH_METHOD_TYPE_BASIC",
    });
  }
  return { ...PAGES, "an app": PAGES["an app"] + app.appId };
}

/** Uses a page of a new browser context, which has its own process and an empty cache. */
async function withPage(browser, { issuer, state }, use) {
  const context = await browser.newContext({ baseURL: issuer, storageState: state, locale: "en-US" });
  try {
    return await use(await context.newPage());
  } finally {
    await context.close();
  }
}

/** Counts the bytes of the responses that follow. Returns a function that returns them in kB. */
async function countBytes(page) {
  const session = await page.context().newCDPSession(page);
  const kB = { all: 0, Script: 0 };
  const types = new Map();
  session.on("Network.responseReceived", ({ requestId, type }) => types.set(requestId, type));
  session.on("Network.loadingFinished", ({ requestId, encodedDataLength }) => {
    kB.all += encodedDataLength / 1000;
    if (types.get(requestId) === "Script") kB.Script += encodedDataLength / 1000;
  });
  await session.send("Network.enable");
  return () => kB;
}

/** Returns the kB of the scripts of a page, its elements, and the kB of going there by a link of another page. */
async function sizeOf(browser, server, address) {
  const cold = await withPage(browser, server, async (page) => {
    const bytes = await countBytes(page);
    await page.goto(address, { waitUntil: "networkidle" });
    return { scripts: bytes().Script, nodes: await page.locator("*").count() };
  });
  if (!server.state) return cold;
  const going = await withPage(browser, server, async (page) => {
    await page.goto(address === PAGES.overview ? PAGES.status : PAGES.overview, { waitUntil: "networkidle" });
    const bytes = await countBytes(page);
    await page.evaluate((href) => document.body.append(Object.assign(document.createElement("a"), { href })), address);
    await page.locator("body > a").last().dispatchEvent("click");
    await sleep(CALM_MS);
    return bytes().all;
  });
  return { ...cold, going };
}

/**
 * Opens a page in a browser that has nothing of the service. Returns milliseconds of processor time of its main thread.
 * Playwright is only the connection: what it asks a page to report would cost that thread a quarter more.
 */
async function openCold(root, { issuer, state }, address) {
  const { browserContextId } = await root.send("Target.createBrowserContext");
  const cookies = (state?.cookies ?? []).map(({ name, value, domain, path }) => ({ name, value, domain, path }));
  await root.send("Storage.setCookies", { browserContextId, cookies });
  const { targetId } = await root.send("Target.createTarget", { url: "about:blank", browserContextId });
  const { sessionId } = await root.send("Target.attachToTarget", { targetId, flatten: false });
  const send = (method, params = {}) =>
    new Promise((resolve) => {
      root.once("Target.receivedMessageFromTarget", ({ message }) => resolve(JSON.parse(message).result));
      root.send("Target.sendMessageToTarget", { sessionId, message: JSON.stringify({ id: 1, method, params }) });
    });
  await send("Performance.enable", { timeDomain: "threadTicks" });
  await send("Page.navigate", { url: issuer + address });
  await sleep(CALM_MS);
  const { metrics } = await send("Performance.getMetrics");
  await root.send("Target.disposeBrowserContext", { browserContextId });
  return COSTS.map((name) => metrics.find((metric) => metric.name === name).value * 1000);
}

/** Signs in. Returns the cookies. */
const signedIn = (browser, { issuer }) =>
  withPage(browser, { issuer }, async (page) => {
    await page.goto(PAGES.overview);
    await page.locator("#loginName").fill(person.loginName);
    await page.locator("#password").fill(person.password);
    await page.locator("#submit").click();
    await page.waitForURL(/\/console/);
    return page.context().storageState();
  });

/** Measures all pages in each round, in turns. Prints a table for each server. */
export async function measureConsole(servers, { rounds }) {
  const browser = await chromium.launch({ executablePath: findChromium(), args: ARGUMENTS });
  try {
    const measured = [];
    for (const own of servers) {
      const pages = Object.entries({ [LOGIN]: PAGES.overview, ...(await prepare(own)) });
      const state = await signedIn(browser, own);
      for (const [name, address] of pages) {
        const server = { issuer: own.issuer, state: name === LOGIN ? undefined : state };
        measured.push({ name, address, server, size: await sizeOf(browser, server, address), costs: [] });
      }
    }
    const root = await browser.newBrowserCDPSession();
    measured.sort((one, other) => NAMES.indexOf(one.name) - NAMES.indexOf(other.name));
    for (let round = 0; round < rounds; round++) {
      for (const { server, address, costs } of measured) costs.push(await openCold(root, server, address));
    }
    for (const { issuer } of servers) print(measured.filter(({ server }) => server.issuer === issuer));
  } finally {
    await browser.close();
  }
}

function print(pages) {
  console.log(`\nMain thread of cold pages in ms, medians of ${pages[0].costs.length} rounds, and kB compressed:`);
  const line = (...cells) => console.log(cells.map((cell, i) => (i ? cell.padStart(9) : cell.padEnd(18))).join(""));
  line("", "× login", "ms", "script", "layout", "style", "nodes", "JS kB", "going kB");
  for (const { name, costs, size } of pages) {
    const ms = COSTS.map((_, index) => median(costs.map((cost) => cost[index])).toFixed(1));
    const ratio = median(costs.map(([cost], round) => cost / pages[0].costs[round][0]));
    const sizes = [size.nodes, size.scripts.toFixed(0), size.going?.toFixed(0) ?? "–"];
    line(name, ratio.toFixed(2), ...ms, ...sizes.map(String));
  }
}
