import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { exampleBootstrap } from "../../testing/example";
import { type TestService, testService } from "../../testing/test-context";
import { countFailures, limits } from "../../throttle";
import { countTextTo, factorTextCounters } from "./mail-limit";

const HOUR = 3_600_000;

describe.each(["sqlite", "postgresql"] as const)("the limit of text messages on %s", (kind) => {
  let service: TestService;
  beforeAll(async () => {
    service = await testService(kind, exampleBootstrap);
    service.advance(HOUR - (service.ctx.clock() % HOUR)); // to the beginning of an hour
  });
  afterAll(() => service.close());

  /** Returns how many of these requests were rejected. */
  async function refusedOf(organizationId: string, numbers: readonly string[], userId?: string): Promise<number> {
    const counts = numbers.map((phone) => countTextTo(service.ctx, phone, { organizationId, userId }));
    return (await Promise.all(counts)).filter((refusal) => refusal?.id === "sms.too_many").length;
  }
  const numbersFrom = (first: number, count: number) =>
    Array.from({ length: count }, (_, index) => `+4915${String(first + index).padStart(9, "0")}`);

  it("applies per hour to all users of an organization together, and separately to each organization", async () => {
    const { blockAt } = limits.numbersIn;
    const [number = ""] = numbersFrom(9000, 1);
    expect(await refusedOf("flooded", numbersFrom(0, blockAt))).toBe(0);
    expect(await refusedOf("flooded", numbersFrom(blockAt, 6))).toBe(6);
    expect(await refusedOf("flooded", [number], "a person who asked for none yet")).toBe(1);
    // which does not count against the number:
    expect(await refusedOf("flooded", Array<string>(6).fill(number))).toBe(6);
    expect(await refusedOf("other", Array<string>(limits.textsTo.blockAt).fill(number))).toBe(0);
    service.advance(HOUR);
    expect(await refusedOf("flooded", numbersFrom(blockAt, 6))).toBe(0);
  });

  it("does not let a user who sets another's number elsewhere block that user's sign-in", async () => {
    const [number = ""] = numbersFrom(70_000, 1);
    expect(await refusedOf("attackers", Array<string>(6).fill(number))).toBe(1);
    const signIn = () =>
      countFailures(service.ctx, factorTextCounters(service.ctx, { id: "vic", organizationId: "home" }));
    for (let sent = 0; sent < limits.textsTo.blockAt; sent++) expect(await signIn()).toBeUndefined();
    expect(await signIn()).toBeDefined();
  });

  it("reserves half of an organization's text messages for sign-ins", async () => {
    const { blockAt } = limits.numbersIn;
    expect(await refusedOf("drained", numbersFrom(80_000, blockAt + 5))).toBe(5);
    const sent = Array.from({ length: blockAt + 5 }, (_, index) =>
      countFailures(service.ctx, factorTextCounters(service.ctx, { id: `p${index}`, organizationId: "drained" })),
    );
    const refused = (await Promise.all(sent)).filter((until) => until !== undefined);
    expect(refused.length).toBe(blockAt + blockAt + 5 - limits.textsIn.blockAt);
  });

  it("does not accumulate over hours for an organization with steady traffic", async () => {
    const each = limits.numbersIn.blockAt / 5;
    for (let half = 0; half < 6; half++) {
      expect(await refusedOf("steady", numbersFrom(100_000 + half * each, each)), `half hour ${half}`).toBe(0);
      service.advance(HOUR / 2);
    }
  });
});
