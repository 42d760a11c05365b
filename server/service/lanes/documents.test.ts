import { once } from "node:events";
import http from "node:http";
import http2 from "node:http2";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { Hono } from "hono";
import { afterEach, describe, expect, it } from "vitest";
import type { Env } from "../../http/env";
import type { DocumentSource } from "../../web/public-document";
import { requestListener } from "./lanes";

const KEYS = "/oauth/v2/keys";
const STRICT = "max-age=31536000";

describe("a public document, answered without the application", () => {
  const open: { close(): void }[] = [];
  afterEach(() => {
    for (const each of open.splice(0)) each.close();
  });

  const listener = (source: DocumentSource) => {
    const application = new Hono<Env>().all("*", (http) => http.text("the application's", 503));
    return requestListener({ application, documents: new Map([[KEYS, source]]), strict: STRICT });
  };
  const listening = async (server: http.Server | http2.Http2Server) => {
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    open.push(server);
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  };
  const start = (source: DocumentSource) => listening(http.createServer(listener(source)));

  const documentOf = (body: string) => ({ body, headers: { "content-type": "application/json", etag: '"1"' } });

  it.each([
    ["short", `{"keys":"${"k".repeat(1_000)}"}`],
    ["long", `{"keys":"${"k".repeat(100_000)}"}`],
    ["in letters of more than a byte", '{"name":"Ключ – 鍵 🔑"}'],
    ["in letters that only Latin-1 has as one byte", '{"name":"clé"}'],
    ["empty", ""],
  ])("arrives whole when it is %s, by HTTP/1.1 and HTTP/2", async (_, body) => {
    const document = documentOf(body);
    const answer = await fetch((await start(() => document)) + KEYS);
    expect(await answer.text()).toBe(body);
    expect(answer.headers.get("content-length")).toBe(String(Buffer.byteLength(body)));
    const session = http2.connect(await listening(http2.createServer(listener(() => document) as never)));
    open.push(session);
    const stream = session.request({ ":path": KEYS });
    expect(await text(stream)).toBe(body);
  });

  it("has an id of its own with each answer, and headers that say the same", async () => {
    const document = documentOf("{}");
    const issuer = await start(() => document);
    const answers = await Promise.all(Array.from({ length: 20 }, () => fetch(issuer + KEYS)));
    const ids = answers.map(({ headers }) => headers.get("x-request-id"));
    expect(new Set(ids).size).toBe(answers.length);
    const others = answers.map(({ headers }) =>
      Object.fromEntries([...headers].filter(([name]) => name !== "x-request-id" && name !== "date")),
    );
    const usual = { "content-type": "application/json", etag: '"1"', "content-length": "2" };
    expect(others[0]).toMatchObject({ ...usual, "strict-transport-security": STRICT });
    for (const other of others) expect(other).toEqual(others[0]);
  });

  it.each([
    ["If-None-Match", '"1"'],
    ["IF-NONE-MATCH", '"1"'],
    ["X-Request-Id", "of-the-client"],
    ["x-request-id", "of-the-client"],
  ])("is left to the application where %s says more, whatever stands before it", async (name, value) => {
    const issuer = await start(() => documentOf("{}"));
    const asked = async (headers: Record<string, string>) => {
      const request = http.get(issuer + KEYS, { headers });
      const [answer] = (await once(request, "response")) as [http.IncomingMessage];
      return text(answer);
    };
    // Names of the same lengths.
    const others = { "Cache-Control": "no-cache", "Content-Type": "text/plain", Authorization: "none" };
    expect(await asked(others)).toBe("{}");
    expect(await asked({ [name]: value })).toBe("the application's");
    expect(await asked({ Accept: "*/*", [name]: value })).toBe("the application's");
    expect(await asked({ ...others, [name]: value })).toBe("the application's");
  });

  it("is the new one as soon as there is another, also where it had to be loaded", async () => {
    let latest = documentOf("1");
    let isLoaded = false;
    const issuer = await start(() => (isLoaded ? Promise.resolve(latest) : latest));
    const seen = async () => (await fetch(issuer + KEYS)).text();
    expect(await seen()).toBe("1");
    latest = documentOf("2");
    expect(await seen()).toBe("2");
    isLoaded = true;
    latest = documentOf("3");
    expect(await seen()).toBe("3");
  });

  it.each<[string, DocumentSource]>([
    [
      "throws",
      () => {
        throw new Error("no keys");
      },
    ],
    ["rejects", () => Promise.reject(new Error("no keys"))],
  ])("is left to the application where its source %s, and says to stay on https", async (_, source) => {
    const answer = await fetch((await start(source)) + KEYS);
    expect([answer.status, await answer.text()]).toEqual([503, "the application's"]);
    expect(answer.headers.get("strict-transport-security")).toBe(STRICT);
  });
});
