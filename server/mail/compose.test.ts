import { beforeAll, describe, expect, it } from "vitest";
import { changeDirectory } from "../directory/change";
import type { Message } from "../events/record";
import { accountExistsAlready, accountExistsUnverified } from "../message-types/account-exists";
import { passwordReset } from "../message-types/passwordreset";
import { MESSAGE_TYPES } from "../message-types/table";
import { registrationCode } from "../message-types/verifyemail";
import { appliedContext, type BareContext } from "../testing/bare-context";
import { ruleDatabases } from "../testing/database";
import { exampleBootstrap } from "../testing/example";
import { changeOwnText } from "../texts/level/level-text";
import { opensAccount } from "../texts/variables";
import { composeMessage, type MessageWanted } from "./compose";

const person = (id: string, more: object = {}) => ({ id, userName: id, ...more });
const bootstrap = {
  organizations: [
    ...exampleBootstrap.organizations,
    {
      id: "bistro",
      name: "Le <Bistro>",
      defaultLanguage: "fr",
      domains: [{ domain: "bistro.test", verified: true, primary: true }],
      users: [
        person("nameless"),
        person("hans", { profile: { firstName: "Hans", lastName: "Müller", preferredLanguage: "de-CH" } }),
        person("amal", {
          profile: { displayName: "أمل", preferredLanguage: "ar" },
          claims: { zoneinfo: "Asia/Amman" },
        }),
      ],
    },
  ],
};

