import { describe, expect, it } from "vitest";
import { openProvider } from "../directory/provider/provider";
import { bareContext } from "../testing/bare-context";
import { ruleDatabases } from "../testing/database";
import { applyBootstrap } from "./apply";

const KEY = `whsec_${"A".repeat(43)}=`;
const SMTP = { host: "mail.acme.test:587", tls: true, user: "ada", password: "s3cret", senderAddress: "id@acme.test" };
const hook = { description: "Hook", http: { endpoint: "https://hook.acme.test/mail", signingKey: KEY } };
const file = (ofService: object[], ofAcme: object[] = []) => ({
  instance: { emailProviders: ofService },
  organizations: [{ id: "acme", name: "ACME", emailProviders: ofAcme }],
});

describe.each(ruleDatabases)("bootstrap file: providers of mails (%s)", (kind) => {
  it("are added, updated if they differ, and used; secrets may be omitted afterwards", async () => {
    const ctx = await bareContext(kind);
    const both = file([{ description: "Relay", active: true, smtp: SMTP }], [{ ...hook, active: true }]);
    const { created } = await applyBootstrap(ctx, both);
    expect(created.filter((line) => line.startsWith("mail provider"))).toHaveLength(2);
    expect(await applyBootstrap(ctx, both)).toMatchObject({ created: [], updated: [] });
    const { password: _, ...without } = SMTP;
    const rotated = file([{ description: "Relay", smtp: { ...SMTP, password: "another" } }]);
    expect(await applyBootstrap(ctx, rotated)).toMatchObject({ updated: [] });
    const changed = file([{ description: "Relay", smtp: { ...without, senderName: "ACME" } }]);
    expect((await applyBootstrap(ctx, changed)).updated).toEqual([expect.stringContaining("mail provider Relay")]);
    const rows = await ctx.db.prisma.emailProvider.findMany({ orderBy: { kind: "desc" } });
    expect(rows.map((row) => [row.activeFor === row.ownerId, openProvider(ctx, row)])).toMatchObject([
      [
        true,
        {
          address: { kind: "smtp", smtpUrl: expect.stringContaining("ada:s3cret@mail.acme.test:587") },
          sender: "ACME <id@acme.test>",
        },
      ],
      [true, { address: { kind: "http", endpoint: "https://hook.acme.test/mail", signingKey: KEY } }],
    ]);
    expect(JSON.stringify(await ctx.db.prisma.event.findMany())).not.toMatch(/s3cret|whsec_/);
    const elsewhere = file([{ description: "Relay", smtp: { ...without, host: "mail.evil.test" } }]);
    await expect(applyBootstrap(ctx, elsewhere)).rejects.toThrow("instance.emailProviders[0].smtp.password: ");
  });

  it.each([
    ["no key", [{ description: "A", http: { endpoint: "https://a.test" } }], ".http.signingKey: is required"],
    ["an inward address", [{ ...hook, http: { ...hook.http, endpoint: "https://10.0.0.1" } }], ".http.endpoint: "],
    ["a port of no mail server", [{ description: "A", smtp: { ...SMTP, host: "mail.test:22" } }], ".smtp.host: "],
    ["neither kind", [{ description: "A" }], ': needs either "smtp" or "http"'],
    ["both kinds", [{ ...hook, smtp: SMTP }], ': needs either "smtp" or "http"'],
  ])("are refused with %s, and nothing is changed", async (_, providers, reason) => {
    const ctx = await bareContext(kind);
    await expect(applyBootstrap(ctx, file(providers))).rejects.toThrow(`instance.emailProviders[0]${reason}`);
    expect(await ctx.db.prisma.emailProvider.count()).toBe(0);
  });

  it("must have unique descriptions, and only one may be active", async () => {
    const ctx = await bareContext(kind);
    const active = { ...hook, active: true };
    const applied = applyBootstrap(ctx, file([active, active]));
    await expect(applied).rejects.toThrow("instance.emailProviders[1].description");
    await expect(applied).rejects.toThrow("instance.emailProviders[1].active");
  });
});
