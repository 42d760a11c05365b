/**
 * Sends queued messages while the process runs: messages that this process queued at once, those of other processes
 * and retries within seconds. It runs several loops, so that a slow mail does not delay others, and a slow
 * organization does not delay other organizations (concurrency/queue.ts). Several processes may run it: each message
 * is leased by one of them.
 */
import { type Backoff, backoff, jittered } from "../concurrency/backoff";
import { AT_ONCE, openFairQueue } from "../concurrency/fair-queue";

import type { Context } from "../context";
import { outageLog } from "../storage/engine/outage-log";
import { onQueued } from "../storage/message/outbox-signal";
import { deliverNext } from "./deliver";
import { type MailRoutes, openMailRoutes } from "./routes";

/** Two more than one organization may use at once. */
const LOOPS = AT_ONCE + 2;
/** How often the queue is polled, in milliseconds. */
const LOOK_INTERVAL = 2_000;
/** While the mail server or the database is unreachable, one loop retries. */
const PAUSES: Backoff = { first: 1_000, most: 15_000, factor: 2 };

export interface MailWorker {
  /** Starts no further mail; resolves when those in progress are finished. */
  stop(): Promise<void>;
}

export interface MailWorkerOptions {
  /** How many mails are sent at once. */
  loops?: number;
  /** Interval in milliseconds. */
  lookInterval?: number;
  routes?: MailRoutes;
}

export function startMailWorker(ctx: Context, options: MailWorkerOptions = {}): MailWorker {
  const { loops = LOOPS, lookInterval = LOOK_INTERVAL, routes = openMailRoutes(ctx) } = options;
  const queue = openFairQueue(ctx);
  const bell = createBell();
  const outage = outageLog(ctx.log, "sending mails");
  let stopping = false;
  let failures = 0;

  const loop = async (number: number) => {
    while (!stopping) {
      const heard = bell.rings();
      // After a failure only the first loop retries; the others wait until it succeeds.
      const outcome = failures > 0 && number > 0 ? "idle" : await attempt(number === loops - 1);
      if (outcome === "unreachable") failures += 1;
      else if (outcome !== "idle") failures = 0;
      const rest = outcome === "unreachable" ? backoff(PAUSES, failures) : jittered(lookInterval);
      if (outcome === "idle" || outcome === "unreachable") await bell.wait(rest, heard);
    }
  };

  /** The last loop also serves slow servers; the first one is needed during an outage of our own mail server. */
  const attempt = async (isForSlow: boolean) => {
    try {
      const outcome = await deliverNext(ctx, routes, { queue, isForSlow });
      outage.succeeded();
      return outcome;
    } catch (error) {
      // Usually the database failed: the message is still queued and is taken again when its lease expires.
      outage.failed(error);
      return "unreachable" as const;
    }
  };

  const forget = onQueued(ctx.db, bell.ring);
  const running = Promise.all(Array.from({ length: loops }, (_, number) => loop(number)));
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

interface Bell {
  ring(): void;
  /** The number of rings so far. */
  rings(): number;
  /**
   * Resolves after the time or when the bell has rung more often than `heard`, so that a ring between two waits is not
   * missed.
   */
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
