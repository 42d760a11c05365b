import { PassThrough } from "node:stream";
import { describe, expect, it } from "vitest";
import { createLog } from "./log";

function logged(logFormat: "json" | "text", write: (log: ReturnType<typeof createLog>) => void): string {
  const output = new PassThrough();
  write(createLog({ logLevel: "info", logFormat }, output));
  return String(output.read() ?? "");
}

describe("log", () => {
  it("writes one JSON object a line, with an ISO time", () => {
    const lines = logged("json", (log) => {
      log.info({ port: 8080 }, "ready");
      log.debug("not asked for");
    });
    expect(
      lines
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line)),
    ).toEqual([
      { level: 30, time: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/), pid: process.pid, port: 8080, msg: "ready" },
    ]);
  });

  it("writes short lines for a terminal, with the stack of an error", () => {
    expect(logged("text", (log) => log.info({ port: 8080 }, "ready"))).toMatch(
      /^\d\d:\d\d:\d\d info {2}ready port=8080\n$/,
    );
    const failure = logged("text", (log) => log.error({ err: new Error("disk full") }, "maintenance failed"));
    expect(failure).toMatch(/^\d\d:\d\d:\d\d error maintenance failed\nError: disk full\n {4}at /);
  });

  it.each(["json", "text"] as const)("hides what must never be written (%s)", (format) => {
    const secrets = { password: "hunter2", clientSecret: "hunter2", token: "hunter2", authorization: "Bearer hunter2" };
    const lines = logged(format, (log) =>
      log.info({ ...secrets, form: { ...secrets, cookie: "ua=hunter2" } }, "request"),
    );
    expect(lines).toContain("request");
    expect(lines).not.toContain("hunter2");
  });
});
