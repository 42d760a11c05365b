import http from "node:http";
import http2 from "node:http2";
import { trailerParse } from "@connectrpc/connect/protocol-grpc-web";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ServiceOnAPort } from "../../testing/on-a-port";
import { machineTokens, zitadelService } from "../../testing/zitadel-clients";

const PATH = "/zitadel.management.v1.ManagementService/AddProject";
const MOST = 256 * 1024;

/** One message in its envelope. @param length what the envelope says */
function framed(message: Buffer, flags = 0, length = message.length): Buffer<ArrayBuffer> {
  const envelope = Buffer.alloc(5);
  envelope[0] = flags;
  envelope.writeUInt32BE(length, 1);
  return Buffer.concat([envelope, message]);
}
const project = Buffer.from("\x0a\x03Bad", "latin1");
/** The field 999, which is unknown. */
const strange = Buffer.concat([project, Buffer.from([0xba, 0x3e, 1, 65])]);
/** The field 5, an enum, with the value 77. */
const misnumbered = Buffer.concat([project, Buffer.from([0x28, 77])]);

type Headers = Record<string, string | string[]>;
interface Sent {
  type?: string;
  body?: Buffer;
  headers?: Headers;
  method?: string;
  path?: string;
}
/** The status of HTTP, and that of gRPC or the code of Connect. */
type Answer = readonly [number, string?];

