import { describe, expect, it } from "vitest";
import { openTurns, SLOW, SLOW_FOR, type Turns } from "./turns";

describe("organizations whose own server was slow", () => {
  let now = 0;
  const passedOver = async (turns: Turns, isForSlow = false) => {
    let seen: string[] = [];
    await turns.take(isForSlow, async (ids) => {
      seen = ids;
      return undefined;
    });
    return seen;
  };
  const attempt = async (turns: Turns, organizationId: string, took: number, isOurs = false) => {
    const taken = await turns.take(true, async () => ({ organizationId }));
    now += took;
    taken?.over(isOurs);
  };

  it("are skipped for ten minutes by all workers but one, whatever happens meanwhile", async () => {
    const turns = openTurns({ clock: () => now });
    await attempt(turns, "quick", SLOW - 1);
    await attempt(turns, "evil", SLOW);
    await attempt(turns, "evil", 1);
    expect(await passedOver(turns)).toEqual(["evil"]);
    expect(await passedOver(turns, true)).toEqual([]);
    now += SLOW_FOR;
    expect(await passedOver(turns)).toEqual([]);
  });

  it("are not those that use the service's server", async () => {
    const turns = openTurns({ clock: () => now });
    await attempt(turns, "acme", SLOW, true);
    expect(await passedOver(turns)).toEqual([]);
  });

  it("are remembered up to a maximum number, and no longer than that if the clock is set back", async () => {
    const turns = openTurns({ clock: () => now });
    for (let n = 0; n < 60; n++) await attempt(turns, `evil-${n}`, SLOW);
    const known = await passedOver(turns);
    expect(known).toHaveLength(50);
    expect(known).toContain("evil-59");
    now -= 86_400_000;
    expect(await passedOver(turns)).toEqual([]);
  });
});
