import http2 from "node:http2";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { limitHttp2 } from "./http2-limits";

const LIMITS = { requestTimeout: 5_000, keepAliveTimeout: 5_000 };

describe("HTTP/2 requests that do not end", () => {
  const open: { close(): void }[] = [];
  afterEach(() => {
    for (const each of open.splice(0)) each.close();
  });

  /** A stream to a server with this listener, which gets some bytes of a request and never its end. */
  const begin = async (
    listener: (request: http2.Http2ServerRequest, response: http2.Http2ServerResponse) => void,
    limits = LIMITS,
  ) => {
    const server = http2.createServer(listener);
    limitHttp2(server, limits);
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const ended = new Promise<number>((resolve) =>
      server.on("stream", (stream) => stream.once("close", () => resolve(stream.rstCode))),
    );
    const session = http2.connect(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    const stream = session.request({ ":method": "POST", ":path": "/" });
    open.push({ close: () => session.destroy() }, server);
    stream.on("error", () => {});
    stream.write("x".repeat(300_000));
    return { stream, ended };
  };

  it("releases a request once it is answered completely, including trailers (RFC 9113 §8.1)", async () => {
    const { stream, ended } = await begin((request, response) => {
      request.once("data", () => {
        request.pause();
        response.addTrailers({ "grpc-status": "8" });
        response.writeHead(200).end("y".repeat(100_000));
      });
    });
    const trailers = new Promise<http2.IncomingHttpHeaders>((resolve) => stream.once("trailers", resolve));
    let length = 0;
    for await (const chunk of stream) length += (chunk as Buffer).length;
    expect(length).toBe(100_000);
    expect(await trailers).toMatchObject({ "grpc-status": "8" });
    expect(await ended).toBe(http2.constants.NGHTTP2_NO_ERROR);
  });

  it("aborts a request that does not arrive in time (attack: slowloris)", async () => {
    const { ended } = await begin((request) => request.resume(), { ...LIMITS, requestTimeout: 100 });
    expect(await ended).toBe(http2.constants.NGHTTP2_CANCEL);
  });

  it("does not abort a slow response to a complete request", async () => {
    const { stream } = await begin(
      (request, response) => {
        request.resume().once("end", () => setTimeout(() => response.end("late"), 1_500));
      },
      { ...LIMITS, requestTimeout: 1_000 },
    );
    stream.end();
    stream.setEncoding("utf8");
    let answer = "";
    for await (const chunk of stream) answer += chunk;
    expect(answer).toBe("late");
  });
});
