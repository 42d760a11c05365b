import { brotliCompressSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { apiToken } from "../../testing/api";
import { exampleBootstrap } from "../../testing/example";
import { type TestService, testService } from "../../testing/test-context";

const cut = Buffer.from(brotliCompressSync('{"language":"de"}').subarray(0, 8));

describe("bodies that are no message of the procedure (rule SERVE-4)", () => {
  let service: TestService;
  let token: string;
  beforeAll(async () => {
    service = await testService("sqlite", exampleBootstrap);
    token = await apiToken(service);
  });
  afterAll(() => service.close());
  const call = (type: string, body: RequestInit["body"], headers = {}) =>
    service.fetch("/service.admin.v1.AdminService/ResetCustomDomainClaimedMessageTextToDefault", {
      method: "POST",
      headers: { authorization: `Bearer ${token}`, "content-type": type, ...headers },
      body,
    });

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

  it("tells gRPC-Web clients in a frame", async () => {
    const response = await call("application/grpc-web+proto", Buffer.from([0, 0, 0, 0, 3, 0xff, 0xff, 0xff]));
    expect(response.status).toBe(200);
    expect(await response.text()).toContain("grpc-message: parse%20binary");
  });
});
