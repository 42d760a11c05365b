// Compression of the data that the console's scripts read, over a real connection.
import http from "node:http";
import type { AddressInfo } from "node:net";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { compressReading } from "./compress-reading";

/** More than a buffer holds, so that the writer has to wait. */
const PART = "a line of a page\n".repeat(20_000);
const PARTS = 4;

const server = http.createServer(async (request, response) => {
  compressReading(request, response);
  response.setHeader("content-type", request.url === "/document" ? "text/html" : "text/x-component");
  response.flushHeaders();
  for (let part = 0; part < PARTS; part++) {
    if (!response.write(PART)) await new Promise((resolve) => response.once("drain", resolve));
  }
  response.end("the end");
});

beforeAll(() => new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve)));
afterAll(() => new Promise((resolve) => server.close(resolve)));

/** Requests without the decompression of `fetch`. */
async function get(path: string, headers: Record<string, string>) {
  const { port } = server.address() as AddressInfo;
  const response = await new Promise<http.IncomingMessage>((resolve) =>
    http.get({ port, path, headers, agent: false }, resolve),
  );
  const bytes = Buffer.concat(await response.toArray());
  return { encoding: response.headers["content-encoding"], vary: response.headers.vary, bytes };
}

describe("The data that scripts of the console read", () => {
  it("is compressed by an encoding that the client accepts, and complete", async () => {
    const whole = `${PART.repeat(PARTS)}the end`;
    const packed = await get("/", { rsc: "1", "accept-encoding": "gzip, br" });
    expect(packed).toMatchObject({ encoding: "br", vary: "accept-encoding" });
    expect(packed.bytes.length).toBeLessThan(whole.length / 100);
    expect(brotliDecompressSync(packed.bytes).toString()).toBe(whole);
    const zipped = await get("/", { rsc: "1", "accept-encoding": "gzip" });
    expect(zipped.encoding).toBe("gzip");
    expect(gunzipSync(zipped.bytes).toString()).toBe(whole);
  });

  it.each([
    ["a document", "/document", { rsc: "1", "accept-encoding": "br" }],
    ["a request by a link, which another site can cause", "/", { "accept-encoding": "br" }],
    ["a client that accepts no encoding", "/", { rsc: "1" }],
  ])("is not compressed for %s", async (_, path, headers) => {
    const { encoding, bytes } = await get(path, headers as Record<string, string>);
    expect([encoding, bytes.length]).toEqual([undefined, PART.length * PARTS + "the end".length]);
  });
});
