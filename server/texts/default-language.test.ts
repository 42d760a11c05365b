import { beforeEach, describe, expect, it } from "vitest";
import { ensureInstance } from "../directory/instance";
import { changeRestrictions, readRestrictions } from "../directory/policy/restrictions";
import { type BareContext, bareContext } from "../testing/bare-context";
import { databaseKinds } from "../testing/database";
import { setDefaultLanguage } from "./default-language";

const origin = { actor: "operator" };

describe.each(databaseKinds)("the default language (%s)", (kind) => {
  let ctx: BareContext;
  beforeEach(async () => {
    ctx = await bareContext(kind);
    await ensureInstance(ctx);
  });
  const stored = async () => (await ctx.db.prisma.instance.findFirstOrThrow()).defaultLanguage;

  it("is always an allowed one, also when both settings change concurrently", async () => {
    for (const [other, from] of [
      ["de", "en"],
      ["fr", "de"],
      ["it", "fr"],
    ] as const) {
      await changeRestrictions({ ...ctx, origin }, { allowedLanguages: [] });
      await setDefaultLanguage({ ...ctx, origin }, from);
      await Promise.all([
        setDefaultLanguage({ ...ctx, origin }, other),
        changeRestrictions({ ...ctx, origin }, { allowedLanguages: [from] }),
      ]);
      const { allowedLanguages } = await readRestrictions(ctx);
      expect(allowedLanguages.length === 0 || allowedLanguages.includes(await stored())).toBe(true);
    }
  });

  it("is unchanged if the new one is not allowed or not supported", async () => {
    await changeRestrictions({ ...ctx, origin }, { allowedLanguages: ["en", "de"] });
    expect(await setDefaultLanguage({ ...ctx, origin }, "fr")).toMatchObject({ id: "language.not_allowed" });
    expect(await setDefaultLanguage({ ...ctx, origin }, "tlh")).toMatchObject({ id: "language.not_supported" });
    expect(await stored()).toBe("en");
    expect(await setDefaultLanguage({ ...ctx, origin }, "de")).toMatchObject({ instanceId: expect.any(String) });
    expect(await stored()).toBe("de");
  });
});
