// A load balancer for drills that need one: each request goes to the next node, and a node can be removed without
// aborting a request. Another drill tests haproxy.
import { once } from "node:events";
import { Agent, createServer, request } from "node:http";
import { atEnd } from "./service.mjs";

/**
 * Starts the balancer.
 * @returns {Promise<{ url: string, add: (port: number) => void, remove: (port: number) => Promise<void>, served:
 *   Map<number, number> }>}
 */
export async function startBalancer() {
  const nodes = [];
  const served = new Map();
  const open = new Map();
  const agent = new Agent({ keepAlive: true });
  let turn = 0;

  const server = createServer((incoming, outgoing) => {
    const port = nodes[turn++ % nodes.length];
    open.set(port, (open.get(port) ?? 0) + 1);
    served.set(port, (served.get(port) ?? 0) + 1);
    outgoing.once("close", () => open.set(port, open.get(port) - 1));
    const { method, url: path, headers } = incoming;
    const passed = request({ agent, port, host: "localhost", method, path, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode, answer.rawHeaders);
      answer.pipe(outgoing);
    });
    passed.on("error", (error) => {
      if (!outgoing.headersSent) outgoing.writeHead(502);
      outgoing.end(`{"error":"balancer: ${error.code}"}`);
    });
    incoming.pipe(passed);
  });
  server.keepAliveTimeout = 0; // the nodes' own timeout reaches the clients and must not expire earlier here
  server.listen(0, "localhost");
  await once(server, "listening");
  atEnd(() => {
    server.closeAllConnections();
    server.close();
    agent.destroy();
  });

  return {
    url: `http://localhost:${server.address().port}`,
    served,
    add: (port) => nodes.push(port),
    /** Resolves when the node has answered its last request. */
    remove: async (port) => {
      nodes.splice(nodes.indexOf(port), 1);
      while (open.get(port) > 0) await new Promise((resolve) => setTimeout(resolve, 20));
    },
  };
}
