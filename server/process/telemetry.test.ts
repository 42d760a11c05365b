import http from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Telemetry } from "../config/telemetry-variables";
import { deliverNext } from "../mail/deliver";
import { openMailRoutes } from "../mail/routes";
import { processMetrics } from "../metrics/instruments";
import { metricsOfNode } from "../service/node-metrics";
import { apiToken, callApi } from "../testing/api";
import { exampleBootstrap, PASSWORD, SECRET } from "../testing/example";
import { authorize, redeem, type Tokens } from "../testing/flow";
import { importsOf } from "../testing/imports";
import { repositorySources } from "../testing/repository";
import { type TestService, testService } from "../testing/test-context";
import { serviceAt } from "../testing/visits";
import { type OpenTelemetry, startTelemetry } from "./telemetry";

interface SentSpan {
  name: string;
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  attributes: { key: string; value: { stringValue?: string; intValue?: number } }[];
  links: { traceId: string }[];
  status: { code: number };
}

interface SentMetric {
  name: string;
  unit: string;
  sum?: { isMonotonic: boolean };
  gauge?: object;
  histogram?: { dataPoints: { bucketCounts: number[]; explicitBounds: number[]; count: number }[] };
}

/** Starts a collector that receives OTLP as JSON. */
async function openCollector() {
  const received: { path?: string | undefined; body: unknown }[] = [];
  const server = http.createServer(async (request, response) => {
    const text = (await request.toArray()).join("");
    received.push({ path: request.url, body: JSON.parse(text) });
    response.setHeader("content-type", "application/json").end("{}");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const all = <T>(path: string, read: (body: never) => T[]) =>
    received.filter((each) => each.path === path).flatMap(({ body }) => read(body as never));
  return {
    url: `http://127.0.0.1:${port}`,
    text: () => JSON.stringify(received),
    resources: () => all("/v1/traces", ({ resourceSpans }: { resourceSpans: unknown[] }) => resourceSpans),
    spans: () =>
      all("/v1/traces", ({ resourceSpans }: { resourceSpans: { scopeSpans: { spans: SentSpan[] }[] }[] }) =>
        resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans)),
      ),
    metrics: () =>
      all("/v1/metrics", ({ resourceMetrics }: { resourceMetrics: { scopeMetrics: { metrics: SentMetric[] }[] }[] }) =>
        resourceMetrics.flatMap(({ scopeMetrics }) => scopeMetrics.flatMap(({ metrics }) => metrics)),
      ),
    close: () => new Promise((resolve) => server.close(resolve)),
  };
}

const configured = (endpoint: string): Telemetry => ({
  traces: "http/json",
  metrics: { protocol: "http/json", interval: 3_600_000 },
  variables: { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_RESOURCE_ATTRIBUTES: "deployment.environment.name=test" },
});

/** A trace id of another system, with the flag that it is recorded. */
const FOREIGN = "4bf92f3577b34da6a3ce929d0e0e4736";
const PROXY = "198.51.100.7";

