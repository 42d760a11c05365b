import { Writable } from "node:stream";
import { describe, expect, it } from "vitest";
import { logOutput } from "./log-output";

/** A stream that accepts one write on each call. */
function reader() {
  const taken: string[] = [];
  let go: (() => void) | undefined;
  const stream = new Writable({
    decodeStrings: false,
    write(chunk, _encoding, done) {
      taken.push(String(chunk));
      go = done;
    },
  });
  const takeAll = () => {
    while (stream.writableLength > 0) go?.();
  };
  return { stream, taken, takeAll };
}

describe("log output", () => {
  it("collects lines and hands them on together", () => {
    const { stream, taken } = reader();
    const output = logOutput(stream, 10);
    output.write("one\n");
    output.write("two\n");
    expect(taken).toEqual([]);
    output.write("three\n");
    expect(taken).toEqual(["one\ntwo\nthree\n"]);
  });

  it("keeps a bounded amount for a reader that does not read, and says afterwards what it dropped", () => {
    const { stream, taken, takeAll } = reader();
    const output = logOutput(stream, 0);
    const line = `${"x".repeat(1023)}\n`;
    for (let i = 0; i < 10_000; i++) output.write(line);
    expect(stream.writableLength).toBeLessThan(1.1 * (1 << 20));
    takeAll();
    output.write("later\n");
    takeAll();
    const kept = taken.filter((chunk) => chunk === line).length;
    const [loss = "", last] = (taken.at(-1) ?? "").split("\n");
    expect(JSON.parse(loss)).toMatchObject({ level: 40, dropped: 10_000 - kept });
    expect(last).toBe("later");
  });

  it("continues when the reader is gone (EPIPE), also on a flush", async () => {
    const gone = new Writable({ write: (_chunk, _encoding, done) => done(new Error("EPIPE")) });
    const output = logOutput(gone, 0);
    output.write("one\n");
    output.write("two\n");
    await new Promise<void>((resolve) => output.flush(resolve));
  });
});
