import { describe, expect, it } from "vitest";
import { repositorySources } from "./repository";
import { testFiles, testsFor } from "./selection";

const project = new Map(
  Object.entries({
    "server/protocol/a.ts": "export const a = 0;\n",
    "server/protocol/b.ts": 'import { a } from "./a";\n',
    "server/protocol/b.test.ts": 'import { it } from "vitest";\nimport { b } from "./b";\n',
    "server/protocol/c.test.ts": 'import type { Client } from "pg";\nimport type { Db } from "../storage/db";\n',
    "server/storage/db.ts": 'import pg from "pg";\n',
    "server/storage/db.test.ts": 'import { db } from "./db";\n',
    "server/login/sign-in.ts": 'import { b } from "../protocol/b";\nimport { db } from "../storage/db";\n',
    "server/login/sign-in.test.ts": 'import { signIn } from "./sign-in";\n',
    "server/login/enumeration.test.ts": 'import { signIn } from "./sign-in";\n',
    "server/web/page.test.ts": 'import { signIn } from "../login/sign-in";\nimport { a } from "../protocol/a";\n',
    "server/web/other.test.ts": 'import { signIn } from "../login/sign-in";\n',
    "scripts/run.test.ts": 'import { spawn } from "node:child_process";\n',
    "server/mail/letter.ts": 'import { renderToStaticMarkup } from "react-dom/server";\n',
    "server/mail/letter.test.ts": 'import { letter } from "./letter";\n',
    "e2e/some.test.ts": "",
  }),
);

describe("the tests of rules", () => {
  it("are those whose imports, types aside, reach no database, no program and no rendering of pages", () => {
    const { rules, service } = testFiles(project);
    expect(rules).toEqual(["server/protocol/b.test.ts", "server/protocol/c.test.ts"]);
    expect(service).toContain("server/storage/db.test.ts");
    expect(service).toContain("scripts/run.test.ts");
    expect(service).toContain("server/mail/letter.test.ts");
    expect(service).toHaveLength(7);
  });

  it("are many and include those of the protocol", () => {
    const { rules, service } = testFiles(repositorySources());
    expect(rules.length).toBeGreaterThan(60);
    expect(rules).toContain("server/protocol/pkce.test.ts");
    expect(service).toContain("server/oidc/grants/authorization-code.test.ts");
  });
});

describe("the tests for a change", () => {
  it("of a rule are the rules that reach it, the tests that import it, and a few of the whole service", () => {
    expect(testsFor(["server/protocol/a.ts"], project)).toEqual({
      rules: ["server/protocol/b.test.ts"],
      service: ["server/login/enumeration.test.ts", "server/web/page.test.ts"],
    });
  });

  it("of the service are those beside it and those that import it", () => {
    expect(testsFor(["server/storage/db.ts"], project)).toEqual({
      rules: [],
      service: ["server/login/enumeration.test.ts", "server/storage/db.test.ts"],
    });
  });

  it("of a test are the test", () => {
    expect(testsFor(["server/web/other.test.ts"], project).service).toContain("server/web/other.test.ts");
    expect(testsFor(["server/protocol/c.test.ts"], project).rules).toEqual(["server/protocol/c.test.ts"]);
  });

  it("of a file without importers are all rules", () => {
    expect(testsFor(["messages/en/login.json"], project).rules).toHaveLength(2);
  });

  it("are none when nothing changed", () => {
    expect(testsFor([], project)).toEqual({ rules: [], service: [] });
  });

  it("include only files that exist", () => {
    const { service } = testsFor(["server/protocol/pkce.ts"], repositorySources());
    expect(service).toEqual(
      expect.arrayContaining([
        "server/api/operation/odd-input.test.ts",
        "server/login/enumeration.test.ts",
        "server/oidc/grants/authorization-code.test.ts",
      ]),
    );
    expect(service.length).toBeLessThan(12);
  });
});
