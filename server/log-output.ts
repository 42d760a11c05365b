/**
 * Where the log goes when nobody says otherwise: standard output, which may be blocked, closed or on a full disk. The
 * service serves all the same: nothing here waits, what waits to be read is bounded, and errors are nobody's business.
 */
import type { Writable } from "node:stream";

/** A line costs a system call; under load many share one. Characters and milliseconds. */
const BUFFERED = 4096;
const FLUSH_INTERVAL = 250;
/** Bytes that wait for whoever reads the log; what comes then is counted and dropped. */
const MOST_WAITING = 1 << 20;

export interface LogOutput {
  /** One line or more, with their line ends. */
  write(lines: string): void;
  /** Calls back when everything so far has been taken, which may be never. */
  flush(done?: () => void): void;
}

/** @param buffered characters to collect before they are handed on; 0: each line at once, for somebody who watches */
export function logOutput(stream: Writable, buffered = BUFFERED): LogOutput {
  let collected = "";
  let dropped = 0;
  let timer: NodeJS.Timeout | undefined;
  const handOn = () => {
    clearTimeout(timer);
    timer = undefined;
    if (collected !== "") stream.write(collected);
    collected = "";
  };
  stream.on("error", () => {});
  return {
    write(lines) {
      if (stream.writableLength > MOST_WAITING) {
        dropped += 1;
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

/** Standard output. What is collected when the process ends is written then, if there is room. */
export function standardOutput(buffered?: number): LogOutput {
  const output = logOutput(process.stdout, buffered);
  process.stderr.on("error", () => {}); // Node's and Next's own words
  process.on("exit", () => output.flush());
  return output;
}
