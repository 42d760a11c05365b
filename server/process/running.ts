/**
 * The running service without its sockets: context, prepared database, application and workers. The owner of the
 * socket, our own listener (serve.ts) or Next's (hosted.ts), passes requests to it and ends it.
 */
import path from "node:path";
import type { Config } from "../config/config";
import { openViewer } from "../console/viewer";
import type { Context } from "../context";
import { shareCores } from "../crypto/password-hash";
import { announceEndingSecrets } from "../directory/app/secret";
import { invalidateWithOthers } from "../directory/cache";
import { announceEndingProviders } from "../directory/identity-provider/ending";
import { flushAttempts } from "../directory/sign-in-attempt/batch";
import { keepMonths, removeOldEvents } from "../events/retention";
import { rereadWithOthers } from "../keys/key-ring";
import { maintainSigningKeys } from "../keys/rotate-signing-key";
import { sweepLogin } from "../login/sweep";
import { sweepMessages } from "../mail/mailbox";
import { startMailWorker } from "../mail/worker";
import { watchProcess } from "../metrics/instruments";
import { startLogoutWorker } from "../oidc/backchannel/worker";
import { sweepExpired } from "../oidc/sweep";
import { root } from "../root";
import { takeMemory } from "../runtime/start-memory";
import { makeApplication } from "../service/application";
import type { DrainTimes } from "../service/http-server/drain";
import { metricsOfNode } from "../service/node-metrics";
import type { Service } from "../service/service";
import { outageLog } from "../storage/engine/outage-log";
import { claimDatabase } from "../storage/engine/sqlite-lock";
import { announceAddress, logPrinted } from "./announce-start";
import { openContext } from "./boot";
import { prepareDatabase } from "./prepare";
import type { OpenTelemetry } from "./telemetry";

/** How long requests may take to finish once no more are accepted, milliseconds. */
const DRAIN_TIME = 12_000;
/** How long closing connections may take, milliseconds. */
const CLOSE_TIME = 1_000;
/** How long writing the last lines of the log may take, milliseconds. */
const LOG_TIME = 1_000;
const MAINTENANCE_INTERVAL = 60_000;

/** With the notice of 5 s by default 17 s in all; process managers usually kill after 30 s. */
export const drainTimes = ({ shutdownNotice }: Config): DrainTimes => ({
  notice: shutdownNotice,
  patience: DRAIN_TIME,
});

export interface RunningService {
  ctx: Context;
  application: ReturnType<typeof makeApplication>;
  readiness: { draining: boolean };
  /** The functions for the console pages. */
  viewer: Service["viewer"];
  /**
   * Logs that requests are accepted from now on and, if this process announces, prints the address and the setup link.
   */
  announceReady(): void;
  /** Starts the workers: mails, back-channel logouts, key rotation, removal of expired rows. */
  beginWork(): void;
  /**
   * Ends the process with status 0, within 15 s after the notice. A second call does nothing: a process group may get
   * the signal twice.
   * @param finish resolves when every request has been answered
   * @param close closes other resources afterwards
   */
  end(finish: () => Promise<unknown>, close?: () => Promise<void>): Promise<void>;
}

export interface RunOptions {
  /**
   * Whether this process prepares the database and prints the address and the setup link. Workers leave that to their
   * supervisor, so that a worker that is replaced later does not fail because of a bootstrap file that is being edited.
   */
  announce: boolean;
  /** When the process began, epoch milliseconds; for the log. */
  startedAt: number;
  /** Whether the socket belongs to Next, whose address is unknown here. */
  isNexts?: boolean;
}

