/**
 * Delivers logout notifications while the process runs. Several processes may do so: each row is leased by one of them.
 */
import { type Backoff, backoff, jittered } from "../../concurrency/backoff";
import { AT_ONCE, openFairQueue } from "../../concurrency/fair-queue";

import type { Context } from "../../context";
import { outageLog } from "../../storage/engine/outage-log";
import { wakeLogoutNotifications } from "../../storage/session/logout-notifications";
import { deliverNextNotification, type NextNotification } from "./deliver";

/** How many notifications are delivered at once, from at least two organizations (concurrency/queue.ts). */
const MAX_UNDER_WAY = 2 * AT_ONCE;
/** Milliseconds between two polls of the table. */
const LOOK_INTERVAL = 1_000;
/** Between polls while the database is unavailable. */
const PAUSES: Backoff = { first: 2_000, most: 30_000, factor: 2 };
/** Milliseconds between two searches for sessions that have expired. */
const WAKE_INTERVAL = 30_000;

export interface LogoutWorker {
  /** Resolves when the deliveries in flight are settled. */
  stop(): Promise<void>;
}

export function startLogoutWorker(ctx: Context, options: NextNotification["options"] = {}): LogoutWorker {
  const queue = openFairQueue(ctx);
  const underWay = new Set<Promise<void>>();
  /** The attempt that may be one to a slow app. */
  let patient: Promise<void> | undefined;
  let stopping = false;
  let wake = () => {};
  let lookedAt = Number.NEGATIVE_INFINITY;

  const round = async () => {
    const now = ctx.clock();
    if (now - lookedAt >= WAKE_INTERVAL) {
      lookedAt = now;
      await wakeLogoutNotifications(ctx.db, now);
    }
    while (!stopping && underWay.size < MAX_UNDER_WAY && (await begin()));
  };
  const begin = async () => {
    const quick = await deliverNextNotification(ctx, { queue, options, isForSlow: false });
    const isPatient = queue.isAnySlow() && patient === undefined;
    const next = quick ?? (isPatient ? await deliverNextNotification(ctx, { queue, options }) : undefined);
    if (!next) return false;
    const attempt = next.ended.catch(outage.failed).finally(() => {
      underWay.delete(attempt);
      if (patient === attempt) patient = undefined;
      wake();
    });
    if (!quick) patient = attempt;
    underWay.add(attempt);
    return true;
  };
  const pause = (ms: number) =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms);
      wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  const outage = outageLog(ctx.log, "delivering logout notices");
  const running = (async () => {
    let failures = 0;
    while (!stopping) {
      try {
        await round();
        outage.succeeded();
        failures = 0;
      } catch (error) {
        // Usually the database is unavailable. No row is lost, and leases expire.
        outage.failed(error);
        failures += 1;
      }
      if (!stopping) await pause(failures > 0 ? backoff(PAUSES, failures) : jittered(LOOK_INTERVAL));
    }
  })();
  return {
    async stop() {
      stopping = true;
      wake();
      await running;
      await Promise.all(underWay);
    },
  };
}