describe("bad input of remote procedures", () => {
  let service: ServiceOnAPort;
  let authorization: string;
  let projects: number;
  const count = () => service.ctx.db.prisma.project.count();
  beforeAll(async () => {
    service = await zitadelService();
    authorization = `Bearer ${(await machineTokens(service, "owner")).access_token}`;
    projects = await count();
  });
  afterAll(() => service.close());

  function byHttp1({
    type = "",
    body = Buffer.alloc(0),
    headers,
    method = "POST",
    path = PATH,
  }: Sent): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const sent = { authorization, "content-type": type, "content-length": body.length, ...headers };
      const request = http.request(service.origin + path, { method, headers: sent }, async (response) => {
        const chunks: Buffer[] = [];
        for await (const chunk of response) chunks.push(chunk as Buffer);
        resolve(answerIn(response.statusCode ?? 0, response.headers, Buffer.concat(chunks)));
      });
      request.on("error", reject);
      request.end(body);
    });
  }

  function byHttp2({
    type = "",
    body = Buffer.alloc(0),
    headers,
    method = "POST",
    path = PATH,
  }: Sent): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const session = http2.connect(service.origin);
      session.on("error", reject);
      const sent = { authorization, "content-type": type, te: "trailers", ...headers };
      const stream = session.request({ ":method": method, ":path": path, ...sent }, { endStream: method === "GET" });
      const received: http2.IncomingHttpHeaders = {};
      const chunks: Buffer[] = [];
      const note = (more: http2.IncomingHttpHeaders) => void Object.assign(received, more);
      stream
        .on("response", note)
        .on("trailers", note)
        .on("data", (chunk: Buffer) => chunks.push(chunk));
      stream.on("error", (error: Error) => resolve([0, error.message]));
      stream.on("close", () => {
        session.destroy();
        resolve(answerIn(Number(received[":status"] ?? 0), received, Buffer.concat(chunks)));
      });
      if (method !== "GET") stream.end(body);
    });
  }

  function answerIn(status: number, headers: http.IncomingHttpHeaders, body: Buffer): Answer {
    const type = headers["content-type"] ?? "";
    expect(`${body}${JSON.stringify(headers)}`).not.toMatch(/node_modules|\.ts:|\.mjs:|internal error/);
    if (headers["grpc-status"] !== undefined) return [status, String(headers["grpc-status"])];
    if (type.startsWith("application/grpc-web")) {
      const at = body[0] === 0 ? 5 + body.readUInt32BE(1) : 0;
      return [status, trailerParse(new Uint8Array(body.subarray(at + 5))).get("grpc-status") ?? undefined];
    }
    if (type.startsWith("application/json") && body.length > 0 && status >= 400)
      return [status, JSON.parse(`${body}`).code];
    return [status];
  }

  const GRPC = { type: "application/grpc", send: byHttp2 };
  const WEB = { type: "application/grpc-web+proto", send: byHttp1 };
  const CONNECT = { type: "application/proto", send: byHttp1 };
  const JSON_ = { type: "application/json", send: byHttp1 };
  const INVALID = { grpc: [200, "3"], connect: [400, "invalid_argument"] } as const;
  const LATE = { grpc: [200, "4"], connect: [504, "deadline_exceeded"] } as const;

  const late = "0";
  const refused: [string, typeof GRPC, Sent, Answer][] = [
    ["half an envelope", GRPC, { body: Buffer.from([0, 0]) }, INVALID.grpc],
    ["half an envelope", WEB, { body: Buffer.from([0, 0]) }, INVALID.grpc],
    ["a truncated frame", GRPC, { body: framed(project, 0, 900) }, INVALID.grpc],
    ["a truncated frame", WEB, { body: framed(project, 0, 900) }, INVALID.grpc],
    ["a frame that says it is oversized", GRPC, { body: framed(project, 0, MOST + 1) }, [200, "8"]],
    ["a frame that says it is oversized", WEB, { body: framed(project, 0, 2 ** 32 - 1) }, [200, "8"]],
    ["an oversized frame", GRPC, { body: framed(Buffer.alloc(2 * MOST)) }, [200, "8"]],
    ["an oversized frame", WEB, { body: framed(Buffer.alloc(2 * MOST)) }, [200, "8"]],
    ["an oversized message", CONNECT, { body: Buffer.alloc(2 * MOST) }, [413, "resource_exhausted"]],
    ["a compressed flag without an encoding", GRPC, { body: framed(project, 1) }, INVALID.grpc],
    ["a compressed flag without an encoding", WEB, { body: framed(project, 1) }, INVALID.grpc],
    ["unknown flags", GRPC, { body: framed(project, 64) }, INVALID.grpc],
    ["trailers in a request", WEB, { body: framed(project, 128) }, INVALID.grpc],
    ["what is not compressed", GRPC, { body: framed(project, 1), headers: { "grpc-encoding": "gzip" } }, INVALID.grpc],
    ["an unknown encoding", GRPC, { body: framed(project, 1), headers: { "grpc-encoding": "zstd" } }, [200, "12"]],
    [
      "an unknown encoding",
      CONNECT,
      { body: project, headers: { "content-encoding": "zstd" } },
      [501, "unimplemented"],
    ],
    ["a field of the wrong type", CONNECT, { body: Buffer.from([8, 1, 10]) }, INVALID.connect],
    ["an enum that is an object", JSON_, { body: Buffer.from('{"privateLabelingSetting":{}}') }, INVALID.connect],
    ["several messages", GRPC, { body: Buffer.concat([framed(project), framed(project)]) }, INVALID.grpc],
    ["a malformed timeout", GRPC, { body: framed(project), headers: { "grpc-timeout": "1 second" } }, INVALID.grpc],
    ["a malformed timeout", WEB, { body: framed(project), headers: { "grpc-timeout": "123456789S" } }, INVALID.grpc],
    ["a malformed timeout", CONNECT, { body: project, headers: { "connect-timeout-ms": "-1" } }, INVALID.connect],
    ["a deadline in the past", GRPC, { body: framed(project), headers: { "grpc-timeout": "0n" } }, LATE.grpc],
    ["a deadline in the past", WEB, { body: framed(project), headers: { "grpc-timeout": "0S" } }, LATE.grpc],
    ["a deadline in the past", CONNECT, { body: project, headers: { "connect-timeout-ms": late } }, LATE.connect],
    ["the envelope of a stream", CONNECT, { type: "application/connect+proto", body: framed(project) }, [415]],
    ["another content type", CONNECT, { type: "text/plain", body: project }, [415]],
    ["gRPC by HTTP/1.1", CONNECT, { type: "application/grpc", body: framed(project) }, [415]],
    ["an unknown codec", GRPC, { type: "application/grpc+thrift", body: framed(project) }, [415]],
    ["gRPC by GET", GRPC, { method: "GET" }, [405]],
  ];

  it.each(refused.map(([what, { type, send }, sent, answer]) => [what, type, send, sent, answer] as const))(
    "%s by %s is refused in the protocol's words, and changes nothing",
    async (_, type, send, sent, answer) => {
      expect(await send({ type, ...sent })).toEqual(answer);
      expect(await count()).toBe(projects);
    },
  );

  it("a GET request by Connect is answered by 405", async () => {
    const message = Buffer.from("{}").toString("base64url");
    const query = `?connect=v1&encoding=json&base64=1&message=${message}`;
    for (const send of [byHttp1, byHttp2]) {
      expect((await send({ method: "GET", path: PATH + query, type: "application/json" }))[0]).toBe(405);
    }
    expect(await count()).toBe(projects);
  });

  it("metadata that nothing reads, be it broken, many or long, does no harm", async () => {
    const broken = { "trace-bin": "%%% no base64", "grpc-status-details-bin": "!", "grpc-message": "%zz" };
    const path = "/zitadel.management.v1.ManagementService/GetMyOrg";
    expect(await byHttp2({ type: GRPC.type, path, body: framed(Buffer.alloc(0)), headers: broken })).toEqual([
      200,
      "0",
    ]);
    const many = Object.fromEntries(Array.from({ length: 5_000 }, (_, number) => [`x-bomb-${number}`, "b".repeat(50)]));
    const long = { "x-bomb": "b".repeat(1_000_000) };
    for (const headers of [many, long]) {
      // The connection ends, or the headers are refused as too large.
      const outcomes = [byHttp1, byHttp2].map((send) => send({ type: JSON_.type, path, headers }).catch(() => [0]));
      for (const [status] of await Promise.all(outcomes)) expect([0, 400, 431]).toContain(status);
    }
    expect((await byHttp1({ type: JSON_.type, path, body: Buffer.from("{}") }))[0]).toBe(200);
  });

  it("a stream that is cancelled leaves either all of a change or nothing", async () => {
    const session = http2.connect(service.origin);
    const headers = { authorization, "content-type": GRPC.type, te: "trailers" };
    const closed = Array.from({ length: 20 }, (_, number) => {
      const stream = session.request({ ":method": "POST", ":path": PATH, ...headers });
      stream.on("error", () => {});
      if (number % 2) stream.end(framed(project));
      else stream.write(framed(project).subarray(0, 7));
      setImmediate(() => stream.close(http2.constants.NGHTTP2_CANCEL));
      return new Promise((resolve) => stream.on("close", resolve));
    });
    await Promise.all(closed);
    session.destroy();
    const answer = await byHttp2({ type: GRPC.type, body: framed(project) });
    expect(answer).toEqual([200, "0"]);
    const { prisma } = service.ctx.db;
    const added = (await prisma.project.findMany({ where: { name: "Bad" } })).map(({ id }) => id).sort();
    const events = await prisma.event.findMany({ where: { type: "project.added", aggregateId: { in: added } } });
    expect(events.map(({ aggregateId }) => aggregateId).sort()).toEqual(added);
    projects = await count();
  });

  it("unknown fields and deadlines longer than any timer are ignored, and unknown values of enums are refused", async () => {
    const headers = { "grpc-timeout": "99999999H" };
    expect(await byHttp2({ type: GRPC.type, body: framed(strange), headers })).toEqual([200, "0"]);
    expect(await byHttp1({ type: WEB.type, body: framed(strange), headers })).toEqual([200, "0"]);
    expect(await byHttp2({ type: GRPC.type, body: framed(misnumbered), headers })).toEqual([200, "3"]);
    expect(await count()).toBe(projects + 2);
  });
});
