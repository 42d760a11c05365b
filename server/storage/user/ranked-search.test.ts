import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { comparable, comparableLoginName } from "../../directory/names";
import { searchUsersOf, type UsersWanted } from "../../directory/user/search";
import { searchWordsOf } from "../../directory/user/search-terms";
import { databaseKinds, testDatabase } from "../../testing/database";
import type { Database } from "../database";

const FIRST = ["Maria", "Marianne", "Mario", "Jonas", "Anna Maria"];
const LAST = ["Müller", "Acme", "Test", "Marian"];
const PEOPLE = 1_000;
const AT = new Date("2030-01-01T00:00:00Z");

interface Named {
  id: string;
  first: string;
  last: string;
  userName: string;
  email: string;
  phone?: string;
  organizationId: string;
}

/** A thousand people who share five first names and four last names, and among the last those who are looked for. */
const crowd: Named[] = Array.from({ length: PEOPLE }, (_, n) => {
  const first = FIRST[n % FIRST.length] ?? "";
  const last = LAST[n % LAST.length] ?? "";
  const name = `${comparable(first).replace(" ", ".")}.${n}`;
  const phone = `+4917000${String(n).padStart(5, "0")}`;
  const id = `p-${String(n).padStart(4, "0")}`;
  return { id, first, last, userName: name, email: `${name}@acme.test`, phone, organizationId: "acme" };
});
const sought: Named[] = [
  { id: "z-maria", first: "Zoe", last: "Zweig", userName: "maria", email: "maria@acme.test", organizationId: "acme" },
  {
    id: "z-phone",
    first: "Zara",
    last: "Zorn",
    userName: "zara",
    email: "zara@acme.test",
    phone: "+4917000",
    organizationId: "acme",
  },
  { id: "z-other", first: "Maria", last: "Test", userName: "m", email: "maria@acme.test", organizationId: "other" },
];
const everybody = [...crowd, ...sought];

const loginName = ({ userName, organizationId }: Named) => `${userName}@${organizationId}.test`;

async function fill({ prisma, kind, run }: Database): Promise<void> {
  for (const id of ["acme", "other"]) {
    await prisma.organization.create({ data: { id, name: id, nameKey: id, state: "active", createdAt: AT } });
  }
  await prisma.user.createMany({
    data: everybody.map((one) => ({
      id: one.id,
      organizationId: one.organizationId,
      kind: "human",
      state: "active",
      userName: one.userName,
      userNameKey: comparable(one.userName),
      loginNameKey: comparableLoginName(loginName(one)),
      firstName: one.first,
      lastName: one.last,
      displayName: `${one.first} ${one.last}`,
      displayNameKey: comparable(`${one.first} ${one.last}`),
      email: one.email,
      emailKey: comparableLoginName(one.email),
      phone: one.phone ?? null,
      validFrom: AT,
      createdAt: AT,
      changedAt: AT,
    })),
  });
  const dates = { createdAt: AT, changedAt: AT };
  await prisma.aggregate.createMany({
    data: everybody.map(({ id, organizationId }) => ({
      ...{ type: "user", id, resourceOwner: organizationId, sequence: 1 },
      ...dates,
    })),
  });
  await prisma.userWord.createMany({
    data: everybody.flatMap(({ id, organizationId, ...named }) =>
      searchWordsOf([named.first, named.last, named.userName, named.email, named.phone ?? ""].join(" ")).map(
        (word) => ({ userId: id, organizationId, word }),
      ),
    ),
  });
  if (kind === "postgresql") await run("ANALYZE", []);
}

describe.each(databaseKinds)("the order of found users on %s", (kind) => {
  let db: Database;
  beforeAll(async () => {
    db = await testDatabase(kind);
    await fill(db);
  });
  afterAll(() => db.close());

  const list = (text: string, organizationId: string | undefined, ...others: UsersWanted["matches"]) =>
    searchUsersOf({ db } as never, organizationId, { matches: [{ text }, ...others] });
  const first = { after: undefined, offset: 0, ascending: undefined } as const;
  const found = async (text: string, organizationId: string | undefined, limit = 5) =>
    (await list(text, organizationId).page({ ...first, limit })).rows.map(({ id }) => id);

  it.each([
    ["an email address", "maria@acme.test"],
    ["a login name in other letters", "MARIA@ACME.test"],
    ["a user name", "maria"],
    ["a user id", "z-maria"],
  ])("begins with the owner of %s", async (_, text) => {
    expect((await found(text, "acme"))[0]).toBe("z-maria");
  });

  it("begins with the owners of an address in every organization, and only in the requested one", async () => {
    expect((await found("maria@acme.test", undefined)).slice(0, 2).sort()).toEqual(["z-maria", "z-other"]);
    expect(await found("maria@acme.test", "other")).toEqual(["z-other"]);
  });

  it("begins with the owner of a phone number, however it is written, and then with longer numbers", async () => {
    for (const text of ["+4917000", "+49 170-00", "4917000"]) expect((await found(text, "acme"))[0]).toBe("z-phone");
    expect(await found("+49 17000 00321", "acme")).toEqual(["p-0321"]);
    const tens = Array.from({ length: 10 }, (_, n) => `p-032${n}`);
    expect((await found("+49 (17000) 0032", "acme", 20)).sort()).toEqual(tens);
  });

  it("lists those with the whole name before those with more words, then those with the words in another order", async () => {
    const rows = (await list("maria test", "acme").page({ ...first, limit: 1_000 })).rows;
    const names = rows.map(({ displayName }) => displayName);
    expect(names[0]).toBe("Maria Test");
    expect(names.indexOf("Anna Maria Test")).toBeGreaterThan(names.lastIndexOf("Maria Test", 9));
    const begun = (await list("mario", "acme").page({ ...first, limit: 5 })).rows;
    expect(begun.every(({ displayName }) => displayName?.startsWith("Mario"))).toBe(true);
  });

  it.each(["maria", "maria@acme.test", "+4917", "mar", "anna maria", "z"])(
    "lists everyone found by “%s” once, whatever the pages, and counts them",
    async (text) => {
      const whole = await found(text, undefined, 2_000);
      expect(new Set(whole).size).toBe(whole.length);
      expect(await list(text, undefined).count()).toBe(whole.length);
      for (const limit of [3, 50]) {
        const byCursor: string[] = [];
        const byOffset: string[] = [];
        let after: Parameters<ReturnType<typeof list>["page"]>[0]["after"];
        for (let page = 0; page < 12; page++) {
          const next = await list(text, undefined).page({ ...first, after, limit });
          byCursor.push(...next.rows.map(({ id }) => id));
          const { rows } = await list(text, undefined).page({ ...first, offset: page * limit, limit });
          byOffset.push(...rows.map(({ id }) => id));
          if (!next.next) break;
          after = next.next;
        }
        expect(byCursor).toEqual(whole.slice(0, 12 * limit));
        expect(byOffset).toEqual(whole.slice(0, byOffset.length));
      }
    },
  );

  it("keeps the other conditions", async () => {
    expect(await list("maria@acme.test", "acme", { kind: "machine" }).count()).toBe(0);
    expect(await list("maria@acme.test", "acme", { ids: ["z-maria", "p-0013"] }).count()).toBe(1);
  });
});
