import { describe, expect, it } from "vitest";
import { bareContext } from "../testing/bare-context";
import { databaseKinds } from "../testing/database";
import { applyBootstrap } from "./apply";
import { exportBootstrap } from "./export";

const file = (ofService: object[], ofAcme: object[] = []) => ({
  instance: { loginTexts: ofService },
  organizations: [{ id: "acme", name: "ACME", loginTexts: ofAcme }],
});
const OURS = { language: "en", signIn: { title: "Hello", toApp: "on to {{.AppName}}" } };

describe.each(databaseKinds)("bootstrap file: words of the pages (%s)", (kind) => {
  it("are set if they differ, and exported unchanged", async () => {
    const ctx = await bareContext(kind);
    const both = file([{ language: "de", signIn: { title: "Hallo" } }], [OURS]);
    const { created } = await applyBootstrap(ctx, both);
    expect(created.filter((line) => line.startsWith("words of the pages"))).toHaveLength(2);
    expect(await applyBootstrap(ctx, both)).toMatchObject({ created: [], updated: [] });
    const changed = file([], [{ ...OURS, signIn: { title: "Hello again" } }]);
    expect((await applyBootstrap(ctx, changed)).updated).toEqual(["words of the pages in en of acme"]);
    let text = "";
    for await (const part of exportBootstrap(ctx)) text += part;
    const exported = JSON.parse(text);
    expect(exported.instance.loginTexts).toEqual([{ language: "de", signIn: { title: "Hallo" } }]);
    expect(exported.organizations[0].loginTexts).toEqual([{ language: "en", signIn: { title: "Hello again" } }]);
    expect(await applyBootstrap(ctx, exported)).toMatchObject({ created: [], updated: [] });
  });

  it.each([
    ["markup", [{ ...OURS, signIn: { title: "<b>x</b>" } }], ".signIn.title"],
    ["another's address", [{ ...OURS, signIn: { title: "go to bank.test" } }], ".signIn.title"],
    ["a word that there is not", [{ ...OURS, signIn: { titel: "x" } }], ".signIn"],
    ["what protects the reader", [{ ...OURS, continuePage: { foreign: "x" } }], ""],
    ["an unknown language", [{ ...OURS, language: "tlh" }], ".language"],
  ])("are refused with %s, and nothing is changed", async (_, words, at) => {
    const ctx = await bareContext(kind);
    await expect(applyBootstrap(ctx, file([], words))).rejects.toThrow(`organizations[0].loginTexts[0]${at}`);
    expect(await ctx.db.prisma.loginText.count()).toBe(0);
  });

  it("must have one entry per language", async () => {
    const ctx = await bareContext(kind);
    await expect(applyBootstrap(ctx, file([OURS, OURS]))).rejects.toThrow("instance.loginTexts[1]");
  });
});
