/**
 * `/metrics` for Prometheus. Metrics would tell strangers how busy the service is and whether their guesses are
 * throttled, so they are available on the machine itself where HOST and BASE_URL are loopback too, and elsewhere with a
 * token that may read the instance's settings. Requests forwarded by a proxy on the machine come from elsewhere.
 */
import { isIPv4, isIPv6 } from "node:net";
import { Gauge, Registry } from "prom-client";
import { checkPermission } from "../access/permissions";
import { isLoopback } from "../config-values";
import type { Context } from "../context";
import { overdueEvents } from "../events/retention";
import { apiErrorAnswer, authenticatedCaller } from "../http/api-errors";
import type { Http } from "../http/env";
import { metricsOfAllProcesses } from "../metrics/cluster";
import { isApiError, unavailable } from "../protocol/api-error";
import { parseUrl } from "../protocol/url";
import { firstLine } from "../storage/engine/outage-log";
import { countMessages } from "../storage/outbox-log";
import { listSequences } from "../storage/sequences";

export async function metricsRoute(ctx: Context, http: Http): Promise<Response> {
  if (!isOnThisMachine(ctx, http)) {
    const caller = await authenticatedCaller(ctx, http);
    const refusal = isApiError(caller) ? caller : await checkPermission(ctx, caller, "iam.policy.read");
    if (refusal) return apiErrorAnswer(http, refusal);
  }
  try {
    const ofDatabase = await metricsOfDatabase(ctx);
    const text = `${await metricsOfAllProcesses()}\n${await ofDatabase.metrics()}`;
    return http.body(text, 200, {
      "content-type": Registry.PROMETHEUS_CONTENT_TYPE,
      "cache-control": "no-store",
      "x-content-type-options": "nosniff",
    });
  } catch (error) {
    ctx.log.warn({ reason: firstLine(error) }, "the metrics could not be gathered");
    return apiErrorAnswer(
      http,
      unavailable("metrics.unavailable", "The figures could not be collected. Try again in a moment."),
    );
  }
}

/** What proxies add to a request, whatever they are set to say with it. */
const FORWARDED =
  /^(?:forwarded(?:-.*)?|x-forwarded(?:-.*)?|x-real-ip|x-original-.*|.*-client-ip|.*-connecting-ip|via)$/;

/**
 * Decided by the address of the connection, where the service is neither reached by others nor published under another
 * name: a proxy on the machine that adds nothing (nginx's bare `proxy_pass`) looks like somebody on it. Headers can only
 * revoke access.
 */
function isOnThisMachine({ config }: Context, http: Http): boolean {
  if (!isLoopbackHost(config.host) || !isLoopback(config.baseUrl)) return false;
  const peer = http.env?.incoming?.socket?.remoteAddress?.replace(/^::ffff:/i, "");
  const isLocal = peer !== undefined && (peer === "::1" || (isIPv4(peer) && peer.startsWith("127.")));
  if (!isLocal || Object.keys(http.req.header()).some((name) => FORWARDED.test(name))) return false;
  const host = http.req.header("host") ?? http.env?.incoming?.headers[":authority"]?.toString();
  const address = `http://${host}`;
  return parseUrl(address) !== undefined && isLoopback(address);
}

const isLoopbackHost = (host: string) => isLoopback(`http://${isIPv6(host) ? `[${host}]` : host}`);

/** Metrics that are the same for all processes. */
export async function metricsOfDatabase(ctx: Context): Promise<Registry> {
  const registry = new Registry();
  const registers = [registry];
  const messages = new Gauge({
    name: "identity_outbox_messages",
    help: "Messages in the outbox by state; settled ones stay for MAIL_RETENTION.",
    labelNames: ["state"],
    registers,
  });
  const overdue = new Gauge({
    name: "identity_outbox_overdue_seconds",
    help: "How long the message that should have been sent first has been waiting; 0 when none is due.",
    registers,
  });
  const outlived = new Gauge({
    name: "identity_events_overdue_seconds",
    help: "For how long the oldest event should have been removed; 0 when none is older than EVENT_RETENTION.",
    registers,
  });
  const left = new Gauge({
    name: "identity_sequence_left",
    help: "How many numbers a sequence of the database can still give; without one nothing is recorded, and nobody signs in.",
    labelNames: ["sequence"],
    registers,
  });
  const usedRatio = new Gauge({
    name: "identity_sequence_used_ratio",
    help: "What part of the numbers of a sequence of the database is used, from 0 to 1.",
    labelNames: ["sequence"],
    registers,
  });
  outlived.set((await overdueEvents(ctx)) / 1000);
  const { byState, dueSince } = await countMessages(ctx.db);
  for (const [state, count] of Object.entries(byState)) messages.set({ state }, count);
  for (const { name, used, last } of await listSequences(ctx.db)) {
    left.set({ sequence: name }, Math.max(0, last - used));
    usedRatio.set({ sequence: name }, used / last);
  }
  overdue.set(dueSince === undefined ? 0 : Math.max(0, ctx.clock() - dueSince) / 1000);
  return registry;
}
