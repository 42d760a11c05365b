/** A partial file does not change omitted members, and cannot take over existing objects. Rule BOOTSTRAP-2. */
import { generateKeyPairSync } from "node:crypto";
import { describe, expect, it } from "vitest";
import { bareContext } from "../testing/bare-context";
import { ruleDatabases } from "../testing/database";
import { applyBootstrap } from "./apply";

const ada = (members: object) => ({
  organizations: [{ id: "acme", name: "ACME", users: [{ id: "u-ada", userName: "ada", ...members }] }],
});
const pem = () =>
  generateKeyPairSync("ec", { namedCurve: "P-256" }).publicKey.export({ type: "spki", format: "pem" }).toString();

describe.each(ruleDatabases)("bootstrap file: omitted members (%s)", (kind) => {
  it("remain unchanged, including single claims and parts of the address", async () => {
    const ctx = await bareContext(kind);
    const claims = { birthdate: "1815-12-10", website: "https://ada.test" };
    await applyBootstrap(ctx, ada({ claims, address: { locality: "London", country: "UK" } }));
    const half = ada({ claims: { website: "https://ada.example" }, address: { locality: "Ockham" } });
    expect(await applyBootstrap(ctx, half)).toMatchObject({ updated: ["user ada"] });
    expect(await ctx.db.prisma.user.findMany()).toMatchObject([
      {
        claims: { birthdate: "1815-12-10", website: "https://ada.example" },
        address: { locality: "Ockham", country: "UK" },
      },
    ]);
    expect(await applyBootstrap(ctx, half)).toMatchObject({ created: [], updated: [] });
  });

  it("do not make a changed address verified (attack: account takeover by a typing mistake)", async () => {
    const ctx = await bareContext(kind);
    const verified = { email: { email: "ada@acme.test", isEmailVerified: true } };
    const phone = { phone: { phone: "+441234567890", isPhoneVerified: true } };
    await applyBootstrap(ctx, ada({ ...verified, ...phone }));
    await applyBootstrap(ctx, ada({ email: { email: "ada@acme.test" }, phone: { phone: "+441234567890" } }));
    expect(await ctx.db.prisma.user.findMany()).toMatchObject([{ isEmailVerified: true, isPhoneVerified: true }]);
    const other = ada({ email: { email: "eve@acme.test" }, phone: { phone: "+440000000000" } });
    await applyBootstrap(ctx, other);
    expect(await ctx.db.prisma.user.findMany()).toMatchObject([{ isEmailVerified: false, isPhoneVerified: false }]);
    expect(await applyBootstrap(ctx, other)).toMatchObject({ updated: [] });
  });

  it("do not hide that a key of an app has changed", async () => {
    const ctx = await bareContext(kind);
    const file = (publicKey: string) => {
      const oidc = {
        clientId: "m2m",
        authMethodType: "OIDC_AUTH_METHOD_TYPE_PRIVATE_KEY_JWT",
        keys: [{ keyId: "k", publicKey }],
      };
      return { organizations: [{ id: "acme", name: "ACME", projects: [{ name: "P", apps: [{ name: "A", oidc }] }] }] };
    };
    const [old, next] = [pem(), pem()];
    await applyBootstrap(ctx, file(old));
    expect(await applyBootstrap(ctx, file(old))).toMatchObject({ created: [], updated: [] });
    const [before] = await ctx.db.prisma.appKey.findMany();
    expect(await applyBootstrap(ctx, file(next))).toMatchObject({ created: [], updated: ["key k of app A"] });
    const keys = await ctx.db.prisma.appKey.findMany();
    expect(keys).toHaveLength(1);
    expect(keys[0]?.publicJwk).not.toEqual(before?.publicJwk);
  });
});
