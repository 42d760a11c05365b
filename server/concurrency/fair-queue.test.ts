import { describe, expect, it } from "vitest";
import { type FairQueue, openFairQueue, SLOW, SLOW_FOR } from "./fair-queue";

describe("organizations whose own server was slow", () => {
  let now = 0;
  const passedOver = async (queue: FairQueue, isForSlow = false) => {
    let seen: string[] = [];
    await queue.take(isForSlow, async (ids) => {
      seen = ids;
      return undefined;
    });
    return seen;
  };
  const attempt = async (queue: FairQueue, organizationId: string, took: number, isOurs = false) => {
    const taken = await queue.take(true, async () => ({ organizationId }));
    now += took;
    taken?.release(isOurs);
  };

  it("are skipped for ten minutes by all workers but one, whatever happens meanwhile", async () => {
    const queue = openFairQueue({ clock: () => now });
    await attempt(queue, "quick", SLOW - 1);
    await attempt(queue, "evil", SLOW);
    await attempt(queue, "evil", 1);
    expect(await passedOver(queue)).toEqual(["evil"]);
    expect(await passedOver(queue, true)).toEqual([]);
    now += SLOW_FOR;
    expect(await passedOver(queue)).toEqual([]);
  });

  it("are not those that use the service's server", async () => {
    const queue = openFairQueue({ clock: () => now });
    await attempt(queue, "acme", SLOW, true);
    expect(await passedOver(queue)).toEqual([]);
  });

  it("are remembered up to a maximum number, and no longer than that if the clock is set back", async () => {
    const queue = openFairQueue({ clock: () => now });
    for (let n = 0; n < 60; n++) await attempt(queue, `evil-${n}`, SLOW);
    const known = await passedOver(queue);
    expect(known).toHaveLength(50);
    expect(known).toContain("evil-59");
    now -= 86_400_000;
    expect(await passedOver(queue)).toEqual([]);
  });
});
