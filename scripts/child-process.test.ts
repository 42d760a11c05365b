/** Tests that waiting for a child process ends, whatever the child does. */
import { type ChildProcess, spawn } from "node:child_process";
import { EventEmitter } from "node:events";
import { afterEach, describe, expect, it, vi } from "vitest";
import { ended } from "./child-process.mjs";

const shell = (script: string) => spawn("bash", ["-c", script], { stdio: ["ignore", "pipe", "pipe"] });

describe("waiting for a child process", () => {
  const left: number[] = [];
  afterEach(() => {
    vi.useRealTimers();
    for (const pid of left.splice(0)) process.kill(pid);
  });

  it("resolves with its exit status", async () => {
    expect(await ended(shell("exit 3"), { longest: 60_000 })).toEqual({ code: 3, late: false });
  });

  it("does not wait for a descendant that holds its output open", async () => {
    const child = shell("sleep 600 & echo $!; exit 0");
    child.stdout.setEncoding("utf8").on("data", (pid) => left.push(Number(pid)));
    expect(await ended(child, { longest: 60_000, lastWords: 200 })).toEqual({ code: 0, late: false });
    expect(left).toHaveLength(1);
  });

  it("kills a process that exceeds its limit", async () => {
    expect(await ended(shell("exec sleep 600"), { longest: 200 })).toEqual({ code: null, late: true });
  });

  it("does not kill a process that keeps writing output", async () => {
    vi.useFakeTimers();
    const kill = vi.fn();
    const child = Object.assign(new EventEmitter(), { stdout: new EventEmitter(), stderr: new EventEmitter(), kill });
    const waiting = ended(child as unknown as ChildProcess, { longest: 1_000 });
    for (const stream of [child.stdout, child.stderr, child.stdout]) {
      vi.advanceTimersByTime(900);
      stream.emit("data", "still here");
    }
    vi.advanceTimersByTime(999);
    expect(kill).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1);
    expect(kill).toHaveBeenCalledWith("SIGKILL");
    child.emit("close", null);
    expect(await waiting).toEqual({ code: null, late: true });
  });

  it("rejects if the program does not exist", async () => {
    await expect(ended(spawn("/nowhere"), { longest: 60_000 })).rejects.toMatchObject({ code: "ENOENT" });
  });
});
