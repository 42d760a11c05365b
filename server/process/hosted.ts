/**
 * The service in Next's own server, started by instrumentation.ts. Configuration, migrations, bootstrap file, workers
 * and shutdown are those of serve.ts, but the socket, and with it HOST, PORT and TLS, belongs to Next or its host. One
 * process serves; the operator of Next can start several with PostgreSQL.
 */
import { subscribe } from "node:diagnostics_channel";
import { type IncomingMessage, type RequestListener, Server, type ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { procedureListener } from "../api/zitadel/endpoints";
import { type Config, describeProblem, loadConfig } from "../config/config";
import { consoleAdmission } from "../console/gate";
import { isTrustedProxy } from "../http/request";
import { basePathOf } from "../service/http-server/arrival";
import { drainable } from "../service/http-server/drain";
import { inTurn } from "../service/http-server/in-turn";
import { type Arrivals, nextAdapter, watchArrivals } from "../service/http-server/next-adapter";
import { SERVER_LIMITS } from "../service/http-server/one-port";
import { requestListener } from "../service/http-server/request-listener";
import { strictTransport } from "../service/http-server/secure-server";
import { publishService } from "../service/service";
import { drainTimes, runService } from "./running";
import { listenForGrpc } from "./serve";
import { endWithReason, refuseFewFiles } from "./start-failure";
import { endBy, takeOverSignals } from "./stop-signals";

try {
  await main();
} catch (error) {
  endWithReason(error);
}

async function main(): Promise<void> {
  takeOverSignals();
  refuseFewFiles();
  const loaded = loadConfig(process.env, ".env", { isHosted: true });
  if (Array.isArray(loaded)) {
    process.stderr.write(`${loaded.map(describeProblem).join("\n")}\n`);
    process.exit(1);
  }
  // The address on which Next listens is unknown here. All addresses are assumed, so that nothing is open because HOST
  // is loopback.
  const config: Config = { ...loaded, host: "::" };
  const startedAt = Date.now() - process.uptime() * 1000;
  const strict = strictTransport(config);
  const basePath = basePathOf(config);
  const arrivals = watchArrivals({ strict, basePath });
  const drain = watchServers(arrivals, config); // at once: Next already listens, and its first requests wait
  const service = await runService(config, { announce: true, startedAt, isNexts: true });
  const { ctx, application, readiness } = service;
  const admission = consoleAdmission(ctx, { development: false });
  publishService({ ...nextAdapter({ application, arrivals, admission }), viewer: service.viewer });

  const procedures = procedureListener(ctx, readiness);
  const drainGrpc = await listenForGrpc(
    { ...config, host: loaded.host },
    requestListener({
      application,
      procedures,
      strict,
      basePath,
      trusts: (peer) => isTrustedProxy(ctx, peer),
    }),
  );
  service.announceReady();
  service.beginWork();
  endBy(() => void service.end(() => Promise.all([drain(), drainGrpc?.()])));
}

/**
 * Handles every request of Next's server on arrival, and applies our limits to that server.
 * @returns a function that drains it
 */
function watchServers({ arrive }: Arrivals, config: Config): () => Promise<unknown> {
  const drains = new Map<Server, () => Promise<void>>();
  const isNexts = (server: unknown): boolean => {
    if (!(server instanceof Server)) return false;
    if (drains.has(server)) return true;
    const address = server.address();
    if (address === null || (typeof address === "object" && address.port === config.grpcPort)) return false;
    const [answer] = server.listeners("request") as RequestListener[];
    if (answer) server.removeAllListeners("request").on("request", inTurn(answer));
    drains.set(server, drainable(server, drainTimes(config)));
    Object.assign(server, SERVER_LIMITS);
    // Next disconnects clients that offer another protocol, as Java's client offers HTTP/2. Without a listener the
    // offer is ignored (RFC 9110 §7.8).
    server.removeAllListeners("upgrade");
    return true;
  };
  subscribe("net.server.socket", (message) => {
    isNexts((message as { socket: Socket & { server?: unknown } }).socket.server);
  });
  subscribe("http.server.request.start", (message) => {
    const { request, response, server } = message as Started;
    if (isNexts(server)) arrive(request, response);
  });
  return () => Promise.all([...drains.values()].map((drain) => drain()));
}

/** The message of Node about a starting request. */
interface Started {
  request: IncomingMessage;
  response: ServerResponse;
  server: unknown;
}
