/**
 * Checks the architecture of the whole repository: the import table, no cycles, no long files. The rules are in
 * testing/layers.ts and are tested here on small example projects that each break one rule.
 */
import { describe, expect, it } from "vitest";
import { importsOf } from "../testing/imports";
import { violations } from "../testing/layers";
import { repositorySources } from "../testing/repository";

const project = (files: Record<string, string>) => violations(new Map(Object.entries(files)));

describe("the import table", () => {
  it("applies in the whole repository", () => {
    const sources = repositorySources();
    expect(sources.size).toBeGreaterThan(50);
    expect(violations(sources)).toEqual([]);
  });
});

describe("what the import table refuses", () => {
  const nothing = "export const nothing = 0;\n";

  it("accepts an import of a lower tier, of the own module and of components by the service", () => {
    const files = {
      "server/service/application.ts":
        'import { token } from "../oidc/token";\nimport { Page } from "../../components/page";\n',
      "server/oidc/token.ts": 'import { grant } from "./grant";\nimport { one } from "../storage/one";\n',
      "server/oidc/grant.ts": nothing,
      "server/storage/one.ts": 'import { PrismaClient } from "./generated/sqlite/client";\n',
      "components/page.tsx":
        'import type { Flow } from "../server/oidc/grant";\nimport { t } from "../messages/login";\n',
      "messages/login.ts": nothing,
      "app/route.ts": 'export { answer as GET } from "../server/service/service";\n',
      "server/service/service.ts": nothing,
    };
    expect(project(files)).toEqual([]);
  });

  it.each<[string, Record<string, string>, string]>([
    [
      "a higher tier",
      { "server/sessions/a.ts": 'import { b } from "../oidc/b";\n', "server/oidc/b.ts": nothing },
      "server/sessions/a.ts: imports server/oidc/b.ts, but sessions may not import oidc",
    ],
    [
      "a higher tier by a type alone",
      { "server/keys/a.ts": 'import type {\n  B,\n} from "../oidc/b";\n', "server/oidc/b.ts": nothing },
      "server/keys/a.ts: imports server/oidc/b.ts, but keys may not import oidc",
    ],
    [
      "a higher tier at run time",
      { "server/keys/a.ts": 'const b = await import("../oidc/b");\n', "server/oidc/b.ts": nothing },
      "server/keys/a.ts: imports server/oidc/b.ts, but keys may not import oidc",
    ],
    [
      "a neighbour of its tier",
      { "server/keys/a.ts": 'export { b } from "../directory/b";\n', "server/directory/b.ts": nothing },
      "server/keys/a.ts: imports server/directory/b.ts, but keys may not import directory",
    ],
    [
      "the database from a page",
      { "server/web/a.ts": 'import type { B } from "../storage/b";\n', "server/storage/b.ts": nothing },
      "server/web/a.ts: imports server/storage/b.ts, but web may not import storage",
    ],
    [
      "a text of the documentation from a page",
      { "server/web/a.ts": 'import fields from "../../docs/b.json";\n', "docs/b.json": "{}\n" },
      "server/web/a.ts: imports docs/b.json, but web may not import docs",
    ],
    [
      "a component from a use case",
      { "server/login/a.ts": 'import { B } from "../../components/b";\n', "components/b.tsx": nothing },
      "server/login/a.ts: imports components/b.tsx, but login may not import components",
    ],
    [
      "a component from the data of the console",
      { "server/console/a.ts": 'import { B } from "../../components/b";\n', "components/b.tsx": nothing },
      "server/console/a.ts: imports components/b.tsx, but console may not import components",
    ],
    [
      "a component from what pages and server share",
      { "shared/a.ts": 'import { B } from "../components/b";\n', "components/b.tsx": nothing },
      "shared/a.ts: imports components/b.tsx, but shared may not import components",
    ],
    [
      "a value of the server from a component",
      { "components/a.tsx": 'import { b } from "../server/protocol/b";\n', "server/protocol/b.ts": nothing },
      "components/a.tsx: imports server/protocol/b.ts, but components may not import protocol",
    ],
    [
      "more than the service from a route",
      { "app/a/route.ts": 'import { b } from "../../server/oidc/b";\n', "server/oidc/b.ts": nothing },
      "app/a/route.ts: imports server/oidc/b.ts, but app may not import oidc",
    ],
    [
      "more than the service from what Next calls first",
      { "proxy.ts": 'import { b } from "./server/console/b";\n', "server/console/b.ts": nothing },
      "proxy.ts: imports server/console/b.ts, but app may not import console",
    ],
    [
      "what is for tests from what is served",
      { "server/oidc/a.ts": 'import { b } from "../testing/b";\n', "server/testing/b.ts": nothing },
      "server/oidc/a.ts: imports server/testing/b.ts, but oidc may not import testing",
    ],
    [
      "the server from an end-to-end test",
      { "e2e/a.spec.ts": 'import type { B } from "../server/config/config";\n', "server/config/config.ts": nothing },
      "e2e/a.spec.ts: imports server/config/config.ts, but e2e is a black box test",
    ],
    [
      "a driver outside storage",
      { "server/directory/a.ts": 'import Database from "better-sqlite3";\n' },
      "server/directory/a.ts: imports better-sqlite3, but only server/storage knows the database",
    ],
    [
      "a generated client outside storage",
      { "server/events/a.ts": 'import type { Prisma } from "../storage/generated/sqlite/client";\n' },
      "server/events/a.ts: imports ../storage/generated/sqlite/client, but only server/storage knows the database",
    ],
    [
      "Next from a use case",
      { "server/login/a.ts": 'import { cookies } from "next/headers";\n' },
      "server/login/a.ts: imports next/headers, but only app, messages/request.ts and server/main.ts know Next",
    ],
    [
      "the clock in a rule",
      { "server/protocol/a.ts": "export const late = () => Date.now() > 0; // a comment\n" },
      "server/protocol/a.ts: uses Date.now, but protocol reads no clock, no environment and does no I/O",
    ],
    [
      "the environment in a rule",
      { "server/protocol/a.ts": "export const port = process.env.PORT;\n" },
      "server/protocol/a.ts: uses process., but protocol reads no clock, no environment and does no I/O",
    ],
    [
      "a file without a place",
      { "server/helpers/a.ts": nothing },
      "server/helpers/a.ts: has no place in the import table",
    ],
    [
      "a long file",
      { "server/oidc/a.ts": "// line\n".repeat(301) },
      "server/oidc/a.ts: has 301 lines, more than 300; find the missing concept",
    ],
    [
      "a circle",
      {
        "server/oidc/a.ts": 'import { b } from "./b";\n',
        "server/oidc/b.ts": 'import type { C } from "./c";\n',
        "server/oidc/c.ts": 'import { a } from "./a";\n',
      },
      "server/oidc/a.ts: imports itself by way of server/oidc/b.ts → server/oidc/c.ts → server/oidc/a.ts",
    ],
    [
      "a transaction at the edge",
      {
        "server/api/apps/apps.ts":
          'import { changeDirectory } from "../directory/change";\nexport const a = () => changeDirectory();\n',
        "server/directory/change.ts": nothing,
      },
      "server/api/apps/apps.ts: opens a transaction, but api only calls use cases",
    ],
    [
      "a transaction of the database at the edge",
      { "server/web/login/a.ts": "export const a = (ctx) => ctx.db.transaction(async (tx) => tx);\n" },
      "server/web/login/a.ts: opens a transaction, but web only calls use cases",
    ],
    [
      "a statement at the edge",
      { "server/console/a.ts": 'export const a = (db) => db.one(`SELECT "id" FROM "User"`); // SELECT\n' },
      "server/console/a.ts: writes SQL, but console only calls use cases",
    ],
    [
      "a part of a statement at the edge",
      { "server/api/a.ts": 'export const a = (where) => where.push(`k."id" = 1`);\n' },
      "server/api/a.ts: writes SQL, but api only calls use cases",
    ],
    [
      "the database from an operation, be it a type",
      { "server/api/a.ts": 'import type { Row } from "../storage/rows";\n', "server/storage/rows.ts": nothing },
      "server/api/a.ts: imports server/storage/rows.ts, but api may not import storage",
    ],
    [
      "the database from transport",
      { "server/http/a.ts": 'const b = await import("../storage/b");\n', "server/storage/b.ts": nothing },
      "server/http/a.ts: imports server/storage/b.ts, but http may not import storage",
    ],
    [
      "the database from what the console asks",
      { "server/console/a.ts": 'export { b } from "../storage/b";\n', "server/storage/b.ts": nothing },
      "server/console/a.ts: imports server/storage/b.ts, but console may not import storage",
    ],
    [
      "a statement in transport",
      { "server/http/a.ts": 'export const a = (db) => db.run(`DELETE FROM "User"`);\n' },
      "server/http/a.ts: writes SQL, but http only calls use cases",
    ],
    [
      "a handler that decides",
      { "server/api/a.ts": `export const a = {\n  async handle(ctx) {\n${"    // line\n".repeat(13)}  },\n};\n` },
      "server/api/a.ts: line 2 has a handler of 13 lines, more than 12; give its rule a name",
    ],
    [
      "a circle of folders without one of files",
      {
        "server/directory/app/add.ts": 'import { user } from "../user/user";\n',
        "server/directory/app/change.ts": nothing,
        "server/directory/user/user.ts": nothing,
        "server/directory/user/set-state.ts": 'import { change } from "../app/change";\n',
      },
      "server/directory/app: needs itself by way of server/directory/user → server/directory/app",
    ],
    [
      "a circle of folders of components",
      {
        "components/console/apps/a.tsx": 'import { b } from "../users/b";\n',
        "components/console/apps/c.tsx": nothing,
        "components/console/users/b.tsx": nothing,
        "components/console/users/d.tsx": 'import { c } from "../apps/c";\n',
      },
      "components/console/apps: needs itself by way of components/console/users → components/console/apps",
    ],
    [
      "a folder that needs the one it stands in, if that needs it, too",
      {
        "server/directory/names.ts": 'import type { App } from "./app/app";\n',
        "server/directory/cache.ts": nothing,
        "server/directory/app/app.ts": 'import { cache } from "../cache";\n',
      },
      "server/directory: needs itself by way of server/directory/app → server/directory",
    ],
    [
      "I/O behind a client component",
      {
        "components/a.tsx": '// Draws.\n"use client";\nimport { b } from "./b";\n',
        "components/b.ts": 'import { readFileSync } from "node:fs";\n',
      },
      'components/a.tsx: "use client" file reaches node:fs (by way of components/b.ts), which must not enter a browser bundle',
    ],
  ])("refuses %s", (_, files, violation) => {
    expect(project(files)).toEqual([violation]);
  });

  it("refuses cheap password hashes outside of tests", () => {
    expect(project({ "server/login/a.ts": "hashAtCost({ memoryCost: 8 });\n" })).toEqual([
      "server/login/a.ts: uses hashAtCost, but only tests may hash passwords at another cost",
    ]);
    expect(project({ "server/testing/a.ts": "hashAtCost({ memoryCost: 8 });\n" })).toEqual([]);
  });

  it("does not take words in comments for the clock", () => {
    expect(
      project({ "server/protocol/a.ts": '// never Date.now()\n/* process.env */\nexport const u = "https://x";\n' }),
    ).toEqual([]);
  });

  it("reads imports over several lines, re-exports, side effects and text imports", () => {
    const text =
      'import {\n  a,\n  b,\n} from "./a";\nimport "./b";\nexport * from "./c";\nimport css from "./d.css?raw";\n';
    const sources = new Map([
      ["x/f.ts", text],
      ["x/a.tsx", ""],
    ]);
    expect(importsOf("x/f.ts", sources).map(({ file }) => file)).toEqual(["x/a.tsx", "x/b", "x/c", "x/d.css"]);
  });
});
