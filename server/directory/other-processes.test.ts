import { beforeAll, describe, expect, it } from "vitest";
import { applyBootstrap } from "../bootstrap/apply";
import type { Context } from "../context";
import { digest } from "../crypto/digest";
import { type CacheName, drops } from "../events/announced";
import type { EventType } from "../events/catalogue";
import { discovery } from "../oidc/endpoints/discovery";
import { isApiError } from "../protocol/api-error";
import type { Database } from "../storage/database";
import { LOOKED_AT } from "../storage/user/search";
import { type BareContext, bareContext } from "../testing/bare-context";
import { connectTestDatabase, testDatabaseUrl } from "../testing/database";
import { FILE, machineSecret, type Of, ORGANIZATIONS, ROOT, STEPS } from "../testing/directory-changes";
import { findPageTexts } from "../texts/pages/resolve-page-texts";
import { findClient } from "./app/app";
import { isKnownOrigin } from "./app/origins";
import { findResources } from "./app/resources";
import { findTargetProjects } from "./app/target-projects";
import { invalidateDirectory, invalidateWithOthers } from "./cache";
import { findDecisions } from "./client-decision/decisions";
import { defaultLanguages } from "./default-languages";
import { listIdentityProviders } from "./identity-provider/identity-provider";
import { findInstance } from "./instance";
import { findPasswordHook } from "./password-hook/password-hook";
import { findPolicy } from "./policy/policies";
import { emailChannel, smsChannel } from "./provider/channel";
import { findProvider } from "./provider/provider";
import { findMachineClient } from "./user/machine";
import { searchUsersOf } from "./user/search";

/** What a process answers from each cache; some are made of others, which are read first. */
const READS: Record<Exclude<CacheName, "signingKeys">, (ctx: Context, of: Of) => unknown> = {
  instance: (ctx) => findInstance(ctx),
  policies: (ctx, of) => findPolicy(ctx, "login", of),
  clientDecisions: (ctx, of) => findDecisions(ctx, of),
  passwordHooks: (ctx, of) => findPasswordHook(ctx, of),
  clients: async (ctx, of) => [await findClient(ctx, `web-${of}`)],
  origins: (ctx, of) => isKnownOrigin(ctx, `https://${of}.test`),
  targetProjects: (ctx, of) =>
    findTargetProjects(ctx, { clientId: "x", projectId: undefined, organizationId: "x" }, [
      `urn:service:iam:org:project:id:p-${of}:aud`,
    ]),
  resources: (ctx, of) => findResources(ctx, [`https://api.${of}.test/`]),
  defaultLanguages: (ctx, of) => defaultLanguages(ctx, of),
  emailProviders: (ctx, of) => findProvider(ctx, emailChannel, of),
  smsProviders: (ctx, of) => findProvider(ctx, smsChannel, of),
  identityProviders: (ctx, of) => listIdentityProviders(ctx, of),
  machines: (ctx, of) => findMachineClient(ctx, `ci-${of}`, [digest(machineSecret(of))]),
  pageWords: (ctx, of) => findPageTexts(ctx, "en", of),
  userCounts: (ctx, of) => searchUsersOf(ctx, of, { matches: [{ kind: "human" }] }).count(),
  discovery: async (ctx) => (await discovery(ctx)()).body,
};
/** Caches whose entries do not depend on the organization. */
const SHARED = new Set<CacheName>(["instance", "origins", "discovery"]);
const ENTRIES = (Object.keys(READS) as (keyof typeof READS)[]).flatMap((cache) =>
  SHARED.has(cache)
    ? [{ name: cache as string, cache, of: "acme" as const }]
    : ORGANIZATIONS.map((of) => ({ name: `${cache}/${of}`, cache, of })),
);

function effectOf(effect: string) {
  const [types = "", dropped = ""] = effect.split(" → ");
  return { types: types.split(" ") as EventType[], dropped: dropped.split(" ") };
}

