import { beforeAll, describe, expect, it } from "vitest";
import { digest } from "../../crypto/digest";
import { appliedContext, type BareContext } from "../../testing/bare-context";
import { databaseKinds } from "../../testing/database";
import { invalidateDirectory } from "../cache";
import { findMachineClient } from "./machine";
import { findClaimsSource, findUser, findUserForSignIn } from "./user";

const verified = (email: string) => ({ email: { email, isEmailVerified: true } });
const domains = (domain: string) => [{ domain, verified: true, primary: true }];

const SECRETS = { acme: "a".repeat(40), globex: "g".repeat(40) };

const file = {
  organizations: [
    {
      id: "acme",
      name: "ACME",
      default: true,
      domains: domains("acme.test"),
      users: [
        { id: "ada", userName: "ada@acme.test", ...verified("countess@mail.test") },
        { id: "bob-acme", userName: "Bob", ...verified("bob@mail.test") },
        { id: "carol", userName: "carol", ...verified("shared@mail.test") },
        { id: "dan", userName: "dan", email: { email: "dan@mail.test" } },
        { id: "greedy", userName: "countess@mail.test.evil.test", ...verified("x@mail.test") },
      ],
      machines: [
        { id: "ci-acme", userName: "ci", accessTokenType: "ACCESS_TOKEN_TYPE_JWT", secret: SECRETS.acme },
        { id: "bot", userName: "bot" },
      ],
    },
    {
      id: "globex",
      name: "Globex",
      domains: domains("bücher.test"),
      users: [
        { id: "bob-globex", userName: "bob" },
        { id: "erin-globex", userName: "erin", ...verified("shared@mail.test") },
        { id: "frank", userName: "bob@mail.test" },
      ],
      machines: [{ id: "ci-globex", userName: "ci", secret: SECRETS.globex }],
    },
    { id: "initech", name: "Initech", users: [{ id: "erin-initech", userName: "erin" }] },
  ],
};

describe.each(databaseKinds)("finding a user by the typed name (%s)", (kind) => {
  let ctx: BareContext;
  beforeAll(async () => {
    ctx = await appliedContext(kind, file);
  });
  const find = async (typed: string, organizationId?: string) =>
    (await findUserForSignIn(ctx, typed, { organizationId }))?.id;

  it.each([
    ["the user name with @", "ada@acme.test", "ada"],
    ["other letter case", "ADA@Acme.Test", "ada"],
    ["blanks around it", "  ada@acme.test ", "ada"],
    ["full-width letters (NFKC)", "ａｄａ@acme.test", "ada"],
    ["the user name with the primary domain", "bob@acme.test", "bob-acme"],
    ["the primary domain as people write it", "bob@Bücher.test", "bob-globex"],
    ["the primary domain in ASCII", "bob@xn--bcher-kva.test", "bob-globex"],
    ["a bare name two organizations have: the default one's", "bob", "bob-acme"],
    ["a bare name only one has", "carol", "carol"],
    ["a verified mail address", "Countess@mail.test", "ada"],
    ["a mail address before a name of that form that another organization gave", "bob@mail.test", "bob-acme"],
  ])("accepts %s", async (_, typed, id) => expect(await find(typed)).toBe(id));

  it.each([
    ["a bare name of two other organizations", "erin"],
    ["a mail address of two people", "shared@mail.test"],
    ["a mail address that is not verified", "dan@mail.test"],
    ["a machine", "ci@acme.test"],
    ["an unknown name", "nobody@acme.test"],
    ["blanks", "   "],
    ["a wildcard", "%"],
    ["U+0000", "ada@acme.test\0"],
    ["a lone surrogate", "ada\ud800"],
    ["a megabyte", "a".repeat(1_000_000)],
  ])("finds no one for %s", async (_, typed) => expect(await find(typed)).toBeUndefined());

  it("searches only the given organization", async () => {
    expect(await find("bob", "globex")).toBe("bob-globex");
    expect(await find("erin", "initech")).toBe("erin-initech");
    expect(await find("shared@mail.test", "globex")).toBe("erin-globex");
    expect(await find("ada@acme.test", "globex")).toBeUndefined();
  });

  it("returns whether the state of user and organization permits a sign-in", async () => {
    expect(await findUser(ctx, "carol")).toMatchObject({ mayAuthenticate: true, loginName: "carol@acme.test" });
    await ctx.db.prisma.user.update({ where: { id: "carol" }, data: { state: "locked" } });
    expect(await findUserForSignIn(ctx, "carol")).toMatchObject({ id: "carol", mayAuthenticate: false });
    await ctx.db.prisma.organization.update({ where: { id: "initech" }, data: { state: "inactive" } });
    expect(await findUser(ctx, "erin-initech")).toMatchObject({
      mayAuthenticate: false,
      organizationState: "inactive",
    });
    expect(await findUser(ctx, "bot")).toBeUndefined();
  });

  it("returns the claims of people and machines with times in milliseconds", async () => {
    expect(await findClaimsSource(ctx, "bob-globex", "acme")).toMatchObject({
      kind: "human",
      preferredLoginName: "bob@xn--bcher-kva.test",
      claims: null,
      address: null,
      changedAt: ctx.clock(),
    });
    expect(await findClaimsSource(ctx, "bot", "acme")).toMatchObject({
      kind: "machine",
      preferredLoginName: "bot@acme.test",
      name: "bot",
    });
    expect(await findClaimsSource(ctx, "nobody", "acme")).toBeUndefined();
  });

  it("finds a machine by its user name and its secret, even if others have the same name (rule ID-4)", async () => {
    const of = (clientId: string, secret: string) => findMachineClient(ctx, clientId, [digest(secret)]);
    expect(await of("CI", SECRETS.acme)).toMatchObject({ userId: "ci-acme", clientId: "ci", accessTokenFormat: "jwt" });
    expect(await of("ci", SECRETS.globex)).toMatchObject({ userId: "ci-globex", accessTokenFormat: "opaque" });
    expect(await of("ci", "wrong")).toBeUndefined();
    expect(await of("bot", SECRETS.acme)).toBeUndefined();
    await ctx.db.prisma.user.update({ where: { id: "ci-globex" }, data: { state: "inactive" } });
    invalidateDirectory(ctx);
    expect(await of("ci", SECRETS.globex)).toBeUndefined();
    expect(await of("ci", SECRETS.acme)).toMatchObject({ userId: "ci-acme" });
    expect(await of("carol", SECRETS.acme)).toBeUndefined();
  });
});
