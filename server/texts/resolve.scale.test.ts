import { beforeAll, describe, expect, it } from "vitest";
import type { Context } from "../context";
import { type BareContext, bareContext } from "../testing/bare-context";
import { databaseKinds } from "../testing/database";
import { resolveMessageText } from "./resolve";

const ORGANIZATIONS = 10_000;
const LOOKED_UP = 2_000;

describe.each(databaseKinds)("texts of ten thousand organizations, on %s", (kind) => {
  let ctx: BareContext;
  beforeAll(async () => {
    ctx = await bareContext(kind);
    const at = new Date(ctx.clock());
    for (let start = 0; start < ORGANIZATIONS; start += 500) {
      const ids = Array.from({ length: 500 }, (_, index) => `o-${start + index}`);
      await ctx.db.prisma.organization.createMany({
        data: ids.map((id) => ({ id, name: id, state: "active", createdAt: at })),
      });
      await ctx.db.prisma.messageText.createMany({
        data: ids.map((ownerId) => ({
          ...{
            ownerId,
            type: "password_change",
            language: "en",
            subject: `Of ${ownerId}`,
            createdAt: at,
            changedAt: at,
          },
        })),
      });
    }
  }, 120_000);

  /** Milliseconds, of organizations from everywhere. */
  async function median(counted: Context): Promise<number> {
    const times: number[] = [];
    for (let index = 0; index < LOOKED_UP; index++) {
      const organizationId = `o-${(index * 7919) % ORGANIZATIONS}`;
      const startedAt = performance.now();
      const text = await resolveMessageText(counted, { type: "password_change", language: "en", organizationId });
      times.push(performance.now() - startedAt);
      expect(text.subject.text).toBe(`Of ${organizationId}`);
    }
    return times.sort((a, b) => a - b)[LOOKED_UP / 2] ?? Number.NaN;
  }

  it("are resolved by one query each, and then remembered in under 0.2 ms", async () => {
    let queries = 0;
    const counting =
      <Work extends (...given: never[]) => unknown>(work: Work) =>
      (...given: Parameters<Work>) => {
        queries++;
        return work(...given);
      };
    const db = { ...ctx.db, one: counting(ctx.db.one), all: counting(ctx.db.all) } as Context["db"];
    const counted = { ...ctx, db };
    const uncached = await median(counted);
    expect(queries).toBe(LOOKED_UP);
    const cached = await median(counted);
    expect(queries).toBe(LOOKED_UP);
    console.log(`${kind}: ${(uncached * 1000).toFixed(0)} µs uncached, ${(cached * 1000).toFixed(1)} µs cached`);
    expect(cached).toBeLessThan(0.2);
  }, 120_000);
});
