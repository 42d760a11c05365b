import { beforeEach, describe, expect, it } from "vitest";
import { digest } from "../../crypto/digest";
import { verifyPassword } from "../../crypto/password-hash";
import { type BareContext, bareContext, countAllRows } from "../../testing/bare-context";
import { databaseKinds } from "../../testing/database";
import { findInstance } from "../instance";
import { findUserForSignIn } from "../user/user";
import { completeSetup, createSetupLink, isEmpty, isSetupLinkOpen, type SetupForm } from "./setup";

const HOUR = 3_600_000;

describe.each(databaseKinds)("the setup link for the first administrator (%s)", (kind) => {
  let ctx: BareContext;
  let form: SetupForm;
  const newToken = async () => new URL(await createSetupLink(ctx)).searchParams.get("token") ?? "";
  beforeEach(async () => {
    ctx = await bareContext(kind);
    form = {
      token: await newToken(),
      organizationName: "ACME",
      email: "Ada@acme.test",
      givenName: "Ada",
      familyName: "Lovelace",
      password: "correct horse battery staple",
      language: "de",
    };
  });

  it("creates organization, administrator and defaults, and works once", async () => {
    expect(await isEmpty(ctx)).toBe(true);
    const done = await completeSetup(ctx, form);
    expect(done).toMatchObject({ kind: "done", loginName: "Ada@acme.test" });
    if (done.kind !== "done") throw new Error();
    expect(await isEmpty(ctx)).toBe(false);
    const user = await findUserForSignIn(ctx, "ada@acme.test");
    expect(user).toMatchObject({ id: done.userId, displayName: "Ada Lovelace", preferredLanguage: "de" });
    expect(await verifyPassword(form.password, user?.passwordHash)).toBe(true);
    expect(await findInstance(ctx)).toMatchObject({
      defaultOrganizationId: done.organizationId,
      defaultLanguage: "de",
    });
    expect(await ctx.db.prisma.membership.findMany({ orderBy: { role: "asc" } })).toMatchObject([
      { userId: done.userId, level: "instance", role: "IAM_OWNER", levelId: (await findInstance(ctx)).id },
      { userId: done.userId, level: "organization", role: "ORG_OWNER", levelId: done.organizationId },
    ]);
    const before = await countAllRows(ctx);
    expect(await completeSetup(ctx, { ...form, email: "eve@acme.test" })).toEqual({ kind: "link-invalid" });
    expect(await countAllRows(ctx)).toEqual(before);
  });

  it("lets only one of ten concurrent requests create an administrator", async () => {
    const outcomes = await Promise.all(
      Array.from({ length: 10 }, (_, index) => completeSetup(ctx, { ...form, email: `a${index}@acme.test` })),
    );
    expect(outcomes.filter(({ kind }) => kind === "done")).toHaveLength(1);
    expect(outcomes.filter(({ kind }) => kind === "link-invalid")).toHaveLength(9);
    expect(await ctx.db.prisma.organization.count()).toBe(1);
  });

  it("reports to the second of two clicks that the link was used, not that the input is wrong", async () => {
    const outcomes = await Promise.all([completeSetup(ctx, form), completeSetup(ctx, form)]);
    expect(outcomes.map(({ kind }) => kind).sort()).toEqual(["done", "link-invalid"]);
  });

  it("voids every other open link when it is used", async () => {
    const another = await newToken();
    const outcomes = await Promise.all([
      completeSetup(ctx, form),
      completeSetup(ctx, { ...form, token: another, email: "e@x.test" }),
    ]);
    expect(outcomes.map(({ kind }) => kind).sort()).toEqual(["done", "link-invalid"]);
  });

  it("expires after an hour", async () => {
    ctx.advance(HOUR - 1);
    expect(await isSetupLinkOpen(ctx, form.token)).toBe(true);
    ctx.advance(1);
    expect(await isSetupLinkOpen(ctx, form.token)).toBe(false);
    expect(await completeSetup(ctx, form)).toEqual({ kind: "link-invalid" });
  });

  it("is stored only as the digest of its secret", async () => {
    const rows = JSON.stringify([await ctx.db.prisma.oneTimeToken.findMany(), await ctx.db.prisma.event.findMany()]);
    expect(rows).not.toContain(form.token);
    expect(rows).toContain(digest(form.token));
  });

  it("reports invalid fields and stays valid", async () => {
    const before = await countAllRows(ctx);
    const wrong = {
      ...form,
      organizationName: " ",
      email: "ada",
      givenName: "",
      familyName: "x\u0000",
      password: "too short",
    };
    expect(await completeSetup(ctx, wrong)).toEqual({
      kind: "form-invalid",
      fields: ["organizationName", "email", "givenName", "familyName", "password"],
      password: { code: "too_short", limit: 15 },
    });
    expect(await countAllRows(ctx)).toEqual(before);
    expect(await completeSetup(ctx, form)).toMatchObject({ kind: "done" });
  });

  it.each(["", "x", "\0", "a".repeat(100_000)])("rejects an unknown token", async (token) => {
    const before = await countAllRows(ctx);
    expect(await completeSetup(ctx, { ...form, token })).toEqual({ kind: "link-invalid" });
    expect(await countAllRows(ctx)).toEqual(before);
  });

  it("creates another administrator if the service is already set up, without changing its defaults", async () => {
    await completeSetup(ctx, form);
    const { defaultOrganizationId } = await findInstance(ctx);
    const token = await newToken();
    expect(await completeSetup(ctx, { ...form, token })).toEqual({ kind: "login-name-taken" });
    expect(await completeSetup(ctx, { ...form, token, email: "grace@acme.test", language: "en" })).toMatchObject({
      kind: "done",
    });
    expect(await findInstance(ctx)).toMatchObject({ defaultOrganizationId, defaultLanguage: "de" });
  });
});
