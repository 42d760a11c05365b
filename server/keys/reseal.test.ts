import { describe, expect, it } from "vitest";
import type { Context } from "../context";
import { openSecrets } from "../crypto/secrets";
import { findInstance } from "../directory/instance";
import { listSigningKeyRows } from "../storage/key/signing-keys";
import { bareContext } from "../testing/bare-context";
import { databaseKinds } from "../testing/database";
import { resealSecrets } from "./reseal";
import { ensureSigningKeys } from "./signing-keys";

const OLD = "the old secret key, thirty-two characters or more";
const NEW = "the new secret key, thirty-two characters or more";
const under = <Ctx extends Context>(ctx: Ctx, ...secretKeys: string[]): Ctx => ({
  ...ctx,
  config: { ...ctx.config, secretKeys },
  secrets: openSecrets(secretKeys),
});

describe.each(databaseKinds)("a new SECRET_KEY before the old one (rule CONFIG-4, %s)", (kind) => {
  it("re-seals all stored values, so that the old one can be removed", async () => {
    const bare = await bareContext(kind);
    const old = under(bare, OLD);
    const { id } = await findInstance(old);
    await ensureSigningKeys(old, id);
    const now = new Date(old.clock());
    const { prisma } = old.db;
    const mail = {
      id: "acme",
      ownerId: "acme",
      kind: "smtp",
      sealedAddress: old.secrets.seal("mail", "smtp://u:p@mail.test"),
      sender: "a@b",
    };
    await prisma.emailProvider.create({ data: { ...mail, createdAt: now, changedAt: now } });

    expect(await resealSecrets(old)).toBe(0); // there is no older key
    const count = (await listSigningKeyRows(old.db, old.clock())).length + 1;
    expect(await resealSecrets(under(bare, NEW, OLD))).toBe(count);
    expect(await resealSecrets(under(bare, NEW, OLD))).toBe(0);

    const alone = under(bare, NEW);
    for (const { sealedPrivate } of await listSigningKeyRows(old.db, old.clock())) {
      expect(alone.secrets.open("signing-key", sealedPrivate)).toMatch(/^\{.*"d":/);
    }
    const settings = await prisma.emailProvider.findMany();
    expect(settings.map((row) => alone.secrets.open("mail", row.sealedAddress))).toEqual(["smtp://u:p@mail.test"]);
  });

  it("leaves values that no key opens unchanged", async () => {
    const bare = await bareContext(kind);
    await ensureSigningKeys(under(bare, OLD), (await findInstance(bare)).id);
    const before = await listSigningKeyRows(bare.db, bare.clock());
    expect(await resealSecrets(under(bare, NEW, `${NEW} and another`))).toBe(0);
    expect(await listSigningKeyRows(bare.db, bare.clock())).toEqual(before);
  });
});
