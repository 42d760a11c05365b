/** A copied program, run as its reader runs it. Failures contain its output and its exit. */
import { spawn } from "node:child_process";
import { expect } from "./fixtures";

export interface Program {
  /** Its output so far, including errors. */
  output(): string;
  /** Its output for a failure message, with its exit status if it has ended. */
  said(): string;
  /** Waits until its output matches. Fails as soon as it cannot match any more. */
  heard(words: RegExp): Promise<RegExpExecArray>;
  /** Its exit status, or the signal that ended it. */
  ended: Promise<number | string>;
  stop(): Promise<unknown>;
}

/** Runs `file` of `folder` by Node.js. @param env in addition to that of the test */
export function startProgram(folder: string, file: string, env: Record<string, string>): Program {
  const child = spawn(process.execPath, [file], {
    cwd: folder,
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  let end: number | string | undefined;
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (chunk) => {
      output += chunk;
    });
  }
  // After "close" there is no more output.
  const ended = new Promise<number | string>((resolve) => {
    child.once("error", (error) => resolve(error.message));
    child.once("close", (status, signal) => resolve(status ?? signal ?? "no status"));
  }).then((status) => {
    end = status;
    return status;
  });
  const said = () => `${file} ${end === undefined ? "runs" : `ended with ${end}`}, and said:\n${output}`;
  return {
    output: () => output,
    said,
    ended,
    async heard(words) {
      let match: RegExpExecArray | null = null;
      const settled = () => {
        match = words.exec(output);
        return match !== null || end !== undefined;
      };
      await expect
        .poll(settled)
        .toBe(true)
        .catch(() => {}); // the failure below has more details
      if (!match) throw new Error(`Nothing that matches ${words}: ${said()}`);
      return match;
    },
    stop() {
      child.kill();
      return ended;
    },
  };
}
