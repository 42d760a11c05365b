/**
 * The service under Next's own server, begun by instrumentation.ts: the same configuration, migrations, bootstrap file,
 * workers and end as in serve.ts, but the socket, and with it HOST, PORT and TLS, is Next's or its host's. One process
 * serves; several are started by whoever runs Next, on PostgreSQL.
 */
import { subscribe } from "node:diagnostics_channel";
import { type IncomingMessage, type RequestListener, Server, type ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { grpcListener } from "./api/grpc/endpoints";
import { type Config, describeProblem, loadConfig } from "./config";
import { consoleAdmission } from "./console/gate";
import { isTrustedProxy } from "./http/request";
import { drainTimes, runService } from "./running";
import { listenForGrpc } from "./serve";
import { basePathOf } from "./service/lanes/arrival";
import { drainable } from "./service/lanes/drain";
import { inTurn } from "./service/lanes/in-turn";
import { requestListener } from "./service/lanes/lanes";
import { type Arrivals, nextLane, watchArrivals } from "./service/lanes/next-lane";
import { SERVER_LIMITS } from "./service/lanes/one-port";
import { strictTransport } from "./service/lanes/secure-server";
import { publishService } from "./service/service";
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
  // Where Next listens is not known here: as if everywhere, so that nothing is open because HOST were loopback.
  const config: Config = { ...loaded, host: "::" };
  const startedAt = Date.now() - process.uptime() * 1000;
  const strict = strictTransport(config);
  const basePath = basePathOf(config);
  const arrivals = watchArrivals({ strict, basePath });
  const drain = watchServers(arrivals, config); // at once: Next listens already, and lets its first requests wait
  const service = await runService(config, { announce: true, startedAt, isNexts: true });
  const { ctx, application, documents, readiness } = service;
  const admission = consoleAdmission(ctx, { development: false });
  publishService({ ...nextLane({ application, arrivals, admission }), viewer: service.viewer });

  const procedures = grpcListener(ctx, readiness);
  const drainGrpc = await listenForGrpc(
    { ...config, host: loaded.host },
    requestListener({
      application,
      documents,
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
 * Meets every request of Next's server, and treats that server as ours are treated.
 * @returns drains it
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
    // Next hangs up on clients that offer another protocol, as Java's offers HTTP/2; without a listener the offer is
    // ignored (RFC 9110 §7.8).
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

/** What Node says of a request that begins. */
interface Started {
  request: IncomingMessage;
  response: ServerResponse;
  server: unknown;
}
