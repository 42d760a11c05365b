/**
 * Health for supervisors and load balancers: `/healthz` says that the process answers, `/readyz` that it can do its
 * work: database reachable, signing key present, not shutting down.
 */
import type { Context } from "../context";
import { signingKey } from "../keys/signing-keys";
import type { Http } from "./env";

/** Set while the process drains; load balancers stop sending. */
export interface Readiness {
  draining: boolean;
}

const NO_STORE = { "cache-control": "no-store" };

export function healthRoute(http: Http): Response {
  return http.json({ status: "ok" }, 200, NO_STORE);
}

export async function readyRoute(ctx: Context, readiness: Readiness, http: Http): Promise<Response> {
  const checks = {
    draining: readiness.draining ? "shutting down" : "ok",
    database: await state(() => ctx.db.ping()),
    signingKey: await state(() => signingKey(ctx)),
  };
  const ready = Object.values(checks).every((check) => check === "ok");
  return http.json({ status: ready ? "ok" : "unavailable", checks }, ready ? 200 : 503, NO_STORE);
}

/** "ok" or "failed"; the reason is for the log, not for strangers. */
async function state(check: () => Promise<unknown>): Promise<"ok" | "failed"> {
  try {
    await check();
    return "ok";
  } catch {
    return "failed";
  }
}
