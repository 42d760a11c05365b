import { describe, expect, it } from "vitest";
import { openProvider } from "../directory/provider/provider";
import { bareContext } from "../testing/bare-context";
import { ruleDatabases } from "../testing/database";
import { applyBootstrap } from "./apply";

const KEY = `whsec_${"A".repeat(43)}=`;
const TWILIO = { sid: "AC1", token: "s3cret", senderNumber: "+15550001111" };
const ours = { description: "Ours", active: true, http: { endpoint: "https://hook.acme.test/sms", signingKey: KEY } };
const file = (ofService: object[], ofAcme: object[] = []) => ({
  instance: { smsProviders: ofService },
  organizations: [{ id: "acme", name: "ACME", smsProviders: ofAcme }],
});

describe.each(ruleDatabases)("bootstrap file: providers of text messages (%s)", (kind) => {
  it("are added, updated if they differ, and used; secrets may be omitted afterwards", async () => {
    const ctx = await bareContext(kind);
    const both = file([{ description: "Twilio", active: true, twilio: TWILIO }], [ours]);
    const { created } = await applyBootstrap(ctx, both);
    expect(created.filter((line) => line.startsWith("SMS provider"))).toHaveLength(2);
    expect(await applyBootstrap(ctx, both)).toMatchObject({ created: [], updated: [] });
    const { token: _, ...without } = TWILIO;
    const rotated = file([{ description: "Twilio", twilio: { ...TWILIO, token: "another" } }]);
    expect(await applyBootstrap(ctx, rotated)).toMatchObject({ updated: [] });
    const changed = file([{ description: "Twilio", twilio: { ...without, senderNumber: "ACME" } }], [ours]);
    expect((await applyBootstrap(ctx, changed)).updated).toEqual([expect.stringContaining("SMS provider Twilio")]);
    const rows = await ctx.db.prisma.smsProvider.findMany({ orderBy: { kind: "desc" } });
    expect(rows.map((row) => [row.activeFor === row.ownerId, row.sender, openProvider(ctx, row)?.address])).toEqual([
      [true, "ACME", { kind: "twilio", baseUrl: "https://api.twilio.com", sid: "AC1", token: "s3cret" }],
      [true, "", { kind: "http", endpoint: "https://hook.acme.test/sms", signingKey: KEY }],
    ]);
    expect(JSON.stringify(await ctx.db.prisma.event.findMany())).not.toMatch(/s3cret|whsec_/);
  });

  it.each([
    ["no secret", [{ description: "A", twilio: { ...TWILIO, token: undefined } }], ".twilio.token: is required"],
    ["no key", [{ description: "A", http: { endpoint: "https://a.test" } }], ".http.signingKey: is required"],
    ["an inward address", [{ ...ours, http: { ...ours.http, endpoint: "https://10.0.0.1" } }], ".http.endpoint: "],
    ["neither kind", [{ description: "A" }], ': needs either "twilio" or "http"'],
    ["both kinds", [{ ...ours, twilio: TWILIO }], ': needs either "twilio" or "http"'],
  ])("are refused with %s, and nothing is changed", async (_, providers, reason) => {
    const ctx = await bareContext(kind);
    await expect(applyBootstrap(ctx, file(providers))).rejects.toThrow(`instance.smsProviders[0]${reason}`);
    expect(await ctx.db.prisma.smsProvider.count()).toBe(0);
  });

  it("must have unique descriptions, and only one may be active", async () => {
    const ctx = await bareContext(kind);
    const applied = applyBootstrap(ctx, file([ours, ours]));
    await expect(applied).rejects.toThrow("instance.smsProviders[1].description");
    await expect(applied).rejects.toThrow("instance.smsProviders[1].active");
  });
});
