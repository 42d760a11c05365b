import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readUser } from "../../storage/user/user";
import { type BareContext, bareContext } from "../../testing/bare-context";
import { databaseKinds } from "../../testing/database";
import { addDomain, setPrimaryDomain } from "../organization/domain";
import { addOrganization, ensureNameKeys } from "../organization/organization";
import { createMachine, createPerson } from "./create";
import { changeMachine } from "./machine";
import { renameUserIn } from "./rename";
import { ensureWords, searchWordsOf } from "./search-terms";
import { changePerson } from "./user";

const origin = { actor: "system" };

describe("the search words of a text", () => {
  it.each([
    ["Ada Lovelace", ["ada", "lovelace"]],
    ["ada@acme.test", ["ada", "acme", "test"]],
    ["Žofia MÜLLER-Lüdenscheidt", ["zofia", "muller", "ludenscheidt"]],
    ["ＡＤＡ", ["ada"]],
    ["+44 1234", ["44", "1234"]],
    ["山田 太郎", ["山田", "太郎"]],
    ["ada Ada ADA", ["ada"]],
    ["@ . -", []],
  ])("are correct for %j", (text, words) => expect(searchWordsOf(text)).toEqual(words));

  it("are shortened to 40 characters, without splitting characters", () => {
    expect(searchWordsOf("𝒜".repeat(50))).toEqual(["a".repeat(40)]);
    expect(searchWordsOf("𐐨".repeat(50))).toEqual(["𐐨".repeat(40)]);
  });

  it("are listed once if two long words begin alike", () => {
    const beginning = "wolfeschlegelsteinhausenbergerdorffwelche";
    expect(searchWordsOf(`${beginning}voraltern ${beginning}@acme.test`)).toEqual([
      beginning.slice(0, 40),
      "acme",
      "test",
    ]);
  });
});

describe.each(databaseKinds)("the search words of users on %s", (kind) => {
  let ctx: BareContext;
  beforeAll(async () => {
    ctx = await bareContext(kind);
    await ctx.db.transaction(async (tx) => {
      await addOrganization({ ...ctx, tx, origin }, { id: "acme", name: "ÄCME" });
      await addDomain({ ...ctx, tx, origin }, "acme", "acme.test", true);
      await setPrimaryDomain({ ...ctx, tx, origin }, "acme", "acme.test");
    });
    const ada = { id: "ada", userName: "ada", firstName: "Ada", lastName: "Lovelace", phone: "+441234567890" };
    await createPerson({ ...ctx, origin }, { ...ada, organizationId: "acme" });
    await createMachine(
      { ...ctx, origin },
      { id: "robot", userName: "robot", name: "Build Röbot", organizationId: "acme" },
    );
  });
  afterAll(() => ctx.db.close());

  const words = async (userId: string) =>
    (await ctx.db.prisma.userWord.findMany({ where: { userId, organizationId: "acme" } }))
      .map(({ word }) => word)
      .sort();
  const stored = async (id: string) => {
    const row = await readUser(ctx.db.prisma, id);
    if (!row) throw new Error(id);
    return row;
  };

  it("are stored with a new user", async () => {
    expect(await words("ada")).toEqual(["441234567890", "ada", "lovelace"]);
    expect(await words("robot")).toEqual(["build", "robot"]);
    expect((await stored("ada")).displayNameKey).toBe("ada lovelace");
    expect((await stored("robot")).displayNameKey).toBe("build röbot");
  });

  it("are updated after a change", async () => {
    const [ada, robot] = [await stored("ada"), await stored("robot")];
    await ctx.db.transaction(async (tx) => {
      const fields = { displayName: "Countess", email: "ada@acme.test", phone: null };
      await changePerson({ ...ctx, tx, origin }, ada, fields);
      await changeMachine({ ...ctx, tx, origin }, robot, { name: "Deploy" });
      await renameUserIn({ ...ctx, tx, origin }, { ...robot, name: "Deploy" }, "rocket");
    });
    expect(await words("ada")).toEqual(["acme", "ada", "countess", "lovelace", "test"]);
    expect(await words("robot")).toEqual(["deploy", "rocket"]);
    expect((await stored("ada")).displayNameKey).toBe("countess");
  });

  it("are stored at the next start for users without any", async () => {
    await ctx.db.prisma.userWord.deleteMany({});
    await ctx.db.prisma.user.updateMany({ data: { displayNameKey: null } });
    await ctx.db.prisma.organization.updateMany({ data: { nameKey: null } });
    await ensureNameKeys(ctx);
    await ensureWords(ctx);
    expect(await words("robot")).toEqual(["deploy", "rocket"]);
    expect((await stored("robot")).displayNameKey).toBe("deploy");
    expect((await ctx.db.prisma.organization.findFirst())?.nameKey).toBe("äcme");
  });
});
