import { decodeProtectedHeader, importJWK, type JWK, jwtVerify, SignJWT } from "jose";
import { describe, expect, it } from "vitest";
import { bareContext } from "../testing/bare-context";
import { databaseKinds } from "../testing/database";
import { contextWithKeys, ensureKeys } from "../testing/signing-keys";
import { KEY_SET_CACHE_TIME, publicKeys, signingKey } from "./signing-keys";

const HOUR = 3_600_000;

describe.each(databaseKinds)("signing keys (RFC 7517, RFC 7518, RFC 8037) on %s", (kind) => {
  it("creates a signing and a waiting key of every algorithm once, and publishes RS256 first", async () => {
    const ctx = await contextWithKeys(kind);
    await ensureKeys(ctx);
    const keys = await publicKeys(ctx);
    expect(keys.map(({ alg, kty, crv }) => [alg, kty, crv].filter(Boolean).join(" "))).toEqual([
      "RS256 RSA",
      "RS256 RSA",
      "ES256 EC P-256",
      "ES256 EC P-256",
      "EdDSA OKP Ed25519",
      "EdDSA OKP Ed25519",
      "PS256 RSA",
      "PS256 RSA",
    ]);
    for (const key of keys) {
      expect(key).toMatchObject({ use: "sig", kid: expect.stringMatching(/^[\w-]{36}$/) });
      for (const secret of ["d", "p", "q", "dp", "dq", "qi", "k"]) expect(key).not.toHaveProperty(secret);
    }
    expect(new Set(keys.map(({ kid }) => kid)).size).toBe(8);
  });

  it("publishes the last copy while the database is unavailable, for as long as clients may keep it", async () => {
    const ctx = await contextWithKeys(kind);
    const keys = await publicKeys(ctx);
    const { all } = ctx.db;
    ctx.db.all = () => Promise.reject(Object.assign(new Error("connect"), { code: "ECONNREFUSED" }));
    ctx.advance(KEY_SET_CACHE_TIME);
    expect(await publicKeys(ctx)).toEqual(keys);
    expect(await publicKeys(ctx)).toEqual(keys);
    await expect(signingKey(ctx)).rejects.toThrow("connect");
    ctx.advance(1);
    await expect(publicKeys(ctx)).rejects.toThrow("connect");
    ctx.db.all = all;
    expect(await publicKeys(ctx)).toEqual(keys);
  });

  it("signs with the first key if the clock was ahead when it was created", async () => {
    const ctx = await contextWithKeys(kind);
    const { kid } = await signingKey(ctx);
    ctx.advance(-2 * HOUR);
    await ensureKeys(ctx);
    expect((await signingKey({ ...ctx, db: { ...ctx.db } })).kid).toBe(kid);
  });

  it("creates a new key each time, with RSA keys of 2048 bits", async () => {
    const { keyPair: _, ...ctx } = await bareContext(kind);
    await ensureKeys(ctx);
    const keys = await publicKeys(ctx);
    expect(keys.flatMap(({ n }) => n ?? []).map((n) => Buffer.from(n, "base64url").length * 8)).toEqual(
      Array(4).fill(2048),
    );
    expect(new Set(keys.map(({ n, x }) => n ?? x)).size).toBe(8);
  });

  it("creates one set of keys when two instances start at once", async () => {
    const ctx = await bareContext(kind);
    await Promise.all([ensureKeys(ctx), ensureKeys({ ...ctx, db: { ...ctx.db } })]);
    expect(await ctx.db.prisma.signingKey.count()).toBe(8);
  });

  it("produces signatures that the published key verifies, with each algorithm", async () => {
    const ctx = await contextWithKeys(kind);
    for (const algorithm of ["RS256", "ES256", "EdDSA", "PS256"] as const) {
      const { kid, privateKey } = await signingKey(ctx, algorithm);
      const token = await new SignJWT({}).setProtectedHeader({ alg: algorithm, kid }).sign(privateKey);
      const published = (await publicKeys(ctx)).find((key) => key.kid === decodeProtectedHeader(token).kid);
      await jwtVerify(token, await importJWK(published as JWK, algorithm));
    }
  });

  it("refuses to start with another SECRET_KEY", async () => {
    const ctx = await contextWithKeys(kind);
    const secrets = { ...ctx.secrets, open: () => undefined };
    await expect(signingKey({ ...ctx, db: { ...ctx.db }, secrets })).rejects.toThrow("SECRET_KEY does not open");
  });
});
