/** What waits for a child process comes to an end, whatever the child does. */
import { spawn } from "node:child_process";
import { afterEach, describe, expect, it } from "vitest";
import { ended } from "./child-process.mjs";

const shell = (script: string) => spawn("bash", ["-c", script], { stdio: ["ignore", "pipe", "pipe"] });

describe("waiting for a child process", () => {
  const left: number[] = [];
  afterEach(() => {
    for (const pid of left.splice(0)) process.kill(pid);
  });

  it("tells how it ended", async () => {
    expect(await ended(shell("exit 3"), { longest: 60_000 })).toEqual({ code: 3, late: false });
  });

  it("does not wait for what it left behind, which holds its output open", async () => {
    const child = shell("sleep 600 & echo $!; exit 0");
    child.stdout.setEncoding("utf8").on("data", (pid) => left.push(Number(pid)));
    expect(await ended(child, { longest: 60_000, lastWords: 200 })).toEqual({ code: 0, late: false });
    expect(left).toHaveLength(1);
  });

  it("ends what takes longer than it may", async () => {
    expect(await ended(shell("exec sleep 600"), { longest: 200 })).toEqual({ code: null, late: true });
  });

  it("rejects where there is no such program", async () => {
    await expect(ended(spawn("/nowhere"), { longest: 60_000 })).rejects.toMatchObject({ code: "ENOENT" });
  });
});
