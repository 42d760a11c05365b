import net from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { findSlapd } from "../../scripts/slapd.mjs";
import { CERTIFICATE } from "../testing/certificate";
import { directorySettings, startDirectory } from "../testing/directory";
import { NoDirectory, withDirectory } from "./directory-connection";

describe.skipIf(!findSlapd())("the connection to a directory", () => {
  let directory: Awaited<ReturnType<typeof startDirectory>>;
  beforeAll(async () => {
    directory = await startDirectory();
  });
  afterAll(() => directory.stop());

  it("is never opened a second time: after StartTLS the password would be sent without TLS", async () => {
    const connections: net.Socket[] = [];
    const received: Buffer[] = [];
    const proxy = net.createServer((socket) => {
      connections.push(socket.on("error", () => {}));
      const inner = net.connect(Number(new URL(directory.plain).port), "127.0.0.1").on("error", () => {});
      socket.on("data", (data) => received.push(data)).on("close", () => inner.destroy());
      socket.pipe(inner).pipe(socket);
    });
    await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
    const { bindDn, bindPassword } = directorySettings([]);
    const server = {
      url: new URL(`ldap://localhost:${(proxy.address() as net.AddressInfo).port}`),
      ...{ startTls: true, rootCa: CERTIFICATE, timeout: 5_000, isPermitted: () => true },
    };
    const cutOff = withDirectory(server, async (client) => {
      await client.bind(bindDn, bindPassword);
      for (const socket of connections) socket.destroy();
      await expect.poll(() => client.isConnected).toBe(false);
      await client.bind(bindDn, "the password of a user");
    });
    await expect(cutOff).rejects.toThrow(NoDirectory);
    expect(connections).toHaveLength(1);
    expect(Buffer.concat(received).toString("latin1")).not.toMatch(/password/);
    proxy.close();
  });
});
