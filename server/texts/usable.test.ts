import { pino } from "pino";
import { beforeEach, describe, expect, it } from "vitest";
import { applyBootstrap } from "../bootstrap/apply";
import type { Context } from "../context";
import { changeDirectory } from "../directory/change";
import { findInstance } from "../directory/instance";
import type { MessageType } from "../message-types/table";
import { appliedContext } from "../testing/bare-context";
import { databaseKinds } from "../testing/database";
import { exampleBootstrap } from "../testing/example";
import { builtInText } from "./built-in";
import { explainMessageText } from "./editing/explain-message-text";
import { changeOwnText, replaceOwnText } from "./level/level-text";
import type { MessageTextFields } from "./message-text";
import { readResolvedText } from "./resolve";

const ADA = { actor: "u-ada" };

describe.each(databaseKinds)("stored texts that name foreign addresses, on %s", (kind) => {
  let ctx: Context;
  const lines: { msg: string; fields?: string[] }[] = [];
  beforeEach(async () => {
    lines.length = 0;
    const bare = await appliedContext(kind, exampleBootstrap);
    ctx = { ...bare, log: pino({ level: "warn" }, { write: (line: string) => void lines.push(JSON.parse(line)) }) };
  });

  const store = (ownerId: string, fields: MessageTextFields, type: MessageType = "passwordreset") =>
    changeDirectory(ctx, (ctx) => replaceOwnText({ ...ctx, origin: ADA }, { ownerId, type, language: "en" }, fields));
  const inForce = (type: MessageType = "passwordreset") =>
    readResolvedText(ctx, { type, language: "en", organizationId: "acme" });

  it("are not sent, field by field, and are logged once", async () => {
    const builtIn = builtInText("passwordreset", "en");
    await store("acme", { subject: "Mine", text: "https://evil.test/{{.Code}}", footerText: "See acme.test" });
    for (let again = 0; again < 2; again++) {
      const { subject, text, footerText } = await inForce();
      expect([subject.text, text.text, footerText.text]).toEqual(["Mine", builtIn.text, "See acme.test"]);
    }
    expect(lines).toMatchObject([{ msg: expect.stringContaining("foreign address"), fields: ["text"] }]);
    await store("acme", { text: "https://evil.test/{{.LastEmail}}" }, "domainclaimed");
    expect((await inForce("domainclaimed")).text.layer).toBe("organization");
    for (const type of ["new_device", "password_change"] as const) {
      await store("acme", { text: "https://evil.test/{{.LastEmail}}" }, type);
      expect((await inForce(type)).text.layer).toBe("built_in");
    }
  });

  it("fall back to the instance's text if it names no foreign address", async () => {
    const { id } = await findInstance(ctx);
    await store("acme", { text: "https://evil.test/{{.Code}}" });
    await store(id, { text: "The instance's {{.Code}}" });
    expect((await inForce()).text).toEqual({ text: "The instance's {{.Code}}", layer: "instance" });
    await store(id, { text: "See acme.test {{.Code}}" }); // proven by an organization, not by the instance
    expect((await inForce()).text.layer).toBe("built_in");
  });

  it("count as foreign as soon as the domain is no longer proven", async () => {
    await store("acme", { text: "Help at https://www.acme.test/help.html {{.Code}}" });
    expect((await inForce()).text.layer).toBe("organization");
    await ctx.db.prisma.domain.updateMany({ where: { domain: "acme.test" }, data: { isVerified: false } });
    expect((await inForce()).text.layer).toBe("built_in");
  });

  it("are explained as they are sent, and shown for correction", async () => {
    await store("acme", { text: "https://evil.test/{{.Code}}" });
    const target = { organizationId: "acme", type: "passwordreset", language: "en" } as const;
    const explained = await explainMessageText(ctx, target);
    expect(explained).toMatchObject({
      fields: { text: { layer: "built_in", organization: "https://evil.test/{{.Code}}" } },
    });
  });

  it("do not prevent the start if the file is unchanged, but do if it has changed", async () => {
    const [acme] = exampleBootstrap.organizations;
    const file = (text: string, more: object = {}) => ({
      organizations: [{ ...acme, messageTexts: [{ type: "passwordreset", language: "en", text, ...more }] }],
    });
    await store("acme", { text: "https://evil.test/{{.Code}}" });
    await applyBootstrap(ctx, file("https://evil.test/{{.Code}}"));
    await expect(applyBootstrap(ctx, file("https://evil.test/new {{.Code}}"))).rejects.toThrow(/names no addresses/);
    await applyBootstrap(ctx, file("https://www.acme.test/ {{.Code}}"));
  });
});

describe.each(databaseKinds)("the user answerable for a text, on %s", (kind) => {
  it("is its author, also after the operator changed another field", async () => {
    const ctx = await appliedContext(kind, exampleBootstrap);
    const key = { ownerId: "acme", type: "init", language: "en" } as const;
    const change = (fields: MessageTextFields, actor: string) =>
      changeDirectory(ctx, (ctx) => changeOwnText({ ...ctx, origin: { actor } }, key, fields));
    const answerable = async () => (await ctx.db.prisma.messageText.findFirst({ where: key }))?.changedBy;

    await change({ title: "A" }, "bootstrap");
    expect(await answerable()).toBe(":operator");
    await change({ title: "B" }, "u-ada");
    expect(await answerable()).toBe("u-ada");
    await change({ subject: "B" }, "bootstrap");
    expect(await answerable()).toBe("u-ada");
    await change({ title: "C", subject: "C" }, "bootstrap");
    expect(await answerable()).toBe(":operator");
    await change({ greeting: "D" }, "u-bob");
    expect(await answerable()).toBe("u-bob");
    await changeDirectory(ctx, (ctx) => replaceOwnText({ ...ctx, origin: ADA }, key, { title: "E" }));
    expect(await answerable()).toBe("u-ada");
  });
});
