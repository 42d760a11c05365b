/**
 * Sends queued messages for as long as the process lives: at once those that this process queued, within seconds those
 * of other processes and retries. It works in several lanes, so that a slow mail does not delay the others, nor a slow
 * organization those of others (concurrency/turns.ts). Several processes may run it: each message is leased by one of them.
 */
import { AT_ONCE, openTurns } from "../concurrency/turns";
import type { Context } from "../context";
import { outageLog } from "../storage/engine/outage-log";
import { onQueued } from "../storage/outbox-signal";
import { deliverNext } from "./deliver";
import { type MailRoutes, openMailRoutes } from "./routes";

/** Two more than one organization may use at once. */
const LANES = AT_ONCE + 2;
/** How often the queue is checked, milliseconds. */
const LOOK_INTERVAL = 2_000;
/**
 * While the mail server or the database cannot be reached, one lane tries less and less often, at least this often
 * (milliseconds).
 */
const MAX_PAUSE = 15_000;

export interface MailWorker {
  /** Begins no further mail; resolves when those in progress are finished. */
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
  const turns = openTurns(ctx);
  const bell = createBell();
  const outage = outageLog(ctx.log, "sending mails");
  let stopping = false;
  let pause = 0;

  const lane = async (number: number) => {
    while (!stopping) {
      const heard = bell.rings();
      // After a failure only the first lane tries; the others wait until it succeeds.
      const outcome = pause > 0 && number > 0 ? "idle" : await attempt(number === lanes - 1);
      if (outcome === "unreachable") pause = Math.min(MAX_PAUSE, pause * 2 || 1_000);
      else if (outcome !== "idle") pause = 0;
      const rest = outcome === "unreachable" ? pause : lookInterval;
      if (outcome === "idle" || outcome === "unreachable") await bell.wait(jittered(rest), heard);
    }
  };

  /** Slow servers have the last lane; the first one is needed while our own mail server is away. */
  const attempt = async (isForSlow: boolean) => {
    try {
      const outcome = await deliverNext(ctx, routes, { turns, isForSlow });
      outage.succeeded();
      return outcome;
    } catch (error) {
      // Usually the database failed: the message is still queued and is taken again when its lease expires.
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

/** Keeps several processes from checking at the same time. */
function jittered(ms: number): number {
  return ms * (0.75 + Math.random() / 2);
}

interface Bell {
  ring(): void;
  /** How often it has rung so far. */
  rings(): number;
  /**
   * Resolves after the time or when it has rung more often than `heard`, so that a ring while nobody was waiting is not
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
