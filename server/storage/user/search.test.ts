import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { searchUsersOf } from "../../directory/user/search";
import { databaseKinds, testDatabase } from "../../testing/database";
import type { Database, Value } from "../database";
import { countFound, searchUsers } from "./search";
import { pathAlong } from "./search-conditions";
import { SEARCHABLE_KINDS, SEARCHABLE_STATES, type UserSearch, walksOf } from "./search-index";

const LARGE = 25_000;
const SMALL = 50;
/** Rows of one statement, which takes a fraction of the statement timeout on a busy machine. */
const CHUNK = 2_500;
/** The rows of the small organization are distributed evenly among those of the large one. */
const STEP = { large: 1, small: LARGE / SMALL };

const everybody: UserSearch = {
  organizationId: "large",
  kinds: SEARCHABLE_KINDS,
  states: SEARCHABLE_STATES,
  names: [],
  words: [],
  sort: undefined,
};

const isSqlite = (db: Database) => db.kind === "sqlite";

/**
 * Creates users of two organizations; every third has the word `lovelace`, every thousandth is locked, one is a machine
 * user.
 */
async function fill(db: Database): Promise<void> {
  const at = isSqlite(db) ? "1893456000000" : `timestamp '2030-01-01 00:00:00'`;
  const series = (first: number, last: number) =>
    isSqlite(db)
      ? `(WITH RECURSIVE s(n) AS (SELECT ${first} UNION ALL SELECT n + 1 FROM s WHERE n < ${last}) SELECT n FROM s)`
      : `(SELECT n FROM generate_series(${first}, ${last}) AS s(n))`;
  for (const [organization, size] of [
    ["large", LARGE],
    ["small", SMALL],
  ] as const) {
    const place = `('00000' || (n * ${STEP[organization]}))`;
    const id = `SUBSTR(${place}, LENGTH(${place}) - 4) || '-${organization}'`;
    const name = `'user' || n || '@${organization}.test'`;
    await db.run(
      `INSERT INTO "Organization" ("id", "name", "nameKey", "state", "createdAt")
       VALUES ('${organization}', '${organization}', '${organization}', 'active', ${at})`,
      [],
    );
    for (let first = 1; first <= size; first += CHUNK) {
      const rows = series(first, Math.min(first + CHUNK - 1, size));
      await db.run(
        `INSERT INTO "User" ("id", "organizationId", "kind", "state", "userName", "loginNameKey", "userNameKey",
              "displayName", "displayNameKey", "email", "emailKey", "isEmailVerified", "isPhoneVerified",
              "passwordChangeRequired", "validFrom", "createdAt", "changedAt", "lastSignIn")
       SELECT ${id}, '${organization}', CASE WHEN n = 7 THEN 'machine' ELSE 'human' END,
              CASE WHEN n % 1000 = 0 THEN 'locked' ELSE 'active' END, ${name}, ${name}, ${name},
              'User ' || n, 'user ' || n, 'MAIL' || n || '@mail.test', 'mail' || n || '@mail.test', TRUE, FALSE,
              FALSE, ${at}, ${at}, ${at}, CASE WHEN n % 10 = 0 THEN '' ELSE '2029-01-01T' || n END FROM ${rows} AS r`,
        [],
      );
      await db.run(
        `INSERT INTO "LastSignIn" ("userId", "organizationId", "at")
         SELECT "id", "organizationId", "lastSignIn" FROM "User" WHERE TRUE AND "lastSignIn" <> ''
         ON CONFLICT DO NOTHING`,
        [],
      );
      await db.run(
        `INSERT INTO "Aggregate" ("type", "id", "resourceOwner", "sequence", "createdAt", "changedAt")
       SELECT 'user', ${id}, '${organization}', 1, ${at}, ${at} FROM ${rows} AS r`,
        [],
      );
      for (const [word, only] of [
        [`'user' || n`, "TRUE"],
        [`'user'`, "TRUE"],
        [`'lovelace'`, "n % 3 = 0"],
        [`'m' || n`, "TRUE"],
      ]) {
        await db.run(
          `INSERT INTO "UserWord" ("userId", "organizationId", "word")
         SELECT ${id}, '${organization}', ${word} FROM ${rows} AS r WHERE ${only}`,
          [],
        );
      }
    }
  }
  if (!isSqlite(db)) await db.run("ANALYZE", []);
}

