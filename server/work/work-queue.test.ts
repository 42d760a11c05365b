import { describe, expect, it } from "vitest";
import { createWorkQueue } from "./work-queue";

/** Work that ends when it is told to. */
function controlled() {
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const work = (name: string) => () =>
    new Promise<string>((resolve) => {
      begun.push(name);
      ends.set(name, () => resolve(name));
    });
  return { begun, work, end: (name: string) => ends.get(name)?.() };
}

describe("a work queue", () => {
  it("does a few at a time, in order, also for who comes just when one ends", async () => {
    const { begun, work, end } = controlled();
    const queue = createWorkQueue({ atOnce: () => 2, longest: () => 10, refuse: () => new Error("full") });
    const all = ["a", "b", "c", "d"].map((name) => queue.run(work(name)));
    expect([begun, queue.length()]).toEqual([["a", "b"], 2]);
    end("b");
    await all[1];
    all.push(queue.run(work("e")));
    expect(begun).toEqual(["a", "b", "c"]);
    for (const name of ["a", "c", "d", "e"]) {
      await new Promise((resolve) => setImmediate(resolve));
      end(name);
    }
    expect(await Promise.all(all)).toEqual(["a", "b", "c", "d", "e"]);
    expect(begun).toEqual(["a", "b", "c", "d", "e"]);
  });

  it("refuses who comes when too many wait, and nobody else", async () => {
    const { work, end } = controlled();
    const queue = createWorkQueue({ atOnce: () => 1, longest: () => 1, refuse: () => new Error("full") });
    const [first, second, third] = ["a", "b", "c"].map((name) => queue.run(work(name)));
    await expect(third).rejects.toThrow("full");
    end("a");
    await first;
    end("b");
    expect(await second).toBe("b");
  });

  it("goes on after work that failed", async () => {
    const queue = createWorkQueue({ atOnce: () => 1, longest: () => 9, refuse: () => new Error("full") });
    const failed = queue.run(() => Promise.reject(new Error("no")));
    const next = queue.run(async () => "yes");
    await expect(failed).rejects.toThrow("no");
    expect(await next).toBe("yes");
    expect(await queue.run(async () => "again")).toBe("again");
  });
});
