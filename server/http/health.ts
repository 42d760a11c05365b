/**
 * Health for supervisors and load balancers: `/healthz` says that the process answers, `/readyz` that it can do its work
 * (readiness.ts). Rule SERVE-2.
 */
import type { Context } from "../context";
import { allWell, examineReadiness, type Readiness } from "../readiness";
import type { Http } from "./env";

const NO_STORE = { "cache-control": "no-store" };

export function healthRoute(http: Http): Response {
  return http.json({ status: "ok" }, 200, NO_STORE);
}

export async function readyRoute(ctx: Context, readiness: Readiness, http: Http): Promise<Response> {
  const checks = await examineReadiness(ctx, readiness);
  const ready = allWell(checks);
  return http.json({ status: ready ? "ok" : "unavailable", checks }, ready ? 200 : 503, NO_STORE);
}
