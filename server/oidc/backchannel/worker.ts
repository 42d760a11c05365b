/** Delivers logout notices for as long as the process lives; several processes may, each row is leased by one. */
import type { Context } from "../../context";
import { wakeLogoutNotifications } from "../../storage/logout-notifications";
import { deliverDue } from "./deliver";

/** Milliseconds between two looks at the table. */
const LOOK_INTERVAL = 1_000;
/** Milliseconds between two looks for sessions that ended without being touched. */
const WAKE_INTERVAL = 30_000;

export interface LogoutWorker {
  /** Resolves once the deliveries in flight are settled. */
  stop(): Promise<void>;
}

export function startLogoutWorker(ctx: Context): LogoutWorker {
  let stopping = false;
  let wake = () => {};
  let lookedAt = Number.NEGATIVE_INFINITY;

  const round = async () => {
    const now = ctx.clock();
    if (now - lookedAt >= WAKE_INTERVAL) {
      lookedAt = now;
      await wakeLogoutNotifications(ctx.db, now);
    }
    while (!stopping && (await deliverDue(ctx)) > 0);
  };
  const pause = () =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, LOOK_INTERVAL * (0.75 + Math.random() / 2)); // not all processes at once
      wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  const running = (async () => {
    while (!stopping) {
      // The database, as a rule: the rows are still there, their lease ends by itself.
      await round().catch((error) => ctx.log.error({ err: error }, "logout notices failed; they are tried again"));
      if (!stopping) await pause();
    }
  })();
  return {
    async stop() {
      stopping = true;
      wake();
      await running;
    },
  };
}
