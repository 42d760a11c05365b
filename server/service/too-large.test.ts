import { once } from "node:events";
import http from "node:http";
import { type AddressInfo, connect } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { exampleBootstrap } from "../testing/example";
import { type TestService, testService } from "../testing/test-context";
import { requestListener } from "./http-server/request-listener";

const MEGABYTES = 20;

describe("a body that is far too large", () => {
  let service: TestService;
  let server: http.Server;
  beforeAll(async () => {
    service = await testService("sqlite", exampleBootstrap);
    server = http.createServer(requestListener(service)).listen(0, "127.0.0.1");
    await once(server, "listening");
  });
  afterAll(async () => {
    server.close();
    await service.close();
  });

  /** Writes the whole request and then reads the response, like simple clients. */
  async function sendAll(path: string): Promise<string> {
    const socket = connect((server.address() as AddressInfo).port, "127.0.0.1");
    let answer = "";
    socket.setEncoding("utf8").on("data", (part) => {
      answer += part;
    });
    const head = `POST ${path} HTTP/1.1\r\nhost: x\r\ncontent-type: application/x-www-form-urlencoded\r\n`;
    socket.write(`${head}content-length: ${MEGABYTES << 20}\r\n\r\n`);
    for (let sent = 0; sent < MEGABYTES; sent++) {
      await new Promise<void>((resolve, reject) =>
        socket.write(Buffer.alloc(1 << 20, "a"), (error) => (error ? reject(error) : resolve())),
      );
    }
    socket.end();
    await once(socket, "close");
    return answer;
  }

  it.each(["/oauth/v2/token", "/login/submit", "/management/v1/projects"])(
    "is refused at %s while it is still being sent, and the sender can read that (RFC 9112 §9.6)",
    async (path) => {
      expect(await sendAll(path)).toMatch(/^HTTP\/1\.1 413 /);
    },
  );

  it("is refused in the format of the APIs if a page of the console sends it", async () => {
    const answer = await sendAll("/console/api/management/v1/projects");
    expect(answer).toMatch(/^HTTP\/1\.1 413 /);
    expect(answer).toContain('"code":3');
    expect(answer).toContain('"request.too_large"');
  });
});
