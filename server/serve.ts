/**
 * One serving process: opens the context, prepares the database, listens and, at the end, drains. Our application and
 * Next share one port; with TLS, HTTP/2 is negotiated by ALPN.
 */
import { readFileSync } from "node:fs";
import type http from "node:http";
import type http2 from "node:http2";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { grpcListener } from "./api/grpc/endpoints";
import { openContext } from "./boot";
import type { Config } from "./config";
import { openDesk } from "./console/desk";
import { type StaticFiles, staticFiles } from "./console/files";
import { consoleGate } from "./console/gate";
import type { Context } from "./context";
import { shareCores } from "./crypto/password-hash";
import { forgetWithOthers } from "./directory/cache";
import { maintainSigningKeys } from "./keys/signing-keys";
import { sweepLogin } from "./login/sweep";
import { sweepMessages } from "./mail/mailbox";
import { startMailWorker } from "./mail/worker";
import { watchProcess } from "./metrics/instruments";
import { startLogoutWorker } from "./oidc/backchannel/worker";
import { sweepExpired } from "./oidc/sweep";
import { prepareDatabase } from "./prepare";
import { root } from "./root";
import { makeApplication } from "./service/application";
import { drainable } from "./service/lanes/drain";
import { type NextHandler, requestListener } from "./service/lanes/lanes";
import { type RunningNext, startLater } from "./service/lanes/later";
import { createPlainServer } from "./service/lanes/one-port";
import { createSecureServer, strictTransport } from "./service/lanes/secure-server";
import { publishService } from "./service/service";
import { endBy } from "./stop-signals";
import { claimDatabase } from "./storage/engine/sqlite-lock";
import { outageLog } from "./storage/outage-log";
import { publicDocuments } from "./web/public-document";

/** How long requests may take to finish after a stop signal, milliseconds; process managers usually kill after 30 s. */
const DRAIN_TIME = 15_000;
/** How long closing connections may take, milliseconds. */
const CLOSE_TIME = 1_000;
/** How long writing the last lines of the log may take, milliseconds. */
const LOG_TIME = 1_000;
const MAINTENANCE_INTERVAL = 60_000;

export interface ServeOptions {
  /**
   * Whether this process prepares the database and prints the address and the setup link. Workers leave that to their
   * supervisor, so that a worker that is replaced later does not fail because of a bootstrap file that is being edited.
   */
  announce: boolean;
  /** When the process began, epoch milliseconds; for the log. */
  startedAt: number;
  /** Starts Next, which answers the console. */
  startConsole(config: Config): Promise<RunningNext>;
}

type Server = http.Server | http2.Http2SecureServer;

/**
 * Serves until a stop signal. @throws Error with a message of one line if the address is in use or the database cannot
 * be used
 */
