/**
 * Health checks for supervisors and load balancers (rule SERVE-2): `/healthz` reports that the process responds,
 * `/readyz` that this node can receive requests (readiness.ts), and `/readyz?all` that the service as a whole works,
 * for monitoring.
 */
import type { Context } from "../context";
import { examineReadiness, type Readiness } from "../readiness";
import type { Http } from "./env";

const NO_STORE = { "cache-control": "no-store" };

export function healthRoute(http: Http): Response {
  return http.json({ status: "ok" }, 200, NO_STORE);
}

export async function readyRoute(ctx: Context, readiness: Readiness, http: Http): Promise<Response> {
  const { checks, isReady } = await examineReadiness(ctx, readiness);
  const areWell = Object.values(checks).every((check) => check === "ok");
  const isOk = http.req.query("all") === undefined ? isReady : areWell;
  const status = areWell ? "ok" : isOk ? "degraded" : "unavailable";
  return http.json({ status, checks }, isOk ? 200 : 503, NO_STORE);
}
