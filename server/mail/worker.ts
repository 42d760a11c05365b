/**
 * Sends what is queued, for as long as the process lives: at once what this process queues, within seconds what others
 * queue or what must be tried again. Several lanes, so that one slow mail does not hold up the rest; several processes
 * may run it, each row is leased by one of them.
 */
import type { Context } from "../context";
import { outageLog } from "../storage/outage-log";
import { onQueued } from "../storage/outbox-signal";
import { deliverNext } from "./deliver";
import { type MailRoutes, openMailRoutes } from "./routes";

const LANES = 4;
/** Milliseconds between two looks at the table. */
const LOOK_INTERVAL = 2_000;
/** While mail server or database cannot be reached they are asked less and less often, by one lane at a time. */
const LONGEST_PAUSE = 60_000;

export interface MailWorker {
  /** Resolves once the mails in flight are settled; nothing is begun after it is called. */
  stop(): Promise<void>;
}

export interface MailWorkerOptions {
  lanes?: number;
  /** Milliseconds. */
  lookInterval?: number;
  routes?: MailRoutes;
}

export function startMailWorker(ctx: Context, options: MailWorkerOptions = {}): MailWorker {
  const { lanes = LANES, lookInterval = LOOK_INTERVAL, routes = openMailRoutes(ctx) } = options;
  const bell = createBell();
  const outage = outageLog(ctx.log, "sending mails");
  let stopping = false;
  let pause = 0;

  const lane = async (number: number) => {
    while (!stopping) {
      const heard = bell.rings();
      // After a failure only the first lane tries it, the others wait until it gets through.
      const outcome = pause > 0 && number > 0 ? "idle" : await attempt();
      if (outcome === "unreachable") pause = Math.min(LONGEST_PAUSE, pause * 2 || 1_000);
      else if (outcome !== "idle") pause = 0;
      const rest = outcome === "unreachable" ? pause : lookInterval;
      if (outcome === "idle" || outcome === "unreachable") await bell.wait(jittered(rest), heard);
    }
  };

  const attempt = async () => {
    try {
      const outcome = await deliverNext(ctx, routes);
      outage.succeeded();
      return outcome;
    } catch (error) {
      // The database, as a rule: the row is still queued, its lease ends by itself.
      outage.failed(error);
      return "unreachable" as const;
    }
  };

  const forget = onQueued(ctx.db, bell.ring);
  const running = Promise.all(Array.from({ length: lanes }, (_, number) => lane(number)));
  return {
    async stop() {
      stopping = true;
      forget();
      bell.ring();
      await running;
      routes.close();
    },
  };
}

/** Several processes do not look all at once. */
function jittered(ms: number): number {
  return ms * (0.75 + Math.random() / 2);
}

interface Bell {
  ring(): void;
  /** How often it has rung. */
  rings(): number;
  /** Until the time is over or it has rung more often than `heard`: a ring while nobody waited is not missed. */
  wait(ms: number, heard: number): Promise<void>;
}

function createBell(): Bell {
  let rings = 0;
  const waiting = new Set<() => void>();
  return {
    rings: () => rings,
    ring() {
      rings++;
      for (const wake of waiting) wake();
    },
    wait(ms, heard) {
      if (rings > heard) return Promise.resolve();
      return new Promise((resolve) => {
        const wake = () => {
          clearTimeout(timer);
          waiting.delete(wake);
          resolve();
        };
        const timer = setTimeout(wake, ms);
        waiting.add(wake);
      });
    },
  };
}
