import type http from "node:http";
import http2 from "node:http2";
import type { AddressInfo } from "node:net";
import { brotliCompressSync } from "node:zlib";
import { Code, type ConnectError } from "@connectrpc/connect";
import { findTrailerError } from "@connectrpc/connect/protocol-grpc";
import { trailerParse } from "@connectrpc/connect/protocol-grpc-web";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createPlainServer } from "../../service/http-server/one-port";
import { requestListener } from "../../service/http-server/request-listener";
import { apiToken } from "../../testing/api";
import { exampleBootstrap } from "../../testing/example";
import { type TestService, testService } from "../../testing/test-context";
import { grpcListener } from "./endpoints";
import { ErrorDetailSchema } from "./generated/service/v1/error_pb";

const cut = Buffer.from(brotliCompressSync('{"language":"de"}').subarray(0, 8));

const METHOD = "/service.admin.v1.AdminService/ResetCustomDomainClaimedMessageTextToDefault";
const LIMITS = { requestTimeout: 30_000, headersTimeout: 15_000, keepAliveTimeout: 65_000 };

/** One message in its envelope. */
function framed(message: Buffer, flags = 0): Buffer<ArrayBuffer> {
  const envelope = Buffer.alloc(5);
  envelope[0] = flags;
  envelope.writeUInt32BE(message.length, 1);
  return Buffer.concat([envelope, message]);
}

const slugOf = (error: ConnectError) => error.findDetails(ErrorDetailSchema)[0]?.id;

/** What gRPC-Web says in its last frame. */
async function webRefusal(answer: Promise<Response>): Promise<ConnectError> {
  const response = await answer;
  expect(response.status).toBe(200);
  return refusalIn(trailerParse(new Uint8Array(await response.arrayBuffer()).subarray(5)));
}

function refusalIn(trailers: Headers): ConnectError {
  const error = findTrailerError(trailers);
  if (!error) throw new Error("was not refused");
  return error;
}

