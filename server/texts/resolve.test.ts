import { beforeAll, describe, expect, it } from "vitest";
import { changeDirectory } from "../directory/change";
import { findInstance } from "../directory/instance";
import { addOrganization } from "../directory/organization/organization";
import { asBound, type StatementCall } from "../storage/portable-sql";
import { type BareContext, bareContext } from "../testing/bare-context";
import { databaseKinds } from "../testing/database";
import { builtInText } from "./built-in";
import { changeOwnText } from "./level/level-text";
import type { MessageTextFields } from "./message-text";
import { readResolvedText, resolveLanguage } from "./resolve";

const SYSTEM = { actor: "system" };

describe.each(databaseKinds)("the text in force (rule TEXT-1), on %s", (kind) => {
  let ctx: BareContext;
  beforeAll(async () => {
    ctx = await bareContext(kind);
    await changeDirectory(ctx, async (ctx) => {
      await addOrganization({ ...ctx, origin: SYSTEM }, { id: "acme", name: "ACME", defaultLanguage: "fr" });
      await addOrganization({ ...ctx, origin: SYSTEM }, { id: "plain", name: "Plain" });
      await addOrganization({ ...ctx, origin: SYSTEM }, { id: "odd", name: "Odd", defaultLanguage: "tlh" });
    });
  });

  const set = (ownerId: string, fields: MessageTextFields, language = "en" as const) =>
    changeDirectory(ctx, (ctx) =>
      changeOwnText({ ...ctx, origin: SYSTEM }, { ownerId, type: "password_change", language }, fields),
    );
  const wanted = (organizationId?: string) => ({ type: "password_change", language: "en", organizationId }) as const;

  it("falls back field by field: organization, instance, built-in", async () => {
    const builtIn = builtInText("password_change", "en");
    const { id } = await findInstance(ctx);
    await set(id, { subject: "Instance", title: "Instance" });
    await set("acme", { subject: "ACME", greeting: "" });
    expect(await readResolvedText(ctx, wanted("acme"))).toEqual({
      title: { text: "Instance", layer: "instance" },
      preHeader: { text: builtIn.preHeader, layer: "built_in" },
      subject: { text: "ACME", layer: "organization" },
      greeting: { text: builtIn.greeting, layer: "built_in" },
      text: { text: builtIn.text, layer: "built_in" },
      buttonText: { text: builtIn.buttonText, layer: "built_in" },
      footerText: { text: builtIn.footerText, layer: "built_in" },
    });
    expect((await readResolvedText(ctx, wanted("plain"))).subject).toEqual({ text: "Instance", layer: "instance" });
    expect((await readResolvedText(ctx, wanted())).subject).toEqual({ text: "Instance", layer: "instance" });
    const german = await readResolvedText(ctx, { ...wanted("acme"), language: "de" });
    expect(german.subject).toEqual({ text: builtInText("password_change", "de").subject, layer: "built_in" });
  });

  it("reflects every acknowledged change at once, also by another process", async () => {
    await readResolvedText(ctx, wanted("acme"));
    await set("acme", { subject: "Changed" });
    expect((await readResolvedText(ctx, wanted("acme"))).subject.text).toBe("Changed");
    await ctx.db.prisma.messageText.updateMany({ where: { ownerId: "acme" }, data: { subject: "Elsewhere" } });
    expect((await readResolvedText(ctx, wanted("acme"))).subject.text).toBe("Elsewhere");
  });

  it("takes one query with two primary key look-ups, however many organizations have texts", async () => {
    const rows = Array.from({ length: 2_000 }, (_, n) => ({
      ownerId: `org-${n}`,
      type: "password_change",
      language: "en",
      subject: `Subject ${n}`,
      createdAt: new Date(0),
      changedAt: new Date(0),
    }));
    await ctx.db.prisma.messageText.createMany({ data: rows });
    if (kind === "postgresql") await ctx.db.run(`ANALYZE "MessageText"`, []);
    let statement = "";
    await readResolvedText(
      {
        ...ctx,
        db: {
          ...ctx.db,
          all: <Row>(...asked: StatementCall<Row>) => {
            const bound = asBound(...asked);
            statement += bound.sql;
            return ctx.db.all(bound);
          },
          one: () => Promise.reject(new Error("one query is enough")),
        },
      },
      wanted("org-7"),
    );
    const explain = kind === "sqlite" ? "EXPLAIN QUERY PLAN" : "EXPLAIN";
    const plan = JSON.stringify(await ctx.db.all(`${explain} ${statement}`, ["org-7", "password_change", "en"]));
    expect(plan).toMatch(/sqlite_autoindex_MessageText_1|MessageText_pkey/);
    expect(plan).not.toMatch(/SCAN m|Seq Scan on \\"MessageText/);
  });

  it.each([
    ["de", "acme", { language: "de", from: "user", match: "exact" }],
    ["de-CH", "acme", { language: "de", from: "user", match: "base" }],
    ["DE", "acme", { language: "de", from: "user", match: "exact" }],
    [null, "acme", { language: "fr", from: "organization", match: "exact" }],
    ["is", "acme", { language: "fr", from: "organization", match: "exact" }],
    ["is", "plain", { language: "en", from: "instance", match: "exact" }],
    [undefined, "odd", { language: "en", from: "instance", match: "exact" }],
    ["../en", "unknown", { language: "en", from: "instance", match: "exact" }],
    [null, undefined, { language: "en", from: "instance", match: "exact" }],
  ])("writes to a user who prefers %s in %s in the language %o", async (preferred, organizationId, language) => {
    expect(await resolveLanguage(ctx, { preferred, organizationId })).toEqual(language);
  });
});
