import { executionAsyncResource } from "node:async_hooks";
import { describe, expect, it } from "vitest";
import { createNestingCheck } from "./nesting";

const tick = () => new Promise<void>((resolve) => setImmediate(resolve));

describe("what is inside a transaction", () => {
  it("is refused until the transaction has ended, also where it waited", async () => {
    const check = createNestingCheck(true);
    await check.inside(async () => {
      await tick();
      expect(() => check.refuse("a write")).toThrow("a write inside a transaction goes round it");
    });
    expect(() => check.refuse("a write")).not.toThrow();
  });

  it("is distinguished by its database, also inside a transaction of another", async () => {
    const [one, other, third] = [createNestingCheck(true), createNestingCheck(true), createNestingCheck(true)];
    await one.inside(() =>
      other.inside(async () => {
        await tick();
        for (const check of [one, other]) expect(() => check.refuse("a write")).toThrow("goes round it");
        expect(() => third.refuse("a write")).not.toThrow();
      }),
    );
    await one.inside(async () => expect(() => other.refuse("a write")).not.toThrow());
  });

  it("costs a promise the same however many databases the process has opened", async () => {
    /** The values that Node 20 writes to each promise, one for each storage. */
    const storages = async () => {
      await tick();
      return Object.getOwnPropertySymbols(executionAsyncResource()).length;
    };
    const first = await createNestingCheck(true).inside(storages);
    for (let count = 0; count < 20; count++) await createNestingCheck(true).inside(tick);
    expect(await createNestingCheck(true).inside(storages)).toBe(first);
  });
});
