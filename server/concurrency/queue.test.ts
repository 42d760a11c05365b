import { describe, expect, it } from "vitest";
import { Abandoned, createQueue } from "./queue";

/** Work that ends on demand. */
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
  it("runs a few at a time in order, also for work that arrives just as another ends", async () => {
    const { begun, work, end } = controlled();
    const queue = createQueue({ atOnce: () => 2, longest: () => 10, refuse: () => new Error("full") });
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

  it("rejects the work that arrives when too much is queued, and no other", async () => {
    const { work, end } = controlled();
    const queue = createQueue({ atOnce: () => 1, longest: () => 1, refuse: () => new Error("full") });
    const [first, second, third] = ["a", "b", "c"].map((name) => queue.run(work(name)));
    await expect(third).rejects.toThrow("full");
    end("a");
    await first;
    end("b");
    expect(await second).toBe("b");
  });

  it("takes turns between the owners of the work", async () => {
    const { begun, work, end } = controlled();
    const queue = createQueue({ atOnce: () => 1, longest: () => 10, refuse: () => new Error("full") });
    const names = ["a1", "a2", "a3", "a4", "b1", "b2", "c1"];
    const all = names.map((name) => queue.run(work(name), undefined, name[0]));
    for (let index = 0; index < names.length; index++) {
      await expect.poll(() => begun.length).toBe(index + 1);
      end(begun[index] ?? "");
    }
    await Promise.all(all);
    expect(begun).toEqual(["a1", "a2", "b1", "c1", "a3", "b2", "a4"]);
  });

  it("rejects the latest work of the owner with the longest queue when it is full", async () => {
    const { begun, work, end } = controlled();
    const queue = createQueue({ atOnce: () => 1, longest: () => 3, refuse: () => new Error("full") });
    const outcome = (name: string) =>
      queue.run(work(name), undefined, name[0]).catch((error: Error) => `${name} ${error.message}`);
    const all = ["a1", "a2", "a3", "a4", "b1", "a5", "c1"].map(outcome);
    expect(await Promise.all([all[3], all[5], all[2]])).toEqual(["a4 full", "a5 full", "a3 full"]);
    expect(queue.length()).toBe(3);
    for (let index = 0; index < 4; index++) {
      await expect.poll(() => begun.length).toBe(index + 1);
      end(begun[index] ?? "");
    }
    await Promise.all(all);
    expect([begun, queue.length()]).toEqual([["a1", "a2", "b1", "c1"], 0]);
  });

  it("continues after work that failed", async () => {
    const queue = createQueue({ atOnce: () => 1, longest: () => 9, refuse: () => new Error("full") });
    const failed = queue.run(() => Promise.reject(new Error("no")));
    const next = queue.run(async () => "yes");
    await expect(failed).rejects.toThrow("no");
    expect(await next).toBe("yes");
    expect(await queue.run(async () => "again")).toBe("again");
  });
});

describe("work whose result is no longer awaited", () => {
  const full = () => new Error("full");

  it("leaves the queue before it has begun and makes room", async () => {
    const { begun, work, end } = controlled();
    const queue = createQueue({ atOnce: () => 1, longest: () => 2, refuse: full });
    const left = new AbortController();
    const first = queue.run(work("a"));
    const abandoned = queue.run(work("b"), left.signal);
    const third = queue.run(work("c"));
    left.abort();
    await expect(abandoned).rejects.toThrow(Abandoned);
    expect(queue.length()).toBe(1);
    end("a");
    await first;
    await new Promise((resolve) => setImmediate(resolve));
    end("c");
    expect(await third).toBe("c");
    expect(begun).toEqual(["a", "c"]);
    await expect(queue.run(work("d"), left.signal)).rejects.toThrow(Abandoned);
  });

  it("is finished once it has begun, so that what it counts is counted", async () => {
    const { work, end } = controlled();
    const queue = createQueue({ atOnce: () => 1, longest: () => 2, refuse: full });
    const left = new AbortController();
    const begunWork = queue.run(work("a"), left.signal);
    left.abort();
    end("a");
    expect(await begunWork).toBe("a");
  });
});

describe("a slot that is released before its work is over", () => {
  it("goes to the next in the queue at once and is counted once", async () => {
    const { begun, work, end } = controlled();
    const queue = createQueue({ atOnce: () => 1, longest: () => 9, refuse: () => new Error("full") });
    const first = queue.run((slot) => {
      slot.release();
      slot.release();
      return work("a")();
    });
    const others = ["b", "c"].map((name) => queue.run(work(name)));
    await new Promise((resolve) => setImmediate(resolve));
    expect(begun).toEqual(["a", "b"]);
    end("a");
    await first;
    expect(begun).toEqual(["a", "b"]);
    end("b");
    await others[0];
    await new Promise((resolve) => setImmediate(resolve));
    end("c");
    expect(await others[1]).toBe("c");
  });
});
