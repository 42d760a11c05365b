import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import http from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { record } from "../events/record";
import type { DeliveryOutcome } from "../mail/deliver";
import "../mail/worker"; // which the application alone does not load
import { processMetrics, watchProcess } from "../metrics/instruments";
import { listSequences } from "../storage/maintenance/sequences";
import { apiToken, callApi } from "../testing/api";
import { CERTIFICATE } from "../testing/certificate";
import { ruleDatabases } from "../testing/database";
import { exampleBootstrap } from "../testing/example";
import { authorize } from "../testing/flow";
import { projectFolder } from "../testing/repository";
import { type TestService, testService } from "../testing/test-context";
import { requestListener } from "./http-server/request-listener";

watchProcess();
/** Before anything has happened here; other files of this process may have counted. */
const atStart = await processMetrics.metrics();

describe("outcomes without an occurrence", () => {
  it.each([
    'identity_sign_ins_total{outcome="refused",method="password"}',
    'identity_sign_ins_total{outcome="throttled",method="code"}',
    'identity_sign_ins_total{outcome="signed_in",method="pwd"}',
    'identity_sign_in_attempts_total{reason="wrong_password"}',
    'identity_token_requests_total{grant_type="refresh_token",result="invalid_grant"}',
    'identity_token_requests_total{grant_type="client_credentials",result="issued"}',
    'identity_oauth_refusals_total{endpoint="token",error="invalid_grant"}',
    'identity_oauth_refusals_total{endpoint="userinfo",error="invalid_token"}',
    'identity_throttled_total{limit="passwords-from"}',
    'identity_mail_attempts_total{outcome="failed",channel="mail"}',
    'identity_mail_attempts_total{outcome="sent",channel="sms"}',
    "identity_event_archive_failures_total",
    "identity_log_lines_lost_total",
    "identity_telemetry_failures_total",
    "identity_database_damage_total",
  ])("are shown from the start, as an increase counts from a first sample: %s", (series) => {
    const sample = atStart.split("\n").find((line) => line.startsWith(`${series} `));
    expect(sample?.slice(series.length)).toMatch(/^ \d+$/);
  });
});

