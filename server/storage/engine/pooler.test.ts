import net, { type AddressInfo } from "node:net";
import { describe, expect, it } from "vitest";
import { afterwards, testDatabaseUrl } from "../../testing/database";
import { refuseTransactionPooling } from "./pooler";

/** What ends a transaction or begins one, in the messages of PostgreSQL's protocol. */
const isCommit = (bytes: Buffer) => bytes.toString("latin1").includes("COMMIT");

/**
 * Behaves like PgBouncer in transaction mode with two connections: after the COMMIT of one, the statements of the other
 * go to the backend that was released last.
 */
async function transactionPooler(target: string): Promise<string> {
  const { port, hostname } = new URL(target);
  const backends: net.Socket[] = [];
  const clients: net.Socket[] = [];
  let swapped = false;
  const server = net.createServer((client) => {
    const own = clients.push(client) - 1;
    const backend = net.connect(Number(port), hostname);
    backends.push(backend);
    const led = () => (swapped ? 1 - own : own);
    client.on("data", (bytes) => {
      backends[led()]?.write(bytes);
      if (isCommit(bytes)) backends[own]?.once("data", () => setImmediate(() => (swapped = true)));
    });
    backend.on("data", (bytes) => clients[swapped ? 1 - own : own]?.write(bytes));
    for (const socket of [client, backend]) socket.on("error", () => {});
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  afterwards(() => {
    for (const socket of [...clients, ...backends]) socket.destroy();
    server.close();
  });
  const url = new URL(target);
  url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  url.searchParams.delete("host"); // not over the Unix socket
  return url.href;
}

describe("a connection pooler", () => {
  it("in transaction mode is refused in one line that says what to do", async () => {
    const url = await transactionPooler(await testDatabaseUrl("postgresql"));
    await expect(refuseTransactionPooling(url)).rejects.toThrow(
      /^DATABASE_URL: cannot open PostgreSQL at 127\.0\.0\.1:\d+\/\S+: it is a connection pooler in transaction mode, [^\n]+; use its session mode, or connect to PostgreSQL directly$/,
    );
  });

  it("is not reported if connections keep their backend, nor if the database is a file", async () => {
    await refuseTransactionPooling(await testDatabaseUrl("postgresql"));
    await refuseTransactionPooling("file:./nowhere.db");
  });
});
