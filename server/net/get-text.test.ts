import { createPrivateKey } from "node:crypto";
import https from "node:https";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { CERTIFICATE, KEY } from "../testing/certificate";
import { getText } from "./get-text";
import type { NameResolver } from "./name-resolver";

describe("getText, for a file on a host that a user named", () => {
  let server: https.Server;
  let port: number;
  let asked = 0;
  beforeAll(async () => {
    const key = createPrivateKey({ key: KEY, format: "jwk" }).export({ type: "pkcs8", format: "pem" });
    server = https.createServer({ cert: CERTIFICATE, key }, ({ url }, response) => {
      asked++;
      if (url === "/moved") response.writeHead(302, { location: "/file" }).end();
      else if (url === "/large") response.end("x".repeat(100_000));
      else response.end("the token\n");
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    port = (server.address() as AddressInfo).port;
  });
  afterAll(() => server.close());

  const resolver = (...addresses: string[]): NameResolver => ({
    texts: async () => [],
    addresses: async () => addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 })),
  });
  const read = (path: string, options: Partial<Parameters<typeof getText>[1]> = {}) =>
    getText(new URL(`https://localhost:${port}${path}`), {
      resolver: resolver("127.0.0.1"),
      isPermitted: () => true,
      ca: CERTIFICATE,
      ...options,
    });

  it("returns the text of the file", async () => {
    expect(await read("/file")).toMatchObject({ text: "the token\n" });
  });

  it("follows no redirect and reads no large file", async () => {
    expect(await read("/moved")).toEqual({ error: "it answered 302", status: 302 });
    expect(await read("/large")).toEqual({ error: expect.stringContaining("too large") });
  });

  it("requires a trusted certificate", async () => {
    expect(await read("/file", { ca: undefined })).toEqual({ error: expect.stringContaining("SELF_SIGNED") });
  });

  it.each([["127.0.0.1"], ["10.0.0.1"], ["::1"], ["::ffff:127.0.0.1"], ["169.254.169.254"], ["8.8.8.8", "127.0.0.1"]])(
    "connects to no address that is not public: %s",
    async (...addresses) => {
      const before = asked;
      const outcome = await read("/file", { resolver: resolver(...addresses), isPermitted: undefined });
      expect([outcome, asked]).toEqual([{ error: "the name has no public address" }, before]);
    },
  );

  it("reports a name that does not exist", async () => {
    expect(await read("/file", { resolver: resolver() })).toEqual({ error: "the name has no public address" });
  });
});
