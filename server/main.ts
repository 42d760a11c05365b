/**
 * The process: reads the configuration, then serves; with several workers it has the database prepared, supervises and
 * lets the workers serve one port (node:cluster). Each of these loads no more than it does: a supervisor stays small.
 */
import { fork } from "node:child_process";
import cluster from "node:cluster";
import { createServer } from "node:http";
import { type Config, describeProblem, loadConfig } from "./config";
import type { NextHandler } from "./http/lanes/lanes";
import { createLog } from "./log";
import { gatherForWorkers } from "./metrics/cluster";
import { root } from "./root";
import { endBy, endOnSignals } from "./stop-signals";

const RESTART_DELAY = 500;
/** Asks a process to prepare the database and nothing else. */
const PREPARE = "--prepare";

try {
  await main();
} catch (error) {
  // One clear line: whoever reads it at night wants the reason, not the stack.
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
}

async function main(): Promise<void> {
  endOnSignals();
  const config = loadConfig(process.env);
  if (Array.isArray(config)) {
    process.stderr.write(`${config.map(describeProblem).join("\n")}\n`);
    process.exit(1);
  }
  const startedAt = Date.now() - process.uptime() * 1000;
  if (process.argv.includes(PREPARE)) return prepare(config);
  if (config.workers > 1 && cluster.isPrimary) return supervise(config);
  const { serve } = await import("./serve");
  await serve(config, { announce: cluster.isPrimary, startedAt, startConsole });
}

/** Next answers the console only; everything before it is ours. */
async function startConsole({ port }: Config) {
  const { default: next } = await import("next");
  const dev = process.argv.includes("--dev");
  // Next takes over the upgrades of the server it is given, or else of the one that its first request came by, and
  // closes all but its own. It gets one of its own that never listens, except where pages reload themselves: clients
  // that offer HTTP/2 by Upgrade (Java's does) are then answered over HTTP/1.1, RFC 9110 §7.8.
  const httpServer = dev ? undefined : createServer();
  // No hostname here: with one, next-intl's rewrites loop.
  const app = next({ dir: root, dev, port, httpServer });
  await app.prepare();
  return { handler: app.getRequestHandler() as NextHandler, close: () => app.close() };
}

/** In a process that ends with it, and tells the one that asked for it where the first administrator is made. */
async function prepare(config: Config): Promise<void> {
  const [{ openContext }, { prepareDatabase }] = await Promise.all([import("./boot"), import("./prepare")]);
  const ctx = await openContext(config);
  const setupLink = await prepareDatabase(ctx, { announce: true });
  await ctx.db.close();
  process.send?.({ setupLink });
  process.disconnect?.();
}

/** Resolves with the setup link, if there is one. What is wrong the other process has said when this one ends. */
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

/** Has the database prepared once, then keeps the workers running; one that dies is replaced. */
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
    process.stdout.write(`Identity service ready at ${config.baseUrl} (${config.workers} workers)\n`);
    if (setupLink) process.stdout.write(`Create the first administrator (once, within an hour): ${setupLink}\n`);
  });
  cluster.on("exit", (worker, code) => {
    if (!stopping && listening === 0) {
      // None has ever served: it said what is wrong, and the next one would say the same for ever.
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
