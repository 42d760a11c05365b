import { describe, expect, it } from "vitest";
import type { Context } from "../context";
import { asSystem } from "../events/record";
import { signingAlgorithms } from "../protocol/client";
import { connect } from "../storage/engine/connect";
import { bareContext } from "../testing/bare-context";
import { databaseKinds, testDatabaseUrl } from "../testing/database";
import { contextWithKeys, ensureKeys } from "../testing/signing-keys";
import { KEY_LIFETIME, maintainSigningKeys, rotateSigningKey } from "./rotate-signing-key";
import { KEY_SET_CACHE_TIME, listSigningKeys, publicKeys, signingKey } from "./signing-keys";

const HOUR = 3_600_000;

/** Returns how many RS256 keys wait, sign and only verify. */
const states = async (ctx: Context) => {
  const keys = (await listSigningKeys(ctx)).filter(({ algorithm }) => algorithm === "RS256");
  const count = (state: string) => keys.filter((key) => key.state === state).length;
  return { next: count("next"), active: count("active"), retired: count("retired") };
};

describe.each(databaseKinds)("rotation of signing keys on %s", (kind) => {
  it("publishes the next key before it signs, for long enough that every cache has it", async () => {
    const ctx = await contextWithKeys(kind);
    const before = await signingKey(ctx);
    const { kid, activeFrom } = await rotateSigningKey(asSystem(ctx));
    expect(activeFrom).toBeGreaterThanOrEqual(ctx.clock() + KEY_SET_CACHE_TIME);
    expect((await signingKey(ctx)).kid).toBe(before.kid);
    expect((await publicKeys(ctx)).map((key) => key.kid)).toContain(kid);
    ctx.advance(activeFrom - ctx.clock());
    expect((await signingKey(ctx)).kid).toBe(kid);
  });

  it("switches at once to a key that has waited long enough, and publishes the one after it", async () => {
    const ctx = await contextWithKeys(kind);
    ctx.advance(HOUR);
    const { kid } = await rotateSigningKey(asSystem(ctx));
    expect((await signingKey(ctx)).kid).toBe(kid);
    expect(await states(ctx)).toEqual({ next: 1, active: 1, retired: 1 });
  });

  it("rotates every algorithm by age, and not earlier", async () => {
    const ctx = await contextWithKeys(kind);
    const before = (await publicKeys(ctx)).length;
    ctx.advance(KEY_LIFETIME - 1);
    await maintainSigningKeys(ctx);
    expect((await publicKeys(ctx)).length).toBe(before);
    const old = await signingKey(ctx, "ES256");
    ctx.advance(1);
    await maintainSigningKeys(ctx);
    expect((await signingKey(ctx, "ES256")).kid).not.toBe(old.kid);
    expect((await publicKeys(ctx)).length).toBe(before + signingAlgorithms.length);
    await maintainSigningKeys(ctx);
    expect((await publicKeys(ctx)).length).toBe(before + signingAlgorithms.length);
  });

  it("creates one new key when two instances rotate at once", async () => {
    const url = await testDatabaseUrl(kind);
    const first = await connect(url, { poolSize: 3 });
    // An embedded database serves one process: there, two calls at once.
    const second = kind === "sqlite" ? first : await connect(url, { poolSize: 3 });
    try {
      const ctx = await bareContext(kind);
      const [one, two] = [first, second].map((db) => ({ ...ctx, db }));
      if (!one || !two) throw new Error("no databases");
      await ensureKeys(one);
      await signingKey(two);
      ctx.advance(KEY_LIFETIME);
      await Promise.all([maintainSigningKeys(one), maintainSigningKeys(two)]);
      ctx.advance(1); // a copy that was read at this very instant counts as fresh
      expect(await states(one)).toEqual({ next: 1, active: 1, retired: 1 });
      expect(await listSigningKeys(two)).toEqual(await listSigningKeys(one));
    } finally {
      for (const database of new Set([first, second])) await database.close();
    }
  });

  it("keeps a retired key until its last token has expired, by the longest lifetime of any app", async () => {
    const ctx = await contextWithKeys(kind);
    const at = new Date(ctx.clock());
    await ctx.db.prisma.organization.create({ data: { id: "o", name: "O", state: "active", createdAt: at } });
    const project = { id: "p", organizationId: "o", name: "P", state: "active", createdAt: at };
    await ctx.db.prisma.project.create({ data: project });
    const app = { id: "a", projectId: "p", name: "A", state: "active", kind: "oidc", clientId: "a" };
    const settings = { idTokenLifetime: "3d" };
    await ctx.db.prisma.app.create({ data: { ...app, settings, createdAt: at, changedAt: at } });
    const old = await signingKey(ctx);
    ctx.advance(HOUR);
    const { activeFrom } = await rotateSigningKey(asSystem(ctx));
    const isPublished = async () => (await publicKeys(ctx)).some(({ kid }) => kid === old.kid);
    ctx.advance(activeFrom + 72 * HOUR - ctx.clock());
    await maintainSigningKeys(ctx);
    expect(await isPublished()).toBe(true);
    ctx.advance(HOUR);
    await maintainSigningKeys(ctx);
    expect(await isPublished()).toBe(false);
    expect(await ctx.db.prisma.signingKey.findUnique({ where: { id: old.kid } })).toBeNull();
  });
});
