import { createLocalJWKSet, decodeProtectedHeader, jwtVerify, SignJWT } from "jose";
import { beforeEach, describe, expect, it } from "vitest";
import { asSystem } from "../events/record";
import type { BareContext } from "../testing/bare-context";
import { databaseKinds } from "../testing/database";
import { contextWithKeys } from "../testing/signing-keys";
import { removeSigningKey } from "./remove-signing-key";
import { rotateSigningKey } from "./rotate-signing-key";
import { listSigningKeys, publicKeys, signingKey } from "./signing-keys";

const origin = { actor: "u-ada" };

describe.each(databaseKinds)("removing a signing key in an emergency on %s", (kind) => {
  let ctx: BareContext;
  beforeEach(async () => {
    ctx = await contextWithKeys(kind);
  });

  const sign = async () => {
    const { kid, privateKey } = await signingKey(ctx);
    return new SignJWT({}).setProtectedHeader({ alg: "RS256", kid }).sign(privateKey);
  };
  const verifies = async (token: string) => {
    const set = createLocalJWKSet({ keys: [...(await publicKeys(ctx))] as never });
    return jwtVerify(token, set).then(
      () => true,
      () => false,
    );
  };
  const keys = async () => (await listSigningKeys(ctx)).filter(({ algorithm }) => algorithm === "RS256");
  const idOf = async (state: string) => (await keys()).find((key) => key.state === state)?.kid ?? "";

  it("lets the waiting key sign at once, and tokens of the removed key are no longer valid", async () => {
    const token = await sign();
    expect(await verifies(token)).toBe(true);
    const [active, next] = [await idOf("active"), await idOf("next")];
    expect(await removeSigningKey({ ...ctx, origin }, active)).toEqual({ algorithm: "RS256", activeKeyId: next });
    expect(await verifies(token)).toBe(false);
    expect(decodeProtectedHeader(await sign()).kid).toBe(next);
    expect((await keys()).map(({ state }) => state).sort()).toEqual(["active", "next"]);
  });

  it("always leaves one key that signs and one that waits, however many are removed", async () => {
    for (let round = 0; round < 4; round++) {
      for (const { kid } of await keys()) await removeSigningKey({ ...ctx, origin }, kid);
      expect((await keys()).map(({ state }) => state).sort()).toEqual(["active", "next"]);
      expect(await verifies(await sign())).toBe(true);
    }
  });

  it("does not let a superseded key sign again", async () => {
    const old = await idOf("active");
    await rotateSigningKey(asSystem(ctx));
    ctx.advance(3_600_000);
    expect(await idOf("retired")).toBe(old);
    const active = await idOf("active");
    await removeSigningKey({ ...ctx, origin }, active);
    expect(decodeProtectedHeader(await sign()).kid).not.toBe(old);
  });

  it("announces another successor if the announced one is removed, and keeps the active key", async () => {
    const active = await idOf("active");
    const { kid } = await rotateSigningKey(asSystem(ctx));
    expect(await removeSigningKey({ ...ctx, origin }, kid)).toEqual({ algorithm: "RS256", activeKeyId: active });
    expect(decodeProtectedHeader(await sign()).kid).toBe(active);
    ctx.advance(3_600_000);
    expect([active, kid]).not.toContain(decodeProtectedHeader(await sign()).kid);
    expect(await keys()).toHaveLength(3);
  });

  it("records who rotated and who removed keys, and reports an unknown key", async () => {
    const { kid } = await rotateSigningKey({ ...ctx, origin }, "ES256");
    await removeSigningKey({ ...ctx, origin }, kid);
    expect(await removeSigningKey({ ...ctx, origin }, kid)).toBeUndefined();
    const where = { type: { startsWith: "instance.signing_key" } };
    const events = await ctx.db.prisma.event.findMany({ where, orderBy: { position: "asc" } });
    expect(events).toMatchObject([
      { type: "instance.signing_key.rotated", actor: "u-ada", payload: { algorithm: "ES256", keyId: kid } },
      { type: "instance.signing_key.removed", actor: "u-ada", payload: { algorithm: "ES256", keyId: kid } },
    ]);
  });
});