describe.each(ruleDatabases)("/metrics on %s (rule SERVE-3)", (kind) => {
  let service: TestService;
  let server: http.Server;
  let port: number;
  beforeAll(async () => {
    processMetrics.resetMetrics(); // other tests of this process are counted too
    service = await testService(kind, exampleBootstrap);
    server = http.createServer(requestListener(service)).listen(0, "127.0.0.1");
    await new Promise((resolve) => server.once("listening", resolve));
    port = (server.address() as AddressInfo).port;
  });
  afterAll(async () => {
    server.close();
    await service.close();
  });

  const scrape = (headers: Record<string, string> = {}) =>
    new Promise<{ status?: number; type?: string; text: string }>((resolve, reject) => {
      const request = http.get({ host: "127.0.0.1", port, path: "/metrics", headers }, async (response) => {
        const text = (await response.toArray()).join("");
        resolve({ status: response.statusCode, type: response.headers["content-type"], text });
      });
      request.on("error", reject);
    });

  it("is shown on the machine itself, in Prometheus' format", async () => {
    const { status, type, text } = await scrape();
    expect({ status, type }).toEqual({ status: 200, type: "text/plain; version=0.0.4; charset=utf-8" });
    const names = text.match(/^# TYPE \S+/gm)?.map((line) => line.slice("# TYPE ".length)) ?? [];
    expect(names).toEqual([...new Set(names)]);
    expect(names).toContain("identity_http_request_duration_seconds");
    expect(names).toContain("identity_outbox_messages");
    expect(names).toContain("identity_events_overdue_seconds");
  });

  it("reports the remaining numbers of the event sequence, and the used share", async () => {
    const before = (await scrape()).text;
    const [{ name, used, last } = { name: "", used: 0, last: 0 }] = await listSequences(service.ctx.db);
    const figure = (text: string, metric: string) =>
      Number(text.match(new RegExp(`^${metric}\\{sequence="${name}"\\} (\\S+)$`, "m"))?.[1]);
    expect(figure(before, "identity_sequence_left")).toBe(Number.MAX_SAFE_INTEGER - used);
    const far = Math.floor(0.75 * last);
    const { db } = service.ctx;
    const move = (to: number) =>
      kind === "sqlite"
        ? db.run(`UPDATE "sqlite_sequence" SET "seq" = $1`, [to])
        : db.all(`SELECT setval('"Event_position_seq"', $1)`, [to]);
    await move(far);
    const { text } = await scrape();
    await move(used);
    expect(figure(text, "identity_sequence_used_ratio")).toBeCloseTo(0.75);
    expect(figure(text, "identity_sequence_left")).toBe(last - far);
  });

  // Only PostgreSQL has announcements.
  it.runIf(kind === "postgresql")("has every figure that the dashboard and the alerts look at", async () => {
    // An alert on an outcome that is never counted would never fire.
    const alerts = readFileSync(`${projectFolder}deploy/prometheus/alerts.yaml`, "utf8");
    const outcomes = [...alerts.matchAll(/identity_mail_attempts_total\{outcome="(\w+)"/g)].map(
      ([, outcome]) => outcome,
    );
    expect(outcomes).toEqual(["failed"] satisfies DeliveryOutcome[]);
    const files = ["deploy/grafana/identity-service.json", "deploy/prometheus/alerts.yaml"];
    const looked = files.flatMap(
      (file) =>
        readFileSync(projectFolder + file, "utf8").match(/\b(?:identity|process|nodejs)_\w+(?=[{[ )]|$)/gm) ?? [],
    );
    const folder = mkdtempSync(join(tmpdir(), "metrics-"));
    writeFileSync(join(folder, "cert.pem"), CERTIFICATE);
    const { config } = service.ctx;
    const usual = { ...config };
    // What only nodes with TLS or an embedded database have.
    const tls = { certFile: join(folder, "cert.pem"), keyFile: "" };
    Object.assign(config, { tls, databaseUrl: `file:${join(folder, "service.db")}` });
    const { text } = await scrape();
    Object.assign(config, { tls: undefined, ...usual });
    rmSync(folder, { recursive: true });
    const shown = new Set([...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name));
    expect(looked.length).toBeGreaterThan(15);
    expect(looked.filter((name) => !shown.has(name.replace(/_(?:bucket|count)$/, "")))).toEqual([]);
  });

  it("has a test with a fault for every alert (npm run drill -- alerts)", () => {
    const read = (name: string) => readFileSync(`${projectFolder}deploy/prometheus/${name}`, "utf8");
    const alerts = [...read("alerts.yaml").matchAll(/^ +- alert: (\w+)$/gm)].map(([, name]) => name);
    const tested = [...read("alerts.test.yaml").matchAll(/^ +alertname: (\w+)\n +exp_alerts:\n/gm)].map(
      ([, name]) => name,
    );
    expect(alerts.length).toBeGreaterThan(20);
    expect(alerts.filter((name) => !tested.includes(name))).toEqual([]);
  });

  it.each([
    "x-forwarded-for",
    "forwarded",
    "x-real-ip",
    "via",
    "x-forwarded-port",
    "cf-connecting-ip",
    "true-client-ip",
  ])("is not shown to whom a proxy speaks for: %s", async (name) => {
    const { status, text } = await scrape({ [name]: "127.0.0.1" });
    expect(status).toBe(401);
    expect(JSON.parse(text)).toMatchObject({ code: 16, details: [{ id: "access.token_missing" }] });
  });

  it.each([
    ["host", "0.0.0.0"],
    ["host", "::"],
    ["host", "192.168.1.5"],
    ["baseUrl", "https://id.acme.test"],
  ])(
    "is not shown on the machine itself where %s is %s: a proxy may stand there that says nothing",
    async (name, value) => {
      const { config } = service.ctx;
      const usual = { ...config };
      Object.assign(config, { [name]: value });
      expect((await scrape()).status).toBe(401);
      Object.assign(config, usual);
      expect((await scrape()).status).toBe(200);
    },
  );

  it.each(["::1", "localhost", "127.0.0.2"])("is shown there where HOST is %s", async (host) => {
    const { config } = service.ctx;
    const usual = { ...config };
    Object.assign(config, { host });
    expect((await scrape()).status).toBe(200);
    Object.assign(config, usual);
  });

  it("is not served under the public name", async () => {
    expect((await scrape({ host: "id.example.com" })).status).toBe(401);
  });

  it("is shown elsewhere only to bearers who may read the instance's settings", async () => {
    const none = await callApi(service, "GET", "/metrics");
    expect(none.status).toBe(401);
    expect(none.headers.get("www-authenticate")).toBe('Bearer realm="api"');
    expect((await callApi(service, "GET", "/metrics", { token: "invented" })).status).toBe(401);
    const owner = await callApi(service, "GET", "/metrics", { token: await apiToken(service) });
    expect(owner.status).toBe(200);
    const stranger = await apiToken(service, "bob@acme.test");
    expect(await callApi(service, "GET", "/metrics", { token: stranger })).toMatchObject({
      status: 403,
      body: { code: 7 },
    });
  });

  it("is shown to the token of METRICS_TOKEN_FILE, also after it was replaced, and while the database is away", async () => {
    const folder = mkdtempSync(join(tmpdir(), "metrics-"));
    const file = join(folder, "token");
    const { config, db } = service.ctx;
    const usual = { ...db };
    const read = (token: string) => callApi(service, "GET", "/metrics", { token });
    try {
      writeFileSync(file, "first-token-of-the-operator\n");
      Object.assign(config, { metricsTokenFile: file });
      expect((await read("first-token-of-the-operator")).status).toBe(200);
      expect((await read("first-token-of-the-operato")).status).toBe(401);
      expect((await read("")).status).toBe(401);
      writeFileSync(file, "second-token-of-the-operator\n");
      expect((await read("first-token-of-the-operator")).status).toBe(401);

      const away = () => Promise.reject(Object.assign(new Error("connect ECONNREFUSED"), { code: "ECONNREFUSED" }));
      Object.assign(db, { ping: away, one: away, lookUp: away, all: away, run: away });
      const response = await service.fetch("/metrics", {
        headers: { authorization: "Bearer second-token-of-the-operator" },
      });
      expect(response.status).toBe(200);
      const text = await response.text();
      expect(text).toMatch(/^identity_check_ok\{check="database"\} 0$/m);
      expect(text).toMatch(/^identity_check_ok\{check="draining"\} 1$/m);
      expect(text).toMatch(/^identity_sign_ins_total\{/m);
      Object.assign(db, usual);

      rmSync(file);
      expect((await read("second-token-of-the-operator")).status).toBe(401);
    } finally {
      Object.assign(db, usual);
      Object.assign(config, { metricsTokenFile: undefined });
      rmSync(folder, { recursive: true });
    }
  });

  it("reports the node's checks and the age of its keys", async () => {
    const { config } = service.ctx;
    const { databaseUrl } = config;
    if (kind === "sqlite") Object.assign(config, { databaseUrl: `file:${join(tmpdir(), "service.db")}` });
    const { text } = await scrape();
    Object.assign(config, { databaseUrl });
    for (const check of ["draining", "database", "writes", "migrations", "signingKey"]) {
      expect(text).toMatch(new RegExp(`^identity_check_ok\\{check="${check}"\\} 1$`, "m"));
    }
    expect(text).toMatch(/^identity_signing_key_age_seconds\{algorithm="\w+"\} \d/m);
    expect(text).toMatch(/^identity_clock_difference_seconds -?\d/m);
    expect(text).toMatch(/^identity_database_read_duration_seconds_count [1-9]/m);
    if (kind === "sqlite") expect(text).toMatch(/^identity_disk_free_bytes [1-9]/m);
    else expect(text).toMatch(/^identity_database_connections\{state="(?:busy|idle)"\} [1-9]/m);
  });

  it("labels routes by their patterns, and requests without a route by one word", async () => {
    await service.fetch("/nowhere/at/all?code=secret");
    await callApi(service, "GET", "/management/v1/messages/an-id");
    await service.fetch("/oauth/v2/token", { method: "BREW" });
    const { text } = await scrape();
    const count = (labels: string) =>
      Number(new RegExp(`^identity_http_request_duration_seconds_count\\{${labels}\\} (\\d+)$`, "m").exec(text)?.[1]);
    expect(count('method="GET",route="other",status="404"')).toBeGreaterThan(0);
    expect(count('method="GET",route="/management/v1/messages/:id",status="401"')).toBeGreaterThan(0);
    expect(count('method="other",route="/oauth/v2/token",status="405"')).toBeGreaterThan(0);
    expect(text).not.toMatch(/nowhere|secret|BREW|an-id/);
  });

  it("counts sign-ins, tokens, refusals and writes", async () => {
    await authorize(service.browser(), {}, { password: "wrong" });
    await apiToken(service);
    await service.fetch("/oauth/v2/token", {
      method: "POST",
      body: new URLSearchParams({ grant_type: "x".repeat(50) }),
    });
    const { text } = await scrape();
    expect(text).toMatch(/^identity_sign_ins_total\{outcome="signed_in",method="pwd"\} [1-9]/m);
    expect(text).toMatch(/^identity_sign_ins_total\{outcome="refused",method="password"\} [1-9]/m);
    expect(text).toMatch(/^identity_token_requests_total\{grant_type="authorization_code",result="issued"\} [1-9]/m);
    expect(text).toMatch(/^identity_token_requests_total\{grant_type="other",result="unsupported_grant_type"\} [1-9]/m);
    expect(text).toMatch(/^identity_database_write_duration_seconds_count\{kind="transaction"\} [1-9]/m);
  });

  it("reports the number of waiting messages, and how long the first one has been due", async () => {
    const organizationId = "acme";
    const message = { type: "password_change", organizationId, userId: "u-ada", recipient: "ada@acme.test" };
    await record(
      { ...service.ctx, origin: { actor: "system" } },
      {
        type: "user.password.change_required",
        object: { id: "u-ada", organizationId },
        state: async () => ({ messages: [message] }),
      },
    );
    service.advance(90_000);
    const { text } = await scrape();
    expect(text).toMatch(/^identity_outbox_messages\{state="queued"\} 1$/m);
    expect(text).toMatch(/^identity_outbox_messages\{state="sent"\} 0$/m);
    expect(text).toMatch(/^identity_outbox_overdue_seconds 9\d/m);
  });
});