describe("traces and metrics by OTLP", () => {
  let collector: Awaited<ReturnType<typeof openCollector>>;
  let service: TestService;
  const secrets: string[] = [PASSWORD, SECRET];
  const failures: string[] = [];
  beforeAll(async () => {
    collector = await openCollector();
    const telemetry: OpenTelemetry = startTelemetry(configured(collector.url));
    service = await testService("sqlite", exampleBootstrap);
    const { ctx } = service;
    telemetry.watch({
      registries: [() => metricsOfNode(ctx, { draining: false })],
      onFailure: (reason) => failures.push(reason),
    });
    const answer = await authorize(service.browser());
    const tokens = (await (await redeem(service, answer.get("code") ?? "")).json()) as Tokens;
    secrets.push(answer.get("code") ?? "", tokens.access_token, tokens.id_token ?? "", tokens.refresh_token ?? "");
    const token = await apiToken(service);
    const grace = { email: "grace@acme.test", isEmailVerified: false };
    const body = { userName: "grace", profile: { firstName: "Grace", lastName: "Hopper" }, email: grace };
    const made = await callApi(service, "POST", "/management/v1/users/human", { token, body });
    expect(made.status).toBe(200);
    await deliverNext(ctx, openMailRoutes(ctx));
    const traceparent = `00-${FOREIGN}-00f067aa0ba902b7-01`;
    await service.fetch("/oidc/v1/userinfo?secret=in-the-query", { headers: { traceparent } });
    Object.assign(ctx.config, { trustedProxies: [PROXY] });
    await serviceAt(service, PROXY).fetch("/oauth/v2/introspect", { headers: { traceparent } });
    await telemetry.end();
  });
  afterAll(async () => {
    await service.close();
    await collector.close();
  });

  const named = (name: string) => {
    const found = collector.spans().find((span) => span.name === name);
    if (!found) throw new Error(`${name} is not among ${[...new Set(collector.spans().map((span) => span.name))]}`);
    return found;
  };
  const saying = ({ attributes }: SentSpan) =>
    Object.fromEntries(attributes.map(({ key, value }) => [key, value.stringValue ?? value.intValue]));
  /** Returns the names of spans within a span, at any depth. */
  const within = (outer: SentSpan) => {
    const spans = collector.spans();
    const isWithin = (span: SentSpan): boolean =>
      span.parentSpanId === outer.spanId || spans.some((each) => each.spanId === span.parentSpanId && isWithin(each));
    return spans.filter(isWithin).map(({ name }) => name);
  };

  it("say how long endpoint, database, hash and signature took", () => {
    const signIn = named("POST /login/submit");
    expect(saying(signIn)).toMatchObject({
      "http.request.method": "POST",
      "http.route": "/login/submit",
      "http.response.status_code": 303,
      "url.path": "/login/submit",
      "identity.request_id": expect.any(String),
    });
    expect(within(signIn)).toEqual(expect.arrayContaining(["verify password"]));
    expect(within(signIn).some((name) => /^SELECT /.test(name))).toBe(true);
    const exchange = named("POST /oauth/v2/token");
    expect(within(exchange)).toEqual(expect.arrayContaining(["sign RS256"]));
    expect(within(exchange).some((name) => /INSERT .*AccessToken/.test(name))).toBe(true);
    expect(named("transaction").parentSpanId).toBeDefined();
  });

  it("contain type, recipient and channel of a message, but not its content", () => {
    expect(saying(named("send mail"))).toMatchObject({
      "identity.message.type": "init",
      "identity.message.outcome": "kept",
      "identity.message.attempt": 1,
    });
  });

  it("name the service", () => {
    expect(JSON.stringify(collector.resources()[0])).toMatch(/"service.name".*"identity-service"/);
    expect(JSON.stringify(collector.resources()[0])).toContain("deployment.environment.name");
  });

  it("contain no secret, no address of a person and no query", () => {
    expect(secrets.filter((secret) => secret.length < 8)).toEqual([]);
    for (const secret of [...secrets, "grace@acme.test", "ada@acme.test", "in-the-query"])
      expect(collector.text()).not.toContain(secret);
  });

  it("link to the trace of a stranger and do not continue it", () => {
    const asked = named("GET /oidc/v1/userinfo");
    expect(asked.traceId).not.toBe(FOREIGN);
    expect(asked.parentSpanId).toBeUndefined();
    expect(asked.links.map(({ traceId }) => traceId)).toEqual([FOREIGN]);
  });

  it("continue the trace that a trusted proxy names", () => {
    expect(named("GET /oauth/v2/introspect").traceId).toBe(FOREIGN);
  });

  it("have no parts without a whole: what happens by itself is no trace", () => {
    const ids = new Set(collector.spans().map(({ spanId }) => spanId));
    const whole = collector.spans().filter(({ parentSpanId }) => !ids.has(parentSpanId ?? ""));
    expect([...new Set(whole.map(({ name }) => name.split(" ")[0]))].sort()).toEqual(["GET", "POST", "send"]);
  });

  it("have the metrics of /metrics, by the same names", async () => {
    const shown = [
      ...(await processMetrics.getMetricsAsArray()),
      ...(await (await metricsOfNode(service.ctx, { draining: false })).getMetricsAsArray()),
    ];
    const sent = collector.metrics();
    expect(sent.map(({ name }) => name).sort()).toEqual(shown.map(({ name }) => name).sort());
    const requests = sent.find(({ name }) => name === "identity_http_request_duration_seconds");
    expect(requests?.unit).toBe("s");
    for (const { bucketCounts, explicitBounds, count } of requests?.histogram?.dataPoints ?? []) {
      expect(bucketCounts).toHaveLength(explicitBounds.length + 1);
      expect(bucketCounts.reduce((sum, each) => sum + Number(each), 0)).toBe(Number(count));
    }
    expect(requests?.histogram?.dataPoints.length).toBeGreaterThan(2);
    expect(sent.find(({ name }) => name === "identity_sign_ins_total")?.sum?.isMonotonic).toBe(true);
    expect(failures).toEqual([]);
  });

  it("are loaded only where they are sent", () => {
    const sources = repositorySources();
    const heavy = /^@opentelemetry\/(?!api$)/;
    const users = [...sources.keys()].filter(
      (path) =>
        !path.includes(".test.") &&
        importsOf(path, sources).some(({ specifier, typeOnly }) => heavy.test(specifier) && !typeOnly),
    );
    expect(users.sort()).toEqual(["server/metrics/otlp-metrics.ts", "server/process/telemetry.ts"]);
    expect(sources.get("server/process/running.ts")).toContain('await import("./telemetry")');
  });
});

describe("a collector that is away", () => {
  it("is named in one line, once", async () => {
    const closed = await openCollector();
    await closed.close();
    process.env.OTEL_EXPORTER_OTLP_ENDPOINT = closed.url;
    process.env.OTEL_EXPORTER_OTLP_TIMEOUT = "200"; // milliseconds, in which it tries again
    const failures: string[] = [];
    const telemetry = startTelemetry({ metrics: configured(closed.url).metrics, variables: {} });
    telemetry.watch({ registries: [], onFailure: (reason) => failures.push(reason) });
    await telemetry.end();
    expect(failures).toHaveLength(1);
    expect(failures[0]).toMatch(/^[^\n]*ECONNREFUSED[^\n]*$/);
  });
});
