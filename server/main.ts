/**
 * The process: reads the configuration, then serves. With several workers it has the database prepared, supervises the
 * workers and lets them share one port (node:cluster). Each process only loads what it needs, so that the supervisor
 * stays small.
 */
import { fork } from "node:child_process";
import cluster from "node:cluster";
import { createServer } from "node:http";
import { type Config, describeProblem, loadConfig } from "./config/config";
import { gatherForWorkers } from "./metrics/cluster";
import { announceAddress } from "./process/announce-start";
import { createLog } from "./process/log";
import { endWithReason, refuseFewFiles } from "./process/start-failure";
import { endBy, endOnSignals } from "./process/stop-signals";
import { root } from "./root";
import type { NextHandler } from "./service/http-server/request-listener";

const RESTART_DELAY = 500;
/** The argument for a process that only prepares the database. */
const PREPARE = "--prepare";

try {
  await main();
} catch (error) {
  endWithReason(error);
}

async function main(): Promise<void> {
  endOnSignals();
  refuseFewFiles();
  const config = loadConfig(process.env);
  if (Array.isArray(config)) {
    process.stderr.write(`${config.map(describeProblem).join("\n")}\n`);
    process.exit(1);
  }
  const startedAt = Date.now() - process.uptime() * 1000;
  if (process.argv.includes(PREPARE)) return prepare(config);
  if (config.workers > 1 && cluster.isPrimary) return supervise(config);
  const { serve } = await import("./process/serve");
  await serve(config, { announce: cluster.isPrimary, startedAt, startConsole });
}

/** Next only serves the console; our own code handles all other requests. */
async function startConsole({ port }: Config) {
  const { default: next } = await import("next");
  const dev = process.argv.includes("--dev");
  // Next handles the upgrade requests of the server it is given (by default of the one that its first request came
  // from) and closes all but its own. So it is given a server that never listens, except in development, where pages
  // reload over a WebSocket. Clients that offer HTTP/2 by Upgrade, as Java's does, are then answered over HTTP/1.1 (RFC
  // 9110 §7.8).
  const httpServer = dev ? undefined : createServer();
  // Do not pass a hostname: next-intl's rewrites would loop.
  const app = next({ dir: root, dev, port, httpServer });
  await app.prepare();
  return { handler: app.getRequestHandler() as NextHandler, close: () => app.close() };
}

/** Prepares the database in a separate process, which sends the setup link to its parent and ends. */
async function prepare(config: Config): Promise<void> {
  const [{ openContext }, { prepareDatabase }] = await Promise.all([
    import("./process/boot"),
    import("./process/prepare"),
  ]);
  const ctx = await openContext(config);
  const setupLink = await prepareDatabase(ctx, { announce: true });
  await ctx.db.close();
  process.send?.({ setupLink });
  process.disconnect?.();
}

/**
 * Has a child process prepare the database; resolves with the setup link, if there is one. On failure this process ends
 * too, as the child has already printed the reason.
 */
function havePrepared(): Promise<string | undefined> {
  const child = fork(process.argv[1] ?? "", [...process.argv.slice(2), PREPARE]);
  let prepared: { setupLink?: string } | undefined;
  child.once("message", (message: { setupLink?: string }) => {
    prepared = message;
  });
  let stopping = false;
  endBy(() => {
    stopping = true;
    child.kill("SIGTERM");
  });
  return new Promise((resolve) => {
    child.once("exit", () => {
      if (prepared && !stopping) resolve(prepared.setupLink);
      else process.exit(stopping ? 0 : 1);
    });
  });
}

/** Has the database prepared, then keeps the workers running; one that dies is replaced. */
async function supervise(config: Config): Promise<void> {
  const setupLink = await havePrepared();
  const log = createLog(config);
  let stopping = false;
  let status = 0;
  let listening = 0;
  const stop = () => {
    stopping = true;
    for (const worker of Object.values(cluster.workers ?? {})) worker?.process.kill("SIGTERM");
  };
  cluster.on("listening", () => {
    listening++;
    if (listening !== config.workers) return;
    announceAddress(config, setupLink, ` (${config.workers} workers)`);
  });
  cluster.on("exit", (worker, code) => {
    if (!stopping && listening === 0) {
      // No worker has ever started: the worker printed the reason, and every further one would fail in the same way.
      status = 1;
      stop();
    }
    const alive = Object.keys(cluster.workers ?? {}).length;
    if (stopping && alive === 0) process.exit(status);
    if (stopping) return;
    log.error({ worker: worker.process.pid, code }, "worker ended, starting another");
    setTimeout(() => stopping || cluster.fork(), RESTART_DELAY);
  });
  endBy(stop);
  gatherForWorkers();
  for (let worker = 0; worker < config.workers; worker++) cluster.fork();
}
