import { beforeAll, describe, expect, it } from "vitest";
import type { Context } from "../context";
import { type BareContext, bareContext } from "../testing/bare-context";
import { databaseKinds } from "../testing/database";
import { readResolvedText } from "./resolve";

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
          ownerId,
          type: "password_change",
          language: "en",
          subject: `Of ${ownerId}`,
          createdAt: at,
          changedAt: at,
        })),
      });
    }
  });

  /** Resolves texts of organizations spread over the table. */
  async function resolveMany(counted: Context): Promise<void> {
    for (let index = 0; index < LOOKED_UP; index++) {
      const organizationId = `o-${(index * 7919) % ORGANIZATIONS}`;
      const text = await readResolvedText(counted, { type: "password_change", language: "en", organizationId });
      expect(text.subject.text).toBe(`Of ${organizationId}`);
    }
  }

  it("are resolved by one query each, regardless of the number of requests", async () => {
    let queries = 0;
    const counting =
      <Work extends (...given: never[]) => unknown>(work: Work) =>
      (...given: Parameters<Work>) => {
        queries++;
        return work(...given);
      };
    const db = { ...ctx.db, one: counting(ctx.db.one), all: counting(ctx.db.all) } as Context["db"];
    const counted = { ...ctx, db };
    await resolveMany(counted);
    expect(queries).toBe(LOOKED_UP);
    await resolveMany(counted);
    expect(queries).toBe(2 * LOOKED_UP);
  });
});