/** @throws Error with a message of one line if the database cannot be used or the bootstrap file is refused */
export async function runService(
  config: Config,
  { announce, startedAt, isNexts }: RunOptions,
): Promise<RunningService> {
  const giveBack = claimDatabase(config.databaseUrl);
  const telemetry = await openTelemetry(config);
  const ctx = await openContext(config);
  logPrinted(config, ctx.log);
  const setupLink = announce ? await prepareDatabase(ctx, { announce }) : undefined;
  await Promise.all([invalidateWithOthers(ctx), rereadWithOthers(ctx)]);
  watchProcess();
  const readiness = { draining: false };
  telemetry?.watch({
    registries: [() => metricsOfNode(ctx, readiness)],
    onFailure: (reason) => ctx.log.warn({ reason }, "traces or metrics could not be sent"),
  });
  shareCores(config.workers);
  const application = makeApplication(ctx, { readiness, iconDirectory: path.join(root, "public", "icons") });
  const hasAccountPage = application.routes.some(({ path }) => path === "/account");
  const dispatch = async (request: Request) => application.fetch(request);
  let workers: { stop(): Promise<void> }[] = [];
  return {
    ctx,
    application,
    readiness,
    viewer: (cookies, page) => openViewer(ctx, cookies, { ...page, hasAccountPage, dispatch }),
    announceReady() {
      takeMemory();
      ctx.log.info(
        {
          port: config.port,
          host: isNexts ? undefined : config.host,
          readyAfterMs: Math.round(Date.now() - startedAt),
        },
        "ready",
      );
      if (!announce) return;
      announceAddress(config, setupLink);
    },
    beginWork() {
      workers = [startMailWorker(ctx), startLogoutWorker(ctx), startMaintenance(ctx), finishMigrations(ctx)];
    },
    async end(finish, close) {
      if (readiness.draining) return;
      readiness.draining = true;
      // A mail that takes longer is sent again by another process or after the restart, with the same Message-ID.
      await Promise.all([finish(), ...workers.map((worker) => within(DRAIN_TIME, worker.stop()))]);
      if (close) await within(CLOSE_TIME, close());
      await within(CLOSE_TIME, flushAttempts(ctx));
      await within(CLOSE_TIME, ctx.refreshAnswers.flush());
      await within(CLOSE_TIME, ctx.db.close());
      await within(CLOSE_TIME, telemetry?.end() ?? Promise.resolve());
      giveBack();
      ctx.log.info("stopped");
      setTimeout(() => process.exit(0), LOG_TIME);
      ctx.log.flush(() => process.exit(0));
    },
  };
}

/** Opens OpenTelemetry. Its code takes memory and time to load, so it is only loaded if something is sent. */
async function openTelemetry({ telemetry }: Config): Promise<OpenTelemetry | undefined> {
  if (telemetry === undefined) return undefined;
  const { startTelemetry } = await import("./telemetry");
  return startTelemetry(telemetry);
}

/**
 * Resolves when the work is done, but after the time at the latest: a database that does not answer must not keep the
 * process alive.
 */
function within(time: number, work: Promise<void>): Promise<void> {
  return new Promise((resolve) => {
    const late = setTimeout(resolve, time);
    void work.finally(() => {
      clearTimeout(late);
      resolve();
    });
  });
}

/** Starts the regular maintenance: rotates keys, announces expiring credentials and removes expired rows. */
const startMaintenance = (ctx: Context) =>
  repeat(ctx, "maintenance", async (signal) => {
    await maintainSigningKeys(ctx);
    await sweepMessages(ctx, { signal });
    await sweepLogin(ctx);
    await announceEndingSecrets(ctx);
    await announceEndingProviders(ctx);
    await sweepExpired(ctx, { signal });
    await removeOldEvents(ctx, { signal });
    await keepMonths(ctx);
  });

/** Finishes the work of migrations in the background; tries again later if another process blocks it. */
const finishMigrations = (ctx: Context) =>
  repeat(ctx, "finishing migrations", async (signal) => {
    const done = await ctx.db.finishMigrations(signal);
    if (done !== undefined) ctx.log.info({ done }, "migration finished");
  });

/** Does the work at regular intervals, one run after another, until it is stopped; a failure is logged. */
function repeat(ctx: Context, what: string, work: (signal: AbortSignal) => Promise<void>): { stop(): Promise<void> } {
  const over = new AbortController();
  const outage = outageLog(ctx.log, what);
  let running = Promise.resolve();
  let busy = false;
  const run = async () => {
    try {
      await work(over.signal);
      outage.succeeded();
    } catch (error) {
      outage.failed(error);
    }
    busy = false;
  };
  const timer = setInterval(() => {
    if (busy) return;
    busy = true;
    running = run();
  }, MAINTENANCE_INTERVAL);
  timer.unref();
  return {
    stop() {
      clearInterval(timer);
      over.abort();
      return running;
    },
  };
}