describe("bodies that are not a message of the procedure (rule SERVE-4)", () => {
  let service: TestService;
  let token: string;
  let server: http.Server;
  beforeAll(async () => {
    service = await testService("sqlite", exampleBootstrap);
    token = await apiToken(service);
    const procedures = grpcListener(service.ctx, { draining: false });
    server = createPlainServer(LIMITS, requestListener({ ...service, procedures }));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  });
  afterAll(async () => {
    server.close();
    server.closeAllConnections();
    await service.close();
  });
  const bearer = (given: string): Record<string, string> => (given ? { authorization: `Bearer ${given}` } : {});
  const call = (type: string, body: RequestInit["body"], headers = {}, as = token) =>
    service.fetch(METHOD, { method: "POST", headers: { ...bearer(as), "content-type": type, ...headers }, body });
  /** Sends raw gRPC over HTTP/2. The status is in the trailers, or in the headers if there is no message. */
  const grpcRefusal = async (body: Buffer, as: string): Promise<ConnectError> => {
    const session = http2.connect(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    const sent = { ":method": "POST", ":path": METHOD, "content-type": "application/grpc", te: "trailers" };
    const trailers = await new Promise<Headers>((resolve, reject) => {
      const found = new Headers();
      const note = (headers: http2.IncomingHttpHeaders) => {
        for (const [name, value] of Object.entries(headers))
          if (name.startsWith("grpc-")) found.set(name, String(value));
      };
      session.on("error", reject);
      const stream = session.request({ ...sent, ...bearer(as) });
      stream.on("response", note).on("trailers", note).on("error", reject);
      stream.on("end", () => resolve(found)).resume();
      stream.end(body);
    });
    session.close();
    return refusalIn(trailers);
  };

  it.each<[string, string, Buffer<ArrayBuffer>, object?]>([
    ["a message that ends too early", "application/proto", Buffer.from([0xff, 0xff, 0xff])],
    ["a string that is no UTF-8", "application/proto", Buffer.from([10, 2, 0xff, 0xfe])],
    ["JSON that ends too early", "application/json", Buffer.from('{"language":')],
    ["JSON of another kind", "application/json", Buffer.from("[]")],
    ["a name twice", "application/json", Buffer.from('{"language":"de","language":"fr"}')],
    ["half a character", "application/json", Buffer.from('{"language":"\\ud800"}')],
    ["what is not compressed", "application/proto", Buffer.from("x"), { "content-encoding": "gzip" }],
    ["a compressed body that ends too early", "application/json", cut, { "content-encoding": "br" }],
  ])("refuses %s: 400, invalid_argument", async (_, type, body, headers) => {
    const response = await call(type, body, headers);
    const error = await response.json();
    expect([response.status, error.code]).toEqual([400, "invalid_argument"]);
    expect(response.headers.get("content-type")).toBe("application/json");
    expect(error.message).not.toMatch(/\n|node_modules/);
  });

  it.each([
    ["a name twice", '{"language":"de","language":"fr"}', true],
    ["JSON that ends too early", '{"language":', true],
    ["a caller without a token", '{"language":', false],
  ])("refuses %s in the caller's language, as REST does", async (_, json, isKnown) => {
    const body = Buffer.from(json);
    const as = isKnown ? token : "";
    const german = { "accept-language": "de" };
    const { message, details } = await (await call("application/json", body, german, as)).json();
    const rest = await service.fetch("/management/v1/text/message/password_change/en", {
      method: "PUT",
      headers: { "content-type": "application/json", ...bearer(as), ...german },
      body,
    });
    const told = await rest.json();
    expect([message, details[0].debug.id]).toEqual([told.message, told.details[0].id]);
    expect(message).toMatch(/^Senden Sie /);
  });

  it("refuses JSON deeper than 64 levels, as REST does (rule API-7)", async () => {
    for (const [type, frame] of [
      ["application/json", (json: string) => Buffer.from(json)],
      ["application/grpc-web+json", (json: string) => framed(Buffer.from(json))],
    ] as const) {
      const nested = (levels: number) => `{"x":${"[".repeat(levels - 1)}${"]".repeat(levels - 1)},"language":"xx"}`;
      const deep = await (await call(type, frame(nested(65)))).text();
      expect(deep).toMatch(/nested(?: |%20)deeper/);
      expect(await (await call(type, frame(nested(64)))).text()).not.toMatch(/nested(?: |%20)deeper/);
    }
  });

  const MALFORMED: [string, Buffer<ArrayBuffer>][] = [
    ["a message that ends too early", framed(Buffer.from([0xff, 0xff, 0xff]))],
    ["the flag of a compression that is not named", framed(Buffer.from("x"), 1)],
    ["no frame at all", Buffer.alloc(0)],
    ["half a frame", Buffer.from([0, 0, 0])],
    ["two frames", Buffer.concat([framed(Buffer.alloc(0)), framed(Buffer.alloc(0))])],
  ];
  describe.each(MALFORMED)("%s", (_, body) => {
    it("is refused in a frame to gRPC-Web clients, as INVALID_ARGUMENT with our detail", async () => {
      const web = (as?: string) => webRefusal(call("application/grpc-web+proto", body, {}, as));
      const refused = await web();
      expect([refused.code, slugOf(refused)]).toEqual([Code.InvalidArgument, "request.malformed"]);
      const nobody = await web("");
      expect([nobody.code, slugOf(nobody)]).toEqual([Code.Unauthenticated, "access.token_missing"]);
    });

    it("is refused alike to gRPC clients", async () => {
      const refused = await grpcRefusal(body, token);
      expect([refused.code, slugOf(refused)]).toEqual([Code.InvalidArgument, "request.malformed"]);
      const nobody = await grpcRefusal(body, "");
      expect([nobody.code, slugOf(nobody)]).toEqual([Code.Unauthenticated, "access.token_missing"]);
    });
  });

  it("describes the mistake only to callers with permission", async () => {
    const type = "application/proto";
    const wrong = Buffer.from([0xff, 0xff, 0xff]);
    expect((await (await call(type, wrong)).json()).details).toMatchObject([{ type: "service.v1.ErrorDetail" }]);
    const nobody = await call(type, wrong, {}, "");
    expect([nobody.status, (await nobody.json()).code]).toEqual([401, "unauthenticated"]);
    const denied = await call(type, wrong, {}, await apiToken(service, "bob@acme.test"));
    expect([denied.status, (await denied.json()).code]).toEqual([403, "permission_denied"]);
  });

  it("keeps the codes of failures other than mistakes in the body", async () => {
    const large = await webRefusal(call("application/grpc-web+proto", framed(Buffer.alloc(300 * 1024))));
    expect(large.code).toBe(Code.ResourceExhausted);
    const headers = { "grpc-encoding": "zstd" };
    const unknown = await webRefusal(call("application/grpc-web+proto", framed(Buffer.from("x"), 1), headers));
    expect(unknown.code).toBe(Code.Unimplemented);
  });
});
