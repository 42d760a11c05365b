/**
 * Real faults that the service must survive: killed processes, a database that goes away, signals under load, a log
 * without a reader. These tests never wait for a fixed time, only for visible effects. That kills under load lose
 * nothing is the drill `crash`.
 */
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { Agent, createServer as createHttpServer, request } from "node:http";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import { startPostgres } from "../scripts/postgres.mjs";
import { breakableWayTo } from "./breakable";
import { codeByForm, redeem, refresh } from "./by-form";
import { directory, machine } from "./directory";
import { expect, test } from "./fixtures";
import { connect } from "./raw";
import { startService } from "./service";

const TWO_WORKERS = { SECRET_KEY: "a-secret-key-for-two-processes-long-enough", WORKERS: "2" };

/** Returns the ids of the processes that reported to be ready, in order. */
const readyProcesses = (output: string): number[] =>
  [...output.matchAll(/"pid":(\d+)[^\n]*"msg":"ready"/g)].map(([, pid]) => Number(pid));

test("workers that cannot start end the service with their reason instead of restarting forever", async () => {
  const postgres = await startPostgres({ durable: false });
  const occupied = createServer();
  await new Promise<void>((resolve) => occupied.listen(0, "127.0.0.1", resolve));
  const { port } = occupied.address() as { port: number };
  try {
    const env = { ...TWO_WORKERS, DATABASE_URL: postgres.url, PORT: String(port) };
    await expect(startService({ env })).rejects.toThrow(
      new RegExp(`it ended with 1\\n[^]*PORT: port ${port} is already in use; set PORT to a free one`),
    );
  } finally {
    occupied.close();
    await postgres.stop();
  }
});

test("an address of another machine is reported with the name of its setting", async () => {
  // RFC 5737: an address for documentation that no machine has.
  await expect(startService({ env: { HOST: "192.0.2.1" } })).rejects.toThrow(
    /HOST: 192\.0\.2\.1 is no address of this machine/,
  );
});

test("a response of another service on its port does not count as a successful start", async () => {
  const other = createHttpServer((_, response) => response.end()).listen(0);
  try {
    await once(other, "listening");
    const { port } = other.address() as AddressInfo;
    await expect(startService({ port })).rejects.toThrow(`PORT: port ${port} is already in use`);
  } finally {
    other.close();
    other.closeAllConnections();
  }
});

test("a killed worker is replaced, even while the bootstrap file is edited", async ({ application }) => {
  const postgres = await startPostgres({ durable: false });
  const env = { ...TWO_WORKERS, DATABASE_URL: postgres.url };
  const service = await startService({ bootstrap: directory(application, []), env });
  try {
    await expect.poll(() => readyProcesses(service.output()).length).toBe(2);
    writeFileSync(join(service.folder, "bootstrap.json"), "{ half a f");
    const [first = 0] = readyProcesses(service.output());
    process.kill(first, "SIGKILL");
    await expect.poll(() => readyProcesses(service.output()).length).toBe(3);
    const code = await codeByForm(service.baseUrl, application.redirectUri);
    expect((await redeem(service.baseUrl, application.redirectUri, code)).status).toBe(200);
    expect(await service.stop()).toBe(0);
  } finally {
    await service.stop();
    await postgres.stop();
  }
});

