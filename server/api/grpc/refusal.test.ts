import type http from "node:http";
import http2 from "node:http2";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createPlainServer } from "../../service/http-server/one-port";
import { requestListener } from "../../service/http-server/request-listener";
import { apiToken, callApi } from "../../testing/api";
import { exampleBootstrap } from "../../testing/example";
import { type TestService, testService } from "../../testing/test-context";
import { grpcListener } from "./endpoints";

const METHOD = "/service.management.v1.ManagementService/GetCustomPasswordChangeMessageText";
const TEXT = "/management/v1/text/message/password_change/en";

/** The message `{ language: "en" }` in its envelope. */
const message = Buffer.from([0, 0, 0, 0, 4, 10, 2, 0x65, 0x6e]);

describe("requests that are refused before an operation, from clients that do not read JSON", () => {
  let service: TestService;
  let server: http.Server;
  let token: string;
  beforeAll(async () => {
    service = await testService("sqlite", exampleBootstrap);
    token = await apiToken(service);
    server = createPlainServer(
      { requestTimeout: 5_000, headersTimeout: 5_000, keepAliveTimeout: 5_000 },
      requestListener({ ...service, procedures: grpcListener(service.ctx, { draining: false }) }),
    );
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  });
  afterAll(async () => {
    server.close();
    server.closeAllConnections();
    await service.close();
  });

  const grpc = (path: string, headers: object = {}): Promise<http2.IncomingHttpHeaders> =>
    new Promise((resolve, reject) => {
      const session = http2.connect(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
      const given = { "content-type": "application/grpc", authorization: `Bearer ${token}`, ...headers };
      const stream = session.request({ ":method": "POST", ":path": path, ...given });
      let received: http2.IncomingHttpHeaders = {};
      const add = (more: http2.IncomingHttpHeaders) => {
        received = { ...received, ...more };
      };
      stream.on("response", add).on("trailers", add).on("error", reject).resume();
      stream.on("close", () => {
        session.destroy();
        resolve(received);
      });
      stream.end(message);
    });

  it.each([`${METHOD}s`, "/service.nothing.v1.NothingService/Nothing", TEXT, "/oauth/v2/token", "/"])(
    "gRPC: %s is no procedure, unimplemented",
    async (path) => {
      expect(await grpc(path)).toMatchObject({
        ":status": 200,
        "content-type": "application/grpc+proto",
        "grpc-status": "12",
      });
    },
  );

  const call = async (path: string, type: string, body: RequestInit["body"], headers = {}) => {
    const all = { authorization: `Bearer ${token}`, "content-type": type, ...headers };
    const response = await service.fetch(path, { method: "POST", headers: all, body });
    return { status: response.status, type: response.headers.get("content-type"), text: await response.text() };
  };

  it.each([`${METHOD}s`, "/service.nothing.v1.NothingService/Nothing", TEXT])(
    "gRPC-Web: %s is no procedure, unimplemented in a frame of trailers",
    async (path) => {
      const { status, type, text } = await call(path, "application/grpc-web+proto", message);
      expect([status, type]).toEqual([200, "application/grpc-web+proto"]);
      expect(text).toMatch(/grpc-status: 12\r\n/);
    },
  );

  it("Connect: get its error codes with the HTTP status", async () => {
    const nothing = await call(`${METHOD}s`, "application/json", "{}");
    expect(nothing.status).toBe(404);
    expect(JSON.parse(nothing.text)).toMatchObject({ code: "unimplemented" });
    const large = await call(METHOD, "application/proto", "x".repeat(300_000));
    expect([large.status, large.type]).toEqual([413, "application/json"]);
    expect(JSON.parse(large.text)).toMatchObject({ code: "resource_exhausted" });
  });

  it("get the error in the caller's language", async () => {
    const german = { "accept-language": "de-CH, fr;q=0.5" };
    const said = "Diesen Pfad gibt es nicht, oder er unterstützt die Methode nicht. Prüfen Sie beides.";
    expect(JSON.parse((await call(`${METHOD}s`, "application/json", "{}", german)).text).message).toBe(said);
    const web = await call(`${METHOD}s`, "application/grpc-web+proto", message, german);
    expect(web.text).toContain(`grpc-message: ${encodeURIComponent(said)}\r\n`);
    expect((await grpc(`${METHOD}s`, german))["grpc-message"]).toBe(encodeURIComponent(said));
    const headers = { accept: "application/grpc", ...german };
    const rest = await callApi(service, "PUT", "/management/v1/text/message/nothing/en", { token, body: {}, headers });
    expect(rest.headers.get("grpc-message")).toBe(encodeURIComponent(said));
  });

  it.each([
    ["an unknown text", "PUT", "/management/v1/text/message/nothing/en", { status: 404, code: "5" }],
    ["a wrong method", "POST", TEXT, { status: 405, code: "12" }],
    ["too large a body", "PUT", TEXT, { status: 413, code: "3" }],
  ])("REST with Accept: %s has the status of HTTP and that of gRPC (rule GRPC-1)", async (...given) => {
    const [, method, path, { status, code }] = given;
    const body = { text: "x".repeat(300_000) };
    const refused = (accept: string) => callApi(service, method, path, { token, body, headers: { accept } });
    const grpc = await refused("application/grpc");
    expect([grpc.status, grpc.headers.get("content-type")]).toEqual([status, "application/grpc"]);
    expect([grpc.headers.get("grpc-status"), grpc.body]).toEqual([code, ""]);
    const web = await refused("application/grpc-web+proto");
    expect([web.status, web.headers.get("content-type")]).toEqual([status, "application/grpc-web+proto"]);
    expect(web.body).toContain(`grpc-status: ${code}\r\n`);
    expect((await refused("application/json")).body).toMatchObject({ code: Number(code) });
  });

  it("get JSON at addresses without messages: all others of the management APIs", async () => {
    const headers = { accept: "application/grpc" };
    const { body } = await callApi(service, "PATCH", "/management/v1/orgs/me", { token, headers });
    expect(body).toMatchObject({ code: 12 });
  });
});
