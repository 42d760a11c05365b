/**
 * Serves `/metrics` for Prometheus (rule SERVE-3). Metrics show how busy the service is and whether guesses are
 * throttled. So they are available on the same machine if HOST and BASE_URL are loopback too, and elsewhere with the
 * token of METRICS_TOKEN_FILE or one that may read the settings of the instance. Requests that a proxy on the machine
 * forwards count as remote. The first two ways need no database, so that metrics are available during its outages.
 */
import { readFile } from "node:fs/promises";
import { isIPv4, isIPv6 } from "node:net";
import { Registry } from "prom-client";
import { checkPermission } from "../access/permissions";
import { isLoopback } from "../config/value-parsers";
import type { Context } from "../context";
import { equalSecrets } from "../crypto/digest";
import { apiErrorAnswer, authenticatedCaller } from "../http/api-errors";
import type { Http } from "../http/env";
import { metricsOfAllProcesses } from "../metrics/cluster";
import { isApiError, unavailable } from "../protocol/api-error";
import { parseUrl } from "../protocol/url";
import type { Readiness } from "../readiness";
import { firstLine } from "../storage/engine/outage-log";
import { metricsOfNode } from "./node-metrics";

export async function metricsRoute(ctx: Context, readiness: Readiness, http: Http): Promise<Response> {
  if (!isOnThisMachine(ctx, http) && !(await hasToken(ctx, http))) {
    const caller = await authenticatedCaller(ctx, http);
    const refusal = isApiError(caller) ? caller : await checkPermission(ctx, caller, "iam.policy.read");
    if (refusal) return apiErrorAnswer(http, refusal);
  }
  try {
    const [processes, node] = await Promise.all([metricsOfAllProcesses(), metricsOfNode(ctx, readiness)]);
    const text = `${processes}\n${await node.metrics()}`;
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

/**
 * Returns whether the request has the token of METRICS_TOKEN_FILE. The file is read each time, so that it can be
 * replaced.
 */
async function hasToken({ config, log }: Context, http: Http): Promise<boolean> {
  const given = /^Bearer +(\S+)$/i.exec(http.req.header("authorization") ?? "")?.[1];
  if (given === undefined || config.metricsTokenFile === undefined) return false;
  try {
    const token = (await readFile(config.metricsTokenFile, "utf8")).trim();
    return token !== "" && equalSecrets(given, token);
  } catch (error) {
    log.warn({ reason: firstLine(error) }, "METRICS_TOKEN_FILE cannot be read");
    return false;
  }
}

/** Headers that proxies add to a request. */
const FORWARDED =
  /^(?:forwarded(?:-.*)?|x-forwarded(?:-.*)?|x-real-ip|x-original-.*|.*-client-ip|.*-connecting-ip|via)$/;

/**
 * Decides by the address of the connection, if the service is not reachable by others and not published under another
 * name: a proxy on the machine that adds no header (nginx's bare `proxy_pass`) looks like a local client. Headers can
 * only revoke access.
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