test("every response reports an unavailable database, and the service recovers by itself", async ({ application }) => {
  const postgres = await startPostgres({ durable: false });
  const way = await breakableWayTo(postgres.url);
  const env = { ...TWO_WORKERS, WORKERS: "1", DATABASE_URL: way.url };
  const service = await startService({ bootstrap: directory(application, []), env });
  const { baseUrl } = service;
  const statusOf = async (path: string, headers = {}) => (await fetch(`${baseUrl}${path}`, { headers })).status;
  try {
    const code = await codeByForm(baseUrl, application.redirectUri);
    const { body } = await redeem(baseUrl, application.redirectUri, code);
    await way.cut();
    expect(await statusOf("/readyz")).toBe(200); // equal on all nodes: they serve what needs no database
    expect(await statusOf("/readyz?all")).toBe(503);
    expect(await statusOf("/healthz")).toBe(200);
    expect(await statusOf("/.well-known/openid-configuration")).toBe(200);
    expect(await statusOf("/oauth/v2/keys")).toBe(200);
    expect(await refresh(baseUrl, body.refresh_token ?? "")).toMatchObject({
      status: 503,
      body: { error: "temporarily_unavailable" },
    });
    // In a language that is not built in, so that the default would have to be looked up.
    const page = await fetch(`${baseUrl}/`, { headers: { accept: "text/html", "accept-language": "tlh" } });
    expect(page.status).toBe(503);
    expect(page.headers.get("retry-after")).toMatch(/^\d+$/);
    expect(await page.text()).toContain("<h1");
    expect(await statusOf("/no-such-page", { accept: "text/html", "accept-language": "tlh" })).toBe(404);

    await way.restore();
    await expect.poll(() => statusOf("/readyz?all")).toBe(200);
    expect(await refresh(baseUrl, body.refresh_token ?? "")).toMatchObject({ status: 200 });
    await way.cut();
    expect(await service.stop()).toBe(0);
    expect(service.output()).not.toMatch(/unhandled|uncaught/i);
  } finally {
    await service.stop();
    await postgres.stop();
  }
});

test("a database that does not respond blocks neither health checks nor the stop", async () => {
  const postgres = await startPostgres({ durable: false });
  const way = await breakableWayTo(postgres.url);
  const service = await startService({ env: { ...TWO_WORKERS, WORKERS: "1", DATABASE_URL: way.url } });
  try {
    way.stall();
    const asked = Date.now();
    const [health, readiness] = await Promise.all(
      ["/healthz", "/readyz?all"].map((path) => fetch(service.baseUrl + path, { signal: AbortSignal.timeout(4_000) })),
    );
    expect([health?.status, readiness?.status]).toEqual([200, 503]);
    expect(Date.now() - asked).toBeLessThan(4_000);
    expect(await service.stop()).toBe(0); // not killed
  } finally {
    await service.stop();
    await way.cut();
    await postgres.stop();
  }
});

test("a signal under load fails no request that is under way in two processes", async ({ application }) => {
  const postgres = await startPostgres({ durable: false });
  const env = { ...TWO_WORKERS, DATABASE_URL: postgres.url };
  const service = await startService({ bootstrap: directory(application, []), env });
  try {
    const agent = new Agent({ keepAlive: true });
    let answered = 0;
    let asked = false;
    const failures: unknown[] = [];
    // A connection without data and a kept connection: neither may keep the process alive.
    await connect(service.baseUrl);
    await fetch(`${service.baseUrl}/healthz`);
    const clientsUnderLoad = Array.from({ length: 10 }, async () => {
      for (;;) {
        const before = !asked;
        const status = await ownTokens(service.baseUrl, agent).catch((error: NodeJS.ErrnoException) => {
          if (before) failures.push(error); // after the signal no process listens
          return undefined;
        });
        if (status === undefined) return;
        if (status !== 200) failures.push(status);
        answered += 1;
      }
    });
    await expect.poll(() => answered).toBeGreaterThan(100);
    asked = true;
    const ended = Date.now();
    expect(await service.stop()).toBe(0);
    expect(Date.now() - ended).toBeLessThan(10_000);
    await Promise.all(clientsUnderLoad);
    expect(failures).toEqual([]);
  } finally {
    await service.stop();
    await postgres.stop();
  }
});

/** Requests tokens of a machine over a kept connection; returns the status. */
function ownTokens(baseUrl: string, agent: Agent): Promise<number | undefined> {
  const form = new URLSearchParams({ grant_type: "client_credentials", scope: "openid" }).toString();
  return new Promise((resolve, reject) => {
    const authorization = `Basic ${Buffer.from(`${machine.clientId}:${machine.secret}`).toString("base64")}`;
    const headers = { "content-type": "application/x-www-form-urlencoded", authorization };
    const outgoing = request(`${baseUrl}/oauth/v2/token`, { method: "POST", agent, headers }, (response) => {
      response.resume().on("end", () => resolve(response.statusCode));
      response.on("error", reject);
    });
    outgoing.on("error", reject).end(form);
  });
}
