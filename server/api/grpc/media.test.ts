import http from "node:http";
import http2 from "node:http2";
import type { AddressInfo } from "node:net";
import { fromBinary } from "@bufbuild/protobuf";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createPlainServer } from "../../service/http-server/one-port";
import { requestListener } from "../../service/http-server/request-listener";
import { apiToken, callApi } from "../../testing/api";
import { exampleBootstrap } from "../../testing/example";
import { type TestService, testService } from "../../testing/test-context";
import { SetCustomPasswordChangeMessageCustomTextResponseSchema } from "./generated/service/management/v1/management_pb";
import { negotiateMedia } from "./media";

const PATH = "/management/v1/text/message/password_change/en";

describe("the media type of an Accept header (RFC 9110 §12.5.1)", () => {
  it.each([
    [undefined, "application/json"],
    ["", "application/json"],
    ["*/*", "application/json"],
    ["text/html", "application/json"],
    ["application/json", "application/json"],
    ["application/grpc", "application/grpc"],
    ["Application/GRPC-Web+Proto", "application/grpc-web+proto"],
    ["application/grpc-web+proto; q=0.5, application/json", "application/json"],
    ["application/json;q=0.5, application/grpc", "application/grpc"],
    ["application/json, application/grpc", "application/json"],
    ["application/grpc;q=0, application/json;q=0.1", "application/json"],
    ["application/grpc;q=x", "application/grpc"],
  ])("%j: %s", (accept, media) => {
    expect(negotiateMedia(accept)).toBe(media);
  });
});

describe("REST responses as protocol buffers (rule GRPC-1)", () => {
  let service: TestService;
  let server: http.Server;
  let port: number;
  let token: string;
  beforeAll(async () => {
    service = await testService("sqlite", exampleBootstrap);
    server = createPlainServer(
      { requestTimeout: 5_000, headersTimeout: 5_000, keepAliveTimeout: 5_000 },
      requestListener(service),
    );
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    ({ port } = server.address() as AddressInfo);
    token = await apiToken(service);
  });
  afterAll(async () => {
    server.close();
    server.closeAllConnections();
    await service.close();
  });

  interface Answer {
    status: number;
    headers: Record<string, unknown>;
    body: Buffer;
    trailers: Record<string, unknown>;
  }
  const put = (accept: string, language = "en") => ({
    path: PATH.replace("/en", `/${language}`),
    headers: { accept, authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: JSON.stringify({ subject: "Hello" }),
  });
  const overHttp1 = ({ path, headers, body }: ReturnType<typeof put>): Promise<Answer> =>
    new Promise((resolve, reject) => {
      const request = http.request({ port, method: "PUT", path, headers }, async (response) => {
        const chunks: Buffer[] = [];
        for await (const chunk of response) chunks.push(chunk as Buffer);
        const { statusCode: status = 0, headers, trailers } = response;
        resolve({ status, headers, body: Buffer.concat(chunks), trailers });
      });
      request.on("error", reject);
      request.end(body);
    });
  const overHttp2 = ({ path, headers, body }: ReturnType<typeof put>): Promise<Answer> =>
    new Promise((resolve, reject) => {
      const session = http2.connect(`http://127.0.0.1:${port}`);
      session.on("error", reject);
      const stream = session.request({ ":method": "PUT", ":path": path, ...headers });
      const answer: Answer = { status: 0, headers: {}, body: Buffer.alloc(0), trailers: {} };
      stream.on("response", (received) => {
        answer.headers = received;
        answer.status = Number(received[":status"]);
      });
      stream.on("trailers", (received) => {
        answer.trailers = received;
      });
      stream.on("data", (chunk: Buffer) => {
        answer.body = Buffer.concat([answer.body, chunk]);
      });
      stream.on("end", () => {
        session.close();
        resolve(answer);
      });
      stream.end(body);
    });
  /** Frames by their first byte: 0 a message, 128 trailers. */
  const frames = (body: Buffer): [number, Buffer][] => {
    if (body.length === 0) return [];
    const end = 5 + body.readUInt32BE(1);
    return [[body.readUInt8(0), body.subarray(5, end)], ...frames(body.subarray(end))];
  };
  const owner = (message: Buffer | undefined) =>
    fromBinary(SetCustomPasswordChangeMessageCustomTextResponseSchema, message ?? Buffer.alloc(0)).details
      ?.resourceOwner;

  it.each([
    ["HTTP/1.1", overHttp1],
    ["HTTP/2", overHttp2],
  ])("application/grpc over %s: one message, the status in the trailers", async (_, send) => {
    const answer = await send(put("application/grpc"));
    expect(answer).toMatchObject({ status: 200, headers: { "content-type": "application/grpc" } });
    expect(answer.trailers).toMatchObject({ "grpc-status": "0" });
    const [message, ...rest] = frames(answer.body);
    expect(message?.[0]).toBe(0);
    expect(owner(message?.[1])).toBe("acme");
    expect(rest).toEqual([]);
    const refused = await send(put("application/grpc", "xx"));
    expect(refused.status).toBe(400);
    // Trailers-Only: clients of REST never see trailers.
    expect(refused.headers).toMatchObject({ "grpc-status": "3", "grpc-message": expect.stringContaining("language") });
    expect(refused.body).toHaveLength(0);
  });

  it.each([
    ["HTTP/1.1", overHttp1],
    ["HTTP/2", overHttp2],
  ])("application/grpc-web+proto over %s: one message, then the trailers as a frame", async (_, send) => {
    const answer = await send(put("application/grpc-web+proto"));
    expect(answer).toMatchObject({ status: 200, headers: { "content-type": "application/grpc-web+proto" } });
    const [message, trailers] = frames(answer.body);
    expect(owner(message?.[1])).toBe("acme");
    expect(trailers?.[0]).toBe(128);
    expect(`${trailers?.[1]}`).toMatch(/^grpc-status: 0\r\n/);
    const refused = await send(put("application/grpc-web+proto", "xx"));
    expect(refused.status).toBe(400);
    expect(`${frames(refused.body)[0]?.[1]}`).toMatch(/grpc-status: 3\r\n/);
  });

  it("sends the status in the headers if trailers are not possible", async () => {
    const { status, headers } = await callApi(service, "GET", PATH, { token, headers: { accept: "application/grpc" } });
    expect(status).toBe(200);
    expect(headers.get("grpc-status")).toBe("0");
  });

  it("responds to HEAD as to GET, without a body", async () => {
    const { status, body } = await callApi(service, "HEAD", PATH, { token, headers: { accept: "application/grpc" } });
    expect([status, body]).toEqual([200, ""]);
  });
});