describe.each(ruleDatabases)("composing a message, on %s", (kind) => {
  let ctx: BareContext;
  beforeAll(async () => {
    ctx = await appliedContext(kind, bootstrap);
  });

  async function compose(wanted: MessageWanted) {
    const composed = await composeMessage(ctx, wanted);
    if (typeof composed === "string") throw new Error(composed);
    return composed;
  }

  it("uses the user's language, else the organization's, else the instance's", async () => {
    const language = async (userId: string) => (await compose({ type: "password_change", userId })).language;
    expect([await language("hans"), await language("nameless"), await language("u-bob")]).toEqual(["de", "fr", "en"]);
    const { html } = await compose({ type: "password_change", userId: "amal" });
    expect(html).toContain('<html dir="rtl" lang="ar">');
    expect(html).toContain("<bdi>أمل</bdi>");
  });

  it("greets by display name, else by first and last name, else by login name", async () => {
    const text = async (userId: string) => (await compose({ type: "password_change", userId })).text;
    expect(await text("u-ada")).toContain("Hello Ada Lovelace,");
    expect(await text("hans")).toContain("Guten Tag Hans Müller,");
    expect(await text("nameless")).toContain("Bonjour nameless@bistro.test,");
  });

  it.each(MESSAGE_TYPES)("%s: names the service's host if it opens an account, as a preview does", async (type) => {
    const sent = await compose({ type, userId: "u-ada", isTest: true, language: "en" });
    const shown = await compose({ type, organizationId: "bistro", language: "en", withSamples: true });
    const line = `Only ever enter codes at ${new URL(ctx.config.baseUrl).host}`;
    for (const { text } of [sent, shown]) expect(text.includes(line)).toBe(opensAccount(type));
    for (const { html } of [sent, shown]) expect(html.includes("Only ever enter codes at")).toBe(opensAccount(type));
  });

  it("links to the console for managers, else to the user's account", async () => {
    const link = async (userId: string, payload = {}) => {
      const { html } = await compose({ type: "domainclaimed", userId, payload });
      return /href="([^"]*\/(?:console|account)[^"]*)"/.exec(html)?.[1]?.replace(ctx.config.baseUrl, "");
    };
    const payload = { temporaryUserName: "hans+1@x.test", domain: "x.test" };
    expect([await link("u-ada"), await link("hans"), await link("hans", payload)]).toEqual([
      "/console",
      "/account",
      "/account?login_hint=hans%2B1%40x.test",
    ]);
  });

  it("does not turn an organization's name into a link", async () => {
    const organization = { where: { id: "bistro" } };
    await ctx.db.prisma.organization.update({ ...organization, data: { name: "https://x.test evil.test" } });
    const { text, html } = await compose({ type: "passwordreset", userId: "hans" });
    await ctx.db.prisma.organization.update({ ...organization, data: { name: "Le <Bistro>" } });
    expect(`${text} ${html}`).not.toMatch(/x\.test|evil\.test/);
    expect(text).toContain("evil.\u200btest");
  });

  it("uses the texts of the recipient's organization, escapes them, and shows the sender's name", async () => {
    await changeDirectory(ctx, (ctx) =>
      changeOwnText(
        { ...ctx, origin: { actor: "system" } },
        { ownerId: "bistro", type: "password_change", language: "fr" },
        { text: "Un <b>mot</b> {{ .UserName }}.\n\nFin" },
      ),
    );
    const { html, text, subject } = await compose({ type: "password_change", userId: "nameless" });
    expect(text).toContain("\n\nUn <b>mot</b> nameless.\n\nFin\n\n");
    expect(html).toContain("Un &lt;b&gt;mot&lt;/b&gt; <bdi>nameless</bdi>.</p>");
    expect(html).toContain("<bdi>Le &lt;Bistro&gt;</bdi>");
    expect(subject).toBe("Votre mot de passe a été modifié");
    expect((await compose({ type: "password_change", userId: "u-bob", language: "fr" })).text).not.toContain("Fin");
  });

  it("links to BASE_URL and nowhere else", async () => {
    const ada = { id: "u-ada", organizationId: "acme", email: "ada@acme.test", isEmailVerified: true };
    for (const path of ["@evil.test/", "https://evil.test", "//evil.test", "/ok?code=1"]) {
      const [message] = passwordReset(ctx, ada, { code: "K7M4PX2Q", path, expiresAt: ctx.clock() + 60_000 });
      const composed = await compose({ type: "passwordreset", userId: "u-ada", payload: message?.payload });
      const links = [...composed.html.matchAll(/href="([^"]+)"/g)].map(([, href]) => href ?? "");
      for (const link of links) expect(new URL(link).origin).toBe("https://id.example.com");
      expect(links.length > 0).toBe(path.startsWith("/"));
    }
  });

  it("offers a new password below a button that signs in, if the user was registering and the address is verified", async () => {
    const ada = { id: "u-ada", organizationId: "acme", email: "ada@acme.test", isEmailVerified: true };
    const code = { code: "K7M4PX2Q", path: "/login/reset-password?token=x", expiresAt: ctx.clock() + 60_000 };
    const composed = ([message]: Message[]) =>
      compose({ type: "account_exists", userId: "u-ada", payload: message?.payload, expiresAt: code.expiresAt });
    const known = await composed(accountExistsAlready(ctx, ada, "ada@acme.test", code));
    expect(known.templateData.url).toBe("https://id.example.com/console?login_hint=ada%40acme.test");
    expect(known.text).toMatch(
      /Set a new one with this code: K7M4PX2Q\n\nSet a new password\nhttps:\/\/id\.example\.com\/login\/reset-password\?token=x\n/,
    );
    const withoutCode = await composed(accountExistsAlready(ctx, ada, "ada@acme.test"));
    const unverified = await composed(accountExistsUnverified(ctx, ada, "ada@acme.test", code));
    expect(withoutCode.templateData.url).toBe(known.templateData.url);
    expect(unverified.templateData.url).toBe("https://id.example.com/login/reset-password?token=x");
    for (const { text } of [withoutCode, unverified]) expect(text).not.toMatch(/K7M4PX2Q|Set a new password/);
  });

  it("states the expiry of a code in the user's time zone and language", async () => {
    const sealed = ctx.secrets.seal("mail", JSON.stringify({ code: "1", path: "/x" }));
    const wanted = { type: "verifyemail", payload: { sealed }, expiresAt: Date.UTC(2030, 5, 1, 12) } as const;
    expect((await compose({ ...wanted, userId: "hans" })).text).toContain("Gültig bis: 1. Juni 2030 um 12:00 UTC");
    expect((await compose({ ...wanted, userId: "u-ada" })).text).toMatch(/Valid until: June 1, 2030 at 1:00 PM GMT\+1/);
    expect((await compose({ type: "password_change", userId: "hans", expiresAt: 1 })).text).not.toContain("Gültig bis");
  });

  it("addresses a user who has no account yet", async () => {
    const registrant = { email: "new@home.test", firstName: "Nadia", lastName: "Neu", preferredLanguage: "de" };
    const code = { code: "K7M4PX2Q", path: "/login/verify-email", expiresAt: ctx.clock() + 60_000 };
    const [message] = registrationCode(ctx, registrant, "bistro", code);
    expect(message).toMatchObject({ recipient: "new@home.test", organizationId: "bistro", userId: undefined });
    const { text, language } = await compose({
      type: "verifyemail",
      organizationId: "bistro",
      payload: message?.payload,
    });
    expect(language).toBe("de");
    expect(text).toMatch(/Guten Tag Nadia Neu,[\s\S]*new@home\.test[\s\S]*K7M4PX2Q[\s\S]*Le <Bistro>/);
  });

  it("previews unsaved texts with samples, without a recipient", async () => {
    const fields = { subject: "Hi {{.FirstName}} {{.Code}}", greeting: "" };
    const { subject, text } = await compose({ type: "passwordreset", language: "en", fields });
    expect(subject).toBe("Hi Ada K7M4-PX2Q");
    expect(text).toContain("Hello Ada Lovelace,");
    expect(text).toMatch(/Mar(ch)? 14, 2025/); // real messages state their expiry
    const trial = await compose({ type: "invite_user", userId: "u-bob", isTest: true });
    expect(trial.subject).toBe("[Test] Your invitation to Acme Portal");
    expect(trial.text).toContain("Hello Bob Builder,");
  });

  it("composes no message for a deleted user or a removed key", async () => {
    expect(await composeMessage(ctx, { type: "password_change", userId: "gone" })).toBe("no such user");
    const wanted = { type: "verifyemail", userId: "u-ada", payload: { sealed: "AAAA" } } as const;
    expect(await composeMessage(ctx, wanted)).toBe("code sealed with an unknown key");
  });
});