describe.each(databaseKinds)("searching for users on %s", (kind) => {
  let db: Database;
  beforeAll(async () => {
    db = await testDatabase(kind);
    await fill(db);
  });
  afterAll(() => db.close());

  /** Reads all pages, 1000 users at a time, and counts them. */
  async function all(search: Partial<UserSearch>, { descending = false, limit = 1_000, most = 200 } = {}) {
    const ids: string[] = [];
    let after: Parameters<typeof searchUsers>[2]["after"];
    for (let pages = 1; pages <= most; pages++) {
      const page = await searchUsers(db, { ...everybody, ...search }, { after, offset: 0, limit, descending });
      ids.push(...page.rows.map(({ id }) => id));
      after = page.next;
      if (!after) return { ids, pages };
    }
    throw new Error("no end");
  }
  const small = { organizationId: "small" };
  const number = (id: string) => Number(id.slice(0, 5)) / (id.endsWith("small") ? STEP.small : STEP.large);

  it("lists everybody once, in order, whatever the pages", async () => {
    const { ids } = await all({});
    expect(ids).toHaveLength(LARGE);
    expect(ids).toEqual([...new Set(ids)].sort());
    for (const limit of [1, 7, 49, 50, 51]) {
      const up = await all(small, { limit });
      const down = await all(small, { limit, descending: true });
      expect(up.ids).toEqual([...down.ids].reverse());
      expect(up.ids).toHaveLength(SMALL);
    }
  });

  it("goes by names, in the order of their code points", async () => {
    for (const sort of ["userNameKey", "displayNameKey"] as const) {
      const { ids } = await all({ ...small, sort }, { limit: 7 });
      expect(ids.map(number).slice(0, 4)).toEqual(sort === "userNameKey" ? [10, 11, 12, 13] : [1, 10, 11, 12]);
      expect((await all({ ...small, sort }, { limit: 7, descending: true })).ids).toEqual([...ids].reverse());
    }
  });

  it.each<[string, Partial<UserSearch>, number[]]>([
    ["a name", { names: [{ key: "userNameKey", match: "equals", text: "user5@large.test" }] }, [5]],
    ["a login name", { names: [{ key: "loginNameKey", match: "equals", text: "user5@large.test" }] }, [5]],
    ["the beginning of a login name", { names: [{ key: "loginNameKey", match: "starts", text: "user2499@" }] }, [2499]],
    ["a name of somebody else's", { names: [{ key: "userNameKey", match: "equals", text: "user5@small.test" }] }, []],
    [
      "the case of an address",
      {
        names: [
          {
            key: "emailKey",
            match: "starts",
            text: "mail2500",
            exactly: { column: "email", text: "mail2500" },
          },
        ],
      },
      [],
    ],
    ["the beginning of an address", { names: [{ key: "emailKey", match: "starts", text: "mail2500@" }] }, [2500]],
    ["machines", { kinds: ["machine"] }, [7]],
    ["locked people", { states: ["locked"] }, Array.from({ length: 25 }, (_, n) => (n + 1) * 1_000)],
    ["a word", { words: ["m2499"] }, [2499, 24990, 24991, 24992, 24993, 24994, 24995, 24996, 24997, 24998, 24999]],
    [
      "two words",
      { words: ["m249", "lovelace"] },
      [249, 2490, 2493, 2496, 2499].concat(Array.from({ length: 100 }, (_, n) => 24900 + n).filter((n) => n % 3 === 0)),
    ],
    ["ids", { ids: ["00005-large", "02500-small", "nobody"] }, [5]],
    ["no ids", { ids: [] }, []],
    ["ids and a word", { ids: ["00005-large", "00006-large"], words: ["lovelace"] }, [6]],
  ])("finds %s", async (_, search, expected) => {
    const { ids } = await all(search);
    expect(ids.map(number).sort((a, b) => a - b)).toEqual(expected);
    expect(await countFound(db, { ...everybody, ...search })).toBe(expected.length);
  });

  it("finds those who are named among more than are looked at", async () => {
    const named = (text: string) => ({ match: { userName: { text, match: "equals", ignoreCase: true } } }) as const;
    const wanted = (number: number) => named(`user${number}@large.test`);
    const combinations = [{ any: [wanted(24_999), wanted(3), { emails: ["mail12345@mail.test"] }] }];
    const list = searchUsersOf({ db } as never, undefined, { matches: [], combinations });
    const { rows, next } = await list.page({ after: undefined, offset: 0, limit: 100, ascending: true });
    expect([rows.map(({ id }) => number(id)), next]).toEqual([[3, 12_345, 24_999], undefined]);
  });

  it("goes by the last sign-in, those who never did among them, and finds the latter by an index", async () => {
    const at = (day: number) => `2030-01-${String(day).padStart(2, "0")}T00:00:00.000Z`;
    for (const day of [1, 2, 3]) {
      const named = `"userId" IN (SELECT "id" FROM "User" WHERE "displayName" = $2)`;
      await db.run(`UPDATE "LastSignIn" SET "at" = $1 WHERE ${named}`, [at(day), `User ${day}`]);
    }
    const { ids } = await all({ sort: "lastSignIn" }, { descending: true });
    expect(ids.slice(0, 3).map(number)).toEqual([3, 2, 1]);
    expect(ids).toHaveLength(LARGE);
    const never = { filters: [{ signedIn: "never" } as const] };
    expect(walksOf({ ...everybody, ...never })).toEqual([{ by: "lastSignIn", equals: "" }]);
    expect((await all({ ...small, ...never }, { limit: 7 })).ids).toHaveLength(SMALL / 10);
    const before = { filters: [{ signedIn: "before", at: at(1) } as const] };
    expect((await all({ ...small, ...before })).ids).toHaveLength(SMALL - SMALL / 10 - 3);
  });

  it("finds a user once whose words begin alike", async () => {
    const { ids } = await all({ ...small, words: ["user"] }, { limit: 3 });
    expect(ids).toHaveLength(SMALL);
    expect(new Set(ids).size).toBe(SMALL);
  });

  it("finds text inside of names, in limited steps", async () => {
    const search = { names: [{ key: "userNameKey", match: "contains", text: "r24999@" } as const] };
    const { ids, pages } = await all(search);
    expect(ids.map(number)).toEqual([24_999]);
    expect(pages).toBeGreaterThan(1);
    const ends = { names: [{ key: "emailKey", match: "ends", text: "il9@mail.test" } as const] };
    expect((await all({ ...small, ...ends })).ids).toEqual(["04500-small"]);
  });

  it("continues by offset, too", async () => {
    const page = await searchUsers(
      db,
      { ...everybody, ...small },
      { after: undefined, offset: 48, limit: 5, descending: false },
    );
    expect([page.rows.map(({ id }) => id), page.next]).toEqual([["24500-small", "25000-small"], undefined]);
  });

  it("counts up to ten thousand", async () => {
    expect(await countFound(db, everybody)).toBe(10_000);
    expect(await countFound(db, { ...everybody, ...small })).toBe(SMALL);
    expect(await countFound(db, { ...everybody, organizationId: undefined, words: ["lovelace"] })).toBe(8_349);
  });

  const searches: [string, Partial<UserSearch>, string][] = [
    ["everybody", {}, "User_organizationId_kind_state_id_idx"],
    // Nearly all users are active persons: both indexes are equally good.
    ["everybody anywhere", { organizationId: undefined }, "User_kind_state_id_idx|User_pkey"],
    ["locked machines", { kinds: ["machine"], states: ["locked"] }, "User_organizationId_kind_state_id_idx"],
    ["by user name", { sort: "userNameKey" }, "User_organizationId_userNameKey_key"],
    ["by user name anywhere", { sort: "userNameKey", organizationId: undefined }, "User_userNameKey_id_idx"],
    ["by name", { sort: "displayNameKey" }, "User_organizationId_displayNameKey_id_idx"],
    ["by name anywhere", { sort: "displayNameKey", organizationId: undefined }, "User_displayNameKey_id_idx"],
    [
      "by last sign-in",
      { sort: "lastSignIn" },
      "(User_organizationId_lastSignIn_id|LastSignIn_organizationId_at_userId)_idx",
    ],
    [
      "by last sign-in anywhere",
      { sort: "lastSignIn", organizationId: undefined },
      // One in ten never signed in: the index of ids with a filter is as good as that of last sign-ins.
      "(User_lastSignIn_id|LastSignIn_at_userId)_idx|User_pkey",
    ],
    ["those who never signed in", { filters: [{ signedIn: "never" }] }, "User_organizationId_lastSignIn_id_idx"],
    ["a word", { words: ["m2499"] }, "UserWord_organizationId_word_userId_idx"],
    ["a word anywhere", { words: ["m2499"], organizationId: undefined }, "UserWord_word_userId_idx"],
    [
      "an address anywhere",
      { organizationId: undefined, names: [{ key: "emailKey", match: "starts", text: "mail2500" }] },
      "User_emailKey_id_idx",
    ],
    [
      "the beginning of a user name",
      { names: [{ key: "userNameKey", match: "starts", text: "user2499" }] },
      // So few begin like this that the organization does not matter.
      "User_organizationId_userNameKey_key|User_userNameKey_id_idx",
    ],
  ];

  it.each(searches)("follows an index for %s", async (_, search, index) => {
    const plans = async (wanted: UserSearch, after?: readonly [string, string]) =>
      Promise.all(
        walksOf(wanted).map((walk) => {
          const path = pathAlong(wanted, walk, { after, descending: false });
          const { where, values } = path.conditions(undefined);
          return planOf(`SELECT u."email" FROM ${path.from} WHERE ${where} ORDER BY ${path.order} LIMIT 101`, values);
        }),
      );
    // A planner that knows that nearly all users are in the large organization may not use its index.
    await plans({ ...everybody, ...search });
    for (const after of [undefined, ["user1", "00500-small"] as const]) {
      for (const plan of await plans({ ...everybody, ...small, ...search }, after)) {
        expect(plan).toMatch(new RegExp(index));
      }
    }
  });

  async function planOf(sql: string, values: readonly Value[]): Promise<string> {
    const found = await db.all<Record<string, string>>(
      `${kind === "sqlite" ? "EXPLAIN QUERY PLAN" : "EXPLAIN"} ${sql}`,
      values,
    );
    const plan = found.map((row) => Object.values(row).join(" ")).join("\n");
    expect(plan).not.toMatch(/Seq Scan|\bSCAN (?!.* USING (COVERING )?INDEX)/);
    return plan;
  }
});
