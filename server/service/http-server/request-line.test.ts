import { createPrivateKey } from "node:crypto";
import { once } from "node:events";
import http from "node:http";
import http2 from "node:http2";
import net, { type AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { CERTIFICATE, KEY } from "../../testing/certificate";
import { exampleBootstrap } from "../../testing/example";
import { type TestService, testService } from "../../testing/test-context";
import { requestListener } from "./request-listener";
import { createSecureServer } from "./secure-server";

const limits = { requestTimeout: 30_000, headersTimeout: 15_000, keepAliveTimeout: 65_000 };
const key = createPrivateKey({ key: KEY, format: "jwk" }).export({ type: "pkcs8", format: "pem" });
const REFUSED = [
  ...["/_next/../console", "/_next/%2e%2E/console", "/_next/.%2e/console", "/x/%2E./oauth/v2/keys", "/oauth/v2/./keys"],
  ...["//console", "/console//mail", "//evil.test/console", "/a\\b", "/_next/..\\console", "/a/%5cb", "/..;/console"],
  ...["/x/..%2fconsole", "/oauth/v2/..", "/%2e"],
];
const TAKEN = ["/healthz?a=//../%5c\\", "/healthz?to=https://rp.test/../x", "/oauth/v2/keys"];

describe("targets that differ after normalization (RFC 3986 §5.2.4, RFC 9112 §3.2)", () => {
  let service: TestService;
  let plain: http.Server;
  let servers: (http2.Http2Server | http2.Http2SecureServer)[];
  const reached: string[] = [];

  beforeAll(async () => {
    service = await testService("sqlite", exampleBootstrap);
    const next = async ({ url = "" }: http.IncomingMessage, response: http.ServerResponse) => {
      reached.push(url);
      response.end();
    };
    const listener = requestListener({ ...service, next });
    const second = listener as unknown as Parameters<typeof http2.createServer>[1];
    plain = http.createServer(listener);
    servers = [http2.createServer({}, second), createSecureServer({ cert: CERTIFICATE, key }, limits, listener)];
    for (const server of [plain, ...servers]) {
      await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    }
  });
  afterAll(async () => {
    for (const server of [plain, ...servers]) server.close();
    await service.close();
  });

  /** What comes back on a connection of its own until it is closed. */
  async function statusOf(target: string): Promise<string | undefined> {
    const socket = net.connect((plain.address() as AddressInfo).port, "127.0.0.1").setEncoding("utf8");
    socket.write(`GET ${target} HTTP/1.1\r\nHost: localhost:8080\r\nConnection: close\r\n\r\n`);
    let answer = "";
    for await (const chunk of socket) answer += chunk;
    return answer.split(" ")[1];
  }

  it.each([
    ...REFUSED,
    ...["http://localhost:8080/_next/../console", "http://localhost:8080//x", "http://a@localhost:8080/healthz"],
  ])("refuses %s by HTTP/1.1 before anything is chosen", async (target) => {
    expect(await statusOf(target)).toBe("400");
    expect(reached).toEqual([]);
  });

  /** What comes back for a head that is sent as it is. */
  async function answerTo(head: string): Promise<string> {
    const socket = net.connect((plain.address() as AddressInfo).port, "127.0.0.1").setEncoding("utf8");
    socket.write(head);
    let answer = "";
    for await (const chunk of socket) answer += chunk;
    return answer;
  }

  it.each(["/healthz", "/oauth/v2/keys", "/console", "/admin/v1/text/messages"])(
    "refuses %s with two Host headers (RFC 9112 §3.2) and without a version, and takes HTTP/1.0 without Host",
    async (target) => {
      const twice = `GET ${target} HTTP/1.1\r\nHost: localhost\r\nhost: localhost\r\nConnection: close\r\n\r\n`;
      expect(await answerTo(twice)).toMatch(/^HTTP\/1\.1 400 [\s\S]+Host header/);
      expect(await answerTo(`GET ${target}\r\n\r\n`)).toMatch(/^HTTP\/1\.1 400 /);
      expect(await answerTo(`GET ${target} HTTP/1.0\r\n\r\n`)).not.toMatch(/^HTTP\/1\.1 400 /);
      reached.splice(0);
    },
  );

  it("are rejected in the format of the management APIs at their addresses (rule API-1), and in that of OAuth elsewhere", async () => {
    const bodyOf = async (target: string, language = "en") => {
      const socket = net.connect((plain.address() as AddressInfo).port, "127.0.0.1").setEncoding("utf8");
      socket.write(
        `GET ${target} HTTP/1.1\r\nHost: localhost:8080\r\nAccept-Language: ${language}\r\nConnection: close\r\n\r\n`,
      );
      let answer = "";
      for await (const chunk of socket) answer += chunk;
      return JSON.parse(answer.slice(answer.indexOf("\r\n\r\n")));
    };
    for (const target of [
      "//admin/v1/text/messages",
      "/management/v1//text/messages",
      "/v2/users/..%2fx?a=b",
      "/admin/v1/text/message/init/%2e%2e",
    ]) {
      expect([target, await bodyOf(target)]).toMatchObject([
        target,
        { code: 3, message: expect.stringContaining("dot segments"), details: [{ id: "request.target" }] },
      ]);
    }
    expect((await bodyOf("//v2/users", "de")).message).not.toContain("dot segments");
    expect(await bodyOf("//oauth/v2/keys")).toMatchObject({ error: "invalid_request" });
  });

  it.each([...TAKEN, "http://localhost:8080/healthz"])("takes %s by HTTP/1.1", async (target) => {
    expect(await statusOf(target)).toBe("200");
  });

  it("are rejected alike over HTTP/2, with TLS and without", async () => {
    for (const [index, server] of servers.entries()) {
      const { port } = server.address() as AddressInfo;
      const address = `${index === 0 ? "http" : "https"}://localhost:${port}`;
      const session = http2.connect(address, { rejectUnauthorized: false });
      const ask = async (path: string) => {
        const stream = session.request({ ":path": path });
        const [headers] = await once(stream, "response");
        stream.resume().end();
        return headers[":status"];
      };
      for (const path of REFUSED) expect([path, await ask(path)]).toEqual([path, 400]);
      for (const path of TAKEN) expect([path, await ask(path)]).toEqual([path, 200]);
      session.destroy();
    }
    expect(reached).toEqual([]);
  });

  it("reach Next for pages and for none of its own addresses", async () => {
    for (const path of ["/_next/image?url=%2Fconsole", "/_next/static/none.js", "/_next/x"]) {
      expect([path, await statusOf(path)]).toEqual([path, "404"]);
    }
    expect(reached).toEqual([]);
  });
});