/** Counts the reads of a database. */
function counting(db: Database) {
  const count = { statements: 0 };
  const counted =
    <Rest extends unknown[], Result>(ask: (...rest: Rest) => Result) =>
    (...rest: Rest) => {
      count.statements++;
      return ask(...rest);
    };
  return { count, db: { ...db, one: counted(db.one), all: counted(db.all), lookUp: counted(db.lookUp) } as Database };
}

/** Adds so many people to globex that their number is cached. */
async function addCrowd({ db }: Context) {
  await db.run(
    `INSERT INTO "User" ("id", "organizationId", "kind", "state", "userName", "loginNameKey", "userNameKey",
            "isEmailVerified", "isPhoneVerified", "passwordChangeRequired", "validFrom", "createdAt", "changedAt")
     SELECT 'crowd-' || n, 'globex', 'human', 'active', 'c' || n, 'c' || n, 'c' || n, FALSE, FALSE, FALSE, NOW(), NOW(),
            NOW() FROM generate_series(1, ${LOOKED_AT - 2}) AS n`,
    [],
  );
}

// The clocks stand still: what a process caches never becomes old, and only announcements drop it.
describe("what one of several processes changes", () => {
  let writer: BareContext;
  let reader: BareContext;
  let fresh: BareContext;
  let asked: { statements: number };
  beforeAll(async () => {
    const url = await testDatabaseUrl("postgresql");
    writer = await bareContext("postgresql", await connectTestDatabase(url));
    await applyBootstrap(writer, FILE);
    await addCrowd(writer);
    const { count, db } = counting(await connectTestDatabase(url));
    asked = count;
    reader = await bareContext("postgresql", db);
    fresh = await bareContext("postgresql", await connectTestDatabase(url));
    for (const ctx of [writer, reader]) await invalidateWithOthers(ctx);
  });

  /** What each cache says at a process, and for which entries the reader had to ask the database. */
  async function look(ctx: Context) {
    const values: Record<string, unknown> = {};
    const read: string[] = [];
    for (const entry of ENTRIES) {
      const before = asked.statements;
      values[entry.name] = await READS[entry.cache](ctx, entry.of);
      if (asked.statements > before) read.push(entry.name);
    }
    return { values, read };
  }

  const typesAfter = (position: number) =>
    writer.db.all<{ type: EventType; position: number }>(
      `SELECT "type", "position" FROM "Event" WHERE "position" > $1 ORDER BY "position"`,
      [position],
    );

  it.each(STEPS)("%s: is seen by the others at once, who read nothing else again", async (_, change, effect) => {
    const { types, dropped } = effectOf(effect);
    await look(reader);
    const uncached = (await look(reader)).read; // what is absent is read each time
    const before = Number((await typesAfter(0)).at(-1)?.position ?? 0);
    const outcome = await change({ ...writer, origin: ROOT });
    expect(isApiError(outcome) ? outcome : undefined).toBeUndefined();
    expect((await typesAfter(before)).map(({ type }) => type)).toEqual(expect.arrayContaining(types));
    const { values, read } = await look(reader);
    invalidateDirectory(fresh);
    expect(values).toEqual((await look(fresh)).values);
    const again = ENTRIES.filter(({ name, cache }) => [cache, name].some((one) => dropped.includes(one)));
    expect(new Set(read)).toEqual(new Set([...uncached, ...again.map(({ name }) => name)]));
  });

  it("is tried with every kind of change that drops something, and with every cache", () => {
    const tried = STEPS.flatMap(([, , effect]) => effectOf(effect).types);
    // Signing keys have a test of their own; the instance is added once, before there is anything to cache.
    const others = /^instance\.(signing_key\.|added$)/;
    const untried = (Object.keys(drops) as EventType[]).filter(
      (type) => Object.keys(drops[type]).length > 0 && !tried.some((one) => drops[one] === drops[type]),
    );
    expect(untried.filter((type) => !others.test(type))).toEqual([]);
    expect(new Set(tried.flatMap((type) => Object.keys(drops[type])))).toEqual(new Set(Object.keys(READS)));
  });
});
