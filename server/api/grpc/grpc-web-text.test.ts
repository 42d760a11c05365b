import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { apiToken } from "../../testing/api";
import { exampleBootstrap } from "../../testing/example";
import { type TestService, testService } from "../../testing/test-context";

const METHOD = "/service.management.v1.ManagementService/GetCustomPasswordChangeMessageText";
/** The envelope of `{ language: "en" }`, and its message. */
const ENVELOPE = Buffer.from([0, 0, 0, 0, 4]);
const MESSAGE = Buffer.from([10, 2, 0x65, 0x6e]);

describe("gRPC-Web in base64", () => {
  let service: TestService;
  let token = "";
  beforeAll(async () => {
    service = await testService("sqlite", exampleBootstrap);
    token = await apiToken(service);
  });
  afterAll(() => service.close());
  const post = async (body: string, type = "application/grpc-web-text") => {
    const headers = { authorization: `Bearer ${token}`, "content-type": type };
    const answer = await service.fetch(METHOD, { method: "POST", headers, body });
    const bytes = Buffer.from(await answer.text(), "base64");
    return { type: answer.headers.get("content-type"), bytes, status: answer.status };
  };

  it.each([
    ["in one piece", Buffer.concat([ENVELOPE, MESSAGE]).toString("base64")],
    ["in pieces with padding of their own", ENVELOPE.toString("base64") + MESSAGE.toString("base64")],
  ])("is read %s, and answered so", async (_, body) => {
    const { type, bytes } = await post(body);
    expect(type).toBe("application/grpc-web-text+proto");
    expect(bytes[0]).toBe(0);
    const length = bytes.readUInt32BE(1);
    expect(bytes[5 + length]).toBe(128); // the frame of the trailers
    expect(`${bytes.subarray(10 + length)}`).toMatch(/grpc-status: 0\r\n/);
  });

  it.each(["+proto", ""])("that is none is refused in a frame (application/grpc-web-text%s)", async (more) => {
    const { status, bytes } = await post("$$$", `application/grpc-web-text${more}`);
    expect([status, bytes[0]]).toEqual([200, 128]);
    expect(`${bytes}`).toContain("grpc-status: 3\r\n");
  });
});
