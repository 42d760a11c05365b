/**
 * The process: reads the configuration, then serves; with several workers it prepares the database, supervises and
 * lets the workers serve one port (node:cluster).
 */
import cluster from "node:cluster";
import { createServer } from "node:http";
import { openContext } from "./boot";
import { type Config, describeProblem, loadConfig } from "./config";
import type { NextHandler } from "./http/lanes";
import { gatherForWorkers } from "./metrics/cluster";
import { prepareDatabase } from "./prepare";
import { root } from "./root";
import { serve } from "./serve";

const RESTART_DELAY = 500;

try {
  await main();
} catch (error) {
  // One clear line: whoever reads it at night wants the reason, not the stack.
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
}

async function main(): Promise<void> {
  const config = loadConfig(process.env);
  if (Array.isArray(config)) {
    process.stderr.write(`${config.map(describeProblem).join("\n")}\n`);
    process.exit(1);
  }
  const startedAt = Date.now() - process.uptime() * 1000;
  if (config.workers > 1 && cluster.isPrimary) await supervise(config);
  else await serve(config, { announce: cluster.isPrimary, startedAt, startConsole });
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

/** Prepares once, then keeps the workers running; one that dies is replaced. */
async function supervise(config: Config): Promise<void> {
  const ctx = await openContext(config);
  const setupLink = await prepareDatabase(ctx, { announce: true });
  await ctx.db.close();
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
    ctx.log.error({ worker: worker.process.pid, code }, "worker ended, starting another");
    setTimeout(() => stopping || cluster.fork(), RESTART_DELAY);
  });
  for (const signal of ["SIGTERM", "SIGINT"] as const) process.on(signal, stop);
  gatherForWorkers();
  for (let worker = 0; worker < config.workers; worker++) cluster.fork();
}
