/**
 * One serving process with its own socket: opens the service, listens and, at the end, drains. Our application and Next
 * share one port; with TLS, HTTP/2 is negotiated by ALPN.
 */
import { readFileSync } from "node:fs";
import type http from "node:http";
import type http2 from "node:http2";
import path from "node:path";
import { procedureListener } from "../api/zitadel/endpoints";
import type { Config } from "../config/config";
import { type StaticFiles, staticFiles } from "../console/files";
import { consoleGate } from "../console/gate";
import { isTrustedProxy } from "../http/request";
import { root } from "../root";
import { basePathOf } from "../service/http-server/arrival";
import { drainable } from "../service/http-server/drain";
import { type RunningNext, startLater } from "../service/http-server/later";
import { createPlainServer, SERVER_LIMITS } from "../service/http-server/one-port";
import { type NextHandler, requestListener } from "../service/http-server/request-listener";
import { createSecureServer, strictTransport } from "../service/http-server/secure-server";
import { publishService } from "../service/service";
import { drainTimes, type RunOptions, runService } from "./running";
import { endBy } from "./stop-signals";

export interface ServeOptions extends RunOptions {
  /** Starts Next, which answers the console. */
  startConsole(config: Config): Promise<RunningNext>;
}

type Server = http.Server | http2.Http2SecureServer;

/**
 * Serves until a stop signal. @throws Error with a message of one line if the address is in use or the database cannot
 * be used
 */
export async function serve(config: Config, { startConsole, ...options }: ServeOptions): Promise<void> {
  const service = await runService(config, options);
  const { ctx, application, readiness } = service;
  publishService({ fetch: async (request) => application.fetch(request), viewer: service.viewer });

  const development = process.env.NODE_ENV === "development";
  const next = startLater(() => startConsole(config), ctx.log);
  const listener = requestListener({
    application,
    procedures: procedureListener(ctx, readiness),
    next: next.handler,
    expectConsole: next.begin,
    gate: consoleGate(ctx, { development }),
    strict: strictTransport(config),
    basePath: basePathOf(config),
    trusts: (peer) => isTrustedProxy(ctx, peer),
    files: development ? byNext(next.handler) : staticFiles(path.join(root, ".next", "static"), "/_next/static"),
  });
  const server = createServer(config, listener);
  const drain = drainable(server, drainTimes(config));
  await listen(server, config.host, config.port, "PORT");
  // The main port speaks gRPC too; a separate one is for networks that only let HTTP/1.1 through to it.
  const drainGrpc = await listenForGrpc(config, listener);
  const drainMtls = await listenForCertificates(config, listener);
  service.announceReady();

  service.beginWork();
  endBy(() => void service.end(() => Promise.all([drain(), drainGrpc?.(), drainMtls?.()]), next.close));
}

/**
 * Opens the port of GRPC_PORT, if it is set. All other requests are answered there as well.
 * @returns a function that stops it
 */
export async function listenForGrpc(
  config: Config,
  listener: http.RequestListener,
): Promise<(() => Promise<void>) | undefined> {
  if (config.grpcPort === undefined) return undefined;
  const server = createServer(config, listener);
  const drain = drainable(server, drainTimes(config));
  await listen(server, config.host, config.grpcPort, "GRPC_PORT");
  return drain;
}

/**
 * Opens the port of MTLS_PORT, if it is set, which asks for client certificates.
 * @returns a function that stops it
 */
async function listenForCertificates(
  config: Config,
  listener: http.RequestListener,
): Promise<(() => Promise<void>) | undefined> {
  const { tls, mtls } = config;
  if (mtls.port === undefined || !tls) return undefined;
  const ca = mtls.caFile === undefined ? undefined : readFileSync(mtls.caFile);
  const files = { cert: readFileSync(tls.certFile), key: readFileSync(tls.keyFile), clients: { ca } };
  const server = createSecureServer(files, SERVER_LIMITS, listener);
  const drain = drainable(server, drainTimes(config));
  await listen(server, config.host, mtls.port, "MTLS_PORT");
  return drain;
}

/** Serves static files with Next: the development server builds its scripts itself. */
function byNext(handler: NextHandler): StaticFiles {
  return (request, response) => {
    void handler(request, response);
    return true;
  };
}

function createServer({ tls }: Config, listener: http.RequestListener): Server {
  if (!tls) return createPlainServer(SERVER_LIMITS, listener);
  return createSecureServer(
    { cert: readFileSync(tls.certFile), key: readFileSync(tls.keyFile) },
    SERVER_LIMITS,
    listener,
  );
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
