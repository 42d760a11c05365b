import { describe, expect, it } from "vitest";
import { createMutex } from "./mutex";

describe("the writer's lock", () => {
  it("is given to one at a time, first come first served", async () => {
    const mutex = createMutex(1000);
    const log: string[] = [];
    const hold = async (name: string) => {
      const release = await mutex.lock();
      log.push(`${name} in`);
      await Promise.resolve();
      log.push(`${name} out`);
      release();
    };
    await Promise.all([hold("a"), hold("b"), hold("c")]);
    expect(log).toEqual(["a in", "a out", "b in", "b out", "c in", "c out"]);
  });

  it("is not given twice by releasing it twice", async () => {
    const mutex = createMutex(1000);
    const release = await mutex.lock();
    const second = mutex.lock();
    release();
    release();
    const releaseSecond = await second;
    expect(mutex.tryLock()).toBeUndefined();
    releaseSecond();
    expect(mutex.tryLock()).toBeTypeOf("function");
  });

  it("is refused to a caller that waits too long, and then goes to the next", async () => {
    const mutex = createMutex(20);
    const release = await mutex.lock();
    await expect(mutex.lock()).rejects.toMatchObject({ code: "SQLITE_BUSY" });
    const next = mutex.lock();
    release();
    (await next)();
    expect(mutex.tryLock()).toBeTypeOf("function");
  });
});
