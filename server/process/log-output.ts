/**
 * Writes the log to standard output, which may be blocked, closed or on a full disk. The service must go on regardless:
 * nothing here waits, the buffer is bounded, and errors are ignored.
 */
import type { Writable } from "node:stream";
import { countLostLogLines } from "../metrics/instruments";

/** Under load, lines are collected and written with one system call. Characters and milliseconds. */
const BUFFERED = 4096;
const FLUSH_INTERVAL = 250;
/** Maximum bytes that may wait for the reader of the log; further lines are counted and dropped. */
const MAX_WAITING_BYTES = 1 << 20;

export interface LogOutput {
  /** One or more lines with their line breaks. */
  write(lines: string): void;
  /** Calls back when everything so far has been written, which may never happen. */
  flush(done?: () => void): void;
}

/** @param buffered characters to collect before they are written; 0: each line at once, for a person who watches */
export function logOutput(stream: Writable, buffered = BUFFERED): LogOutput {
  let collected = "";
  let dropped = 0;
  let timer: NodeJS.Timeout | undefined;
  const handOn = () => {
    clearTimeout(timer);
    timer = undefined;
    const lines = collected;
    collected = "";
    if (lines !== "") stream.write(lines, (error) => error && countLostLogLines(lines.split("\n").length - 1));
  };
  stream.on("error", () => {});
  return {
    write(lines) {
      if (stream.writableLength > MAX_WAITING_BYTES) {
        dropped += 1;
        countLostLogLines(1);
        return;
      }
      if (dropped > 0) collected += lossOf(dropped);
      dropped = 0;
      collected += lines;
      if (collected.length >= buffered) handOn();
      else timer ??= setTimeout(handOn, FLUSH_INTERVAL).unref();
    },
    flush(done = () => {}) {
      handOn();
      stream.write("", () => done());
    },
  };
}

function lossOf(dropped: number): string {
  const line = { level: 40, time: new Date().toISOString(), dropped, msg: "lines of the log were dropped" };
  return `${JSON.stringify(line)}\n`;
}

/** Standard output. When the process ends, collected lines are written if standard output accepts them. */
export function standardOutput(buffered?: number): LogOutput {
  const output = logOutput(process.stdout, buffered);
  process.stderr.on("error", () => {}); // written by Node and Next
  process.on("exit", () => output.flush());
  return output;
}