export async function serve(config: Config, options: ServeOptions): Promise<void> {
  const { announce, startedAt, startConsole } = options;
  const giveBack = claimDatabase(config.databaseUrl);
  const ctx = await openContext(config);
  const setupLink = announce ? await prepareDatabase(ctx, { announce }) : undefined;
  await forgetWithOthers(ctx);
  watchProcess();
  shareCores(config.workers);
  const readiness = { draining: false };
  const publicDirectory = path.join(root, "public");
  const documents = publicDocuments(ctx);
  const application = makeApplication(ctx, { readiness, publicDirectory, documents });
  const hasAccountPage = application.routes.some(({ path }) => path === "/account");
  publishService({
    fetch: async (request) => application.fetch(request),
    desk: (cookies, organizationId, locale) =>
      openDesk(ctx, cookies, { organizationId, locale, hasAccountPage, dispatch: async (r) => application.fetch(r) }),
  });

  const development = process.env.NODE_ENV === "development";
  const next = startLater(() => startConsole(config), ctx.log);
  const listener = requestListener({
    application,
    documents,
    procedures: grpcListener(ctx, readiness),
    next: next.handler,
    gate: consoleGate(ctx, { development }),
    strict: strictTransport(config),
    basePath: new URL(config.baseUrl).pathname.replace(/\/$/, ""),
    files: development ? byNext(next.handler) : staticFiles(path.join(root, ".next", "static"), "/_next/static"),
  });
  const server = createServer(config, listener);
  const drain = drainable(server, DRAIN_TIME);
  await listen(server, config.host, config.port, "PORT");
  const { port } = server.address() as AddressInfo;
  // The main port speaks gRPC too; a separate one is for networks that only let HTTP/1.1 through to it.
  const grpcServer = config.grpcPort === undefined ? undefined : createServer(config, listener);
  const drainGrpc = grpcServer && drainable(grpcServer, DRAIN_TIME);
  if (grpcServer && config.grpcPort !== undefined) await listen(grpcServer, config.host, config.grpcPort, "GRPC_PORT");
  ctx.log.info({ port, host: config.host, readyAfterMs: Math.round(Date.now() - startedAt) }, "ready");
  if (announce) process.stdout.write(`Identity service ready at ${config.baseUrl}\n`);
  if (announce && setupLink)
    process.stdout.write(`Create the first administrator (once, within an hour): ${setupLink}\n`);

  next.begin();
  const mail = startMailWorker(ctx);
  const logout = startLogoutWorker(ctx);
  const maintenance = startMaintenance(ctx);
  const stop = async () => {
    if (readiness.draining) return; // a process group may get the signal twice
    readiness.draining = true;
    await Promise.all([
      drain(),
      drainGrpc?.(),
      // A mail that takes longer is sent again by another process or after the restart, with the same Message-ID.
      ...[maintenance, mail, logout].map((worker) => within(DRAIN_TIME, worker.stop())),
    ]);
    await within(CLOSE_TIME, next.close());
    await within(CLOSE_TIME, ctx.db.close());
    giveBack();
    ctx.log.info("stopped");
    setTimeout(() => process.exit(0), LOG_TIME);
    ctx.log.flush(() => process.exit(0));
  };
  endBy(() => void stop());
}

/** The development server makes its scripts itself. */
function byNext(handler: NextHandler): StaticFiles {
  return (request, response) => {
    void handler(request, response);
    return true;
  };
}

function createServer({ tls }: Config, listener: http.RequestListener): Server {
  // Cuts off slow senders, which would only occupy connections (attack: slowloris).
  const limits = {
    requestTimeout: 30_000,
    headersTimeout: 15_000,
    keepAliveTimeout: 65_000,
    connectionsCheckingInterval: 5_000, // by default Node checks every 30 s, so that 30 s become 60
  };
  if (!tls) return createPlainServer(limits, listener);
  return createSecureServer({ cert: readFileSync(tls.certFile), key: readFileSync(tls.keyFile) }, limits, listener);
}

function listen(server: Server, host: string, port: number, setting: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", ({ code, message }: NodeJS.ErrnoException) => {
      switch (code) {
        case "EADDRINUSE":
          return reject(new Error(`${setting}: port ${port} is already in use; set ${setting} to a free one`));
        case "EACCES":
          return reject(new Error(`${setting}: not allowed to listen on port ${port}; choose one above 1023`));
        case "EADDRNOTAVAIL":
        case "ENOTFOUND":
        case "EAI_AGAIN":
          return reject(new Error(`HOST: ${host} is no address of this machine; set HOST to one of its own`));
        default:
          return reject(new Error(`${setting}: ${message}`));
      }
    });
    server.listen(port, host, resolve);
  });
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

/** Starts the regular maintenance: rotates keys and removes expired rows. */
function startMaintenance(ctx: Context): { stop(): Promise<void> } {
  const over = new AbortController();
  const outage = outageLog(ctx.log, "maintenance");
  let running = Promise.resolve();
  let busy = false;
  const maintain = async () => {
    try {
      await maintainSigningKeys(ctx);
      await sweepMessages(ctx);
      await sweepLogin(ctx);
      await sweepExpired(ctx, { signal: over.signal });
      outage.succeeded();
    } catch (error) {
      outage.failed(error);
    }
    busy = false;
  };
  const timer = setInterval(() => {
    if (busy) return; // the previous sweep is still running
    busy = true;
    running = maintain();
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
