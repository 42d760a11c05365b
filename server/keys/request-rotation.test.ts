import { createLocalJWKSet, decodeProtectedHeader, jwtVerify, SignJWT } from "jose";
import { describe, expect, it } from "vitest";
import { isApiError } from "../protocol/api-error";
import type { BareContext } from "../testing/bare-context";
import { databaseKinds } from "../testing/database";
import { contextWithKeys } from "../testing/signing-keys";
import { createSigningKey, MAX_WAITING } from "./create-signing-key";
import { removeSigningKey } from "./remove-signing-key";
import { activateKey, requestRotation } from "./request-rotation";
import { listSigningKeys, publicKeys, signingKey } from "./signing-keys";

const origin = { actor: "u-ada" };
const HOUR = 3_600_000;

describe.each(databaseKinds)("signing keys that administrators create and choose, on %s", (kind) => {
  async function made(ctx: BareContext): Promise<string> {
    const key = await createSigningKey({ ...ctx, origin }, "RS256");
    if (isApiError(key)) throw new Error(key.message);
    return key.kid;
  }
  const waiting = async (ctx: BareContext) =>
    (await listSigningKeys(ctx)).filter(({ algorithm, state }) => algorithm === "RS256" && state === "next").length;
  const slug = (outcome: object) => ("id" in outcome ? outcome.id : "done");

  it("sign ten minutes after their publication at the earliest", async () => {
    const ctx = await contextWithKeys(kind);
    ctx.advance(HOUR);
    const before = (await signingKey(ctx)).kid;
    const kid = await made(ctx);
    expect((await publicKeys(ctx)).map((key) => key.kid)).toContain(kid);
    const now = ctx.clock();
    expect(await activateKey({ ...ctx, origin }, kid)).toEqual({ kid, activeFrom: now + 600_000 });
    expect((await signingKey(ctx)).kid).toBe(before);
    ctx.advance(600_000);
    expect((await signingKey(ctx)).kid).toBe(kid);
    expect(await activateKey({ ...ctx, origin }, kid)).toEqual({ kid, activeFrom: now + 600_000 });
    expect(await waiting(ctx)).toBe(1); // no key was created in addition to the one that waited
    expect(slug(await activateKey({ ...ctx, origin }, before))).toBe("web_key.superseded");
    expect(slug(await activateKey({ ...ctx, origin }, "nobody's"))).toBe("web_key.not_found");
  });

  it("cannot be rotated while one is announced, however it was announced", async () => {
    const ctx = await contextWithKeys(kind);
    const kid = await made(ctx);
    expect(slug(await requestRotation({ ...ctx, origin }, "RS256"))).toBe("done");
    expect(slug(await requestRotation({ ...ctx, origin }, "RS256"))).toBe("web_key.rotation_under_way");
    expect(slug(await activateKey({ ...ctx, origin }, kid))).toBe("web_key.rotation_under_way");
    expect(slug(await requestRotation({ ...ctx, origin }, "ES256"))).toBe("done");
  });

  it("are activated one at a time, even if requested at once", async () => {
    const ctx = await contextWithKeys(kind);
    const [first, second] = [await made(ctx), await made(ctx)];
    const ways = [
      () => activateKey({ ...ctx, origin }, first),
      () => activateKey({ ...ctx, origin }, second),
      () => requestRotation({ ...ctx, origin }, "RS256"),
    ];
    const outcomes = await Promise.all(ways.map((way) => way()));
    expect(outcomes.map(slug).sort()).toEqual(["done", "web_key.rotation_under_way", "web_key.rotation_under_way"]);
  });

  it("are in the key set while they are created, activated and superseded, but not after their removal", async () => {
    const ctx = await contextWithKeys(kind);
    const sign = async () => {
      const { kid, privateKey } = await signingKey(ctx);
      return new SignJWT({}).setProtectedHeader({ alg: "RS256", kid }).sign(privateKey);
    };
    const verifies = async (token: string) =>
      jwtVerify(token, createLocalJWKSet({ keys: [...(await publicKeys(ctx))] })).then(
        () => true,
        () => false,
      );
    const before = await sign();
    const kid = await made(ctx);
    await activateKey({ ...ctx, origin }, kid);
    ctx.advance(600_000);
    const after = await sign();
    expect(decodeProtectedHeader(after).kid).toBe(kid);
    expect(await Promise.all([before, after].map(verifies))).toEqual([true, true]);
    await removeSigningKey({ ...ctx, origin }, kid);
    expect(await Promise.all([before, after].map(verifies))).toEqual([true, false]);
    expect(await verifies(await sign())).toBe(true);
  });

  it("are created on rotation if none waits, and follow as soon as every cache can know them", async () => {
    const ctx = await contextWithKeys(kind);
    ctx.advance(HOUR);
    await ctx.db.prisma.signingKey.deleteMany({ where: { algorithm: "RS256", activeFrom: null } });
    const turn = await requestRotation({ ...ctx, origin }, "RS256");
    expect(turn).toMatchObject({ activeFrom: ctx.clock() + 600_000 });
    expect(await waiting(ctx)).toBe(1);
    ctx.advance(600_000);
    expect(turn).toMatchObject({ kid: (await signingKey(ctx)).kid });
  });

  it("are limited in number", async () => {
    const ctx = await contextWithKeys(kind);
    const outcomes: string[] = [];
    for (let n = 0; n < MAX_WAITING; n++)
      outcomes.push(String(slug(await createSigningKey({ ...ctx, origin }, "RS256"))));
    expect(outcomes).toEqual([...Array(MAX_WAITING - 1).fill("done"), "web_key.too_many"]);
    expect(await waiting(ctx)).toBe(MAX_WAITING);
  });
});
