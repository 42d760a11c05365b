import { mkdirSync, writeFileSync } from "node:fs";
import http from "node:http";
import type { AddressInfo } from "node:net";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { temporaryFolder } from "../testing/database";
import { staticFiles } from "./files";

const SCRIPT = "console.log('the same again and again');\n".repeat(500);
/** With the line that lets V8 compile the script at once. */
const SERVED = `//# allFunctionsCalledOnLoad\n${SCRIPT}`;

describe("The files of the console (RFC 9110 §12.5.3)", () => {
  let server: http.Server;
  let port: number;
  beforeAll(async () => {
    const folder = temporaryFolder();
    mkdirSync(`${folder}/chunks`);
    writeFileSync(`${folder}/chunks/a-1.js`, SCRIPT);
    writeFileSync(`${folder}/letters.woff2`, SCRIPT);
    writeFileSync(`${folder}/secret.txt`, "not listed");
    const files = staticFiles(folder, "/_next/static");
    server = http.createServer((request, response) => {
      if (!files(request, response)) response.writeHead(404).end();
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    port = (server.address() as AddressInfo).port;
  });
  afterAll(() => server.close());

  const get = (path: string, headers: http.OutgoingHttpHeaders = {}, method = "GET") =>
    new Promise<{ status?: number; headers: http.IncomingHttpHeaders; body: Buffer }>((resolve, reject) => {
      const request = http.request({ port, path, headers, method }, async (response) => {
        const body = Buffer.concat(await response.toArray());
        resolve({ status: response.statusCode, headers: response.headers, body });
      });
      request.on("error", reject).end();
    });
  const FILE = "/_next/static/chunks/a-1.js";

  it.each([
    ["gzip, deflate, br, zstd", "br"],
    ["gzip", "gzip"],
    ["br;q=0, gzip;q=0.1", "gzip"],
    ["*", "br"],
    ["*, br;q=0.0", "gzip"],
    ["identity", undefined],
    ["gzip;q=0, br;q=0", undefined],
    ["brotli, gzipped, x-gzip", undefined],
    [undefined, undefined],
  ])("accepting %j: %s", async (accepted, encoding) => {
    const { status, headers, body } = await get(FILE, accepted === undefined ? {} : { "accept-encoding": accepted });
    expect(status).toBe(200);
    expect(headers).toMatchObject({
      "content-type": "text/javascript; charset=utf-8",
      "cache-control": "public, max-age=31536000, immutable",
      "x-content-type-options": "nosniff",
      vary: "Accept-Encoding",
      "content-length": String(body.length),
    });
    expect(headers["content-encoding"]).toBe(encoding);
    const unpacked = encoding === "br" ? brotliDecompressSync(body) : encoding === "gzip" ? gunzipSync(body) : body;
    expect(unpacked.toString()).toBe(SERVED);
    if (encoding) expect(body.length).toBeLessThan(SCRIPT.length / 10);
  });

  it("answer 304 to a browser that has the file; each encoding has its own ETag", async () => {
    const plain = (await get(FILE)).headers.etag;
    const packed = (await get(FILE, { "accept-encoding": "br" })).headers.etag;
    expect(packed).not.toBe(plain);
    const again = await get(FILE, { "accept-encoding": "br", "if-none-match": packed });
    expect({ status: again.status, length: again.body.length }).toEqual({ status: 304, length: 0 });
    expect((await get(FILE, { "if-none-match": packed })).status).toBe(200);
  });

  it("answer HEAD without the body, and ignore a query", async () => {
    const head = await get(FILE, {}, "HEAD");
    expect({ status: head.status, length: head.headers["content-length"] }).toEqual({
      status: 200,
      length: String(SERVED.length),
    });
    expect(head.body).toHaveLength(0);
    expect((await get(`${FILE}?dpl=1`)).status).toBe(200);
  });

  it("are not compressed twice, and other requests are left to Next.js", async () => {
    const letters = await get("/_next/static/letters.woff2", { "accept-encoding": "br" });
    expect([letters.headers["content-encoding"], letters.body.toString()]).toEqual([undefined, SCRIPT]);
    for (const path of [
      "/_next/static/secret.txt",
      "/_next/static/../package.json",
      "/_next/static/chunks",
      "/_next/static/%2e%2e/x.js",
    ])
      expect((await get(path)).status).toBe(404);
    expect((await get(FILE, {}, "POST")).status).toBe(404);
  });
});
