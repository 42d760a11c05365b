import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { requireNode } from "./scripts/environment.mjs";
import { UNIT_TEST_FLAGS } from "./scripts/short-life.mjs";
import { repositorySources } from "./server/testing/repository.ts";
import { testFiles, testsFor } from "./server/testing/selection.ts";

requireNode();

// Tests are beside the code; e2e/ belongs to Playwright.
const sources = repositorySources();
// `npm test -- changed` passes the files of the change, one a line.
const changed = process.env.TEST_CHANGED?.split("\n").filter(Boolean);
const { rules, service } = changed ? testsFor(changed, sources) : testFiles(sources);

/** Makes Prisma compile a statement once per process instead of once per test. */
const compilers = fileURLToPath(new URL("server/testing/query-compilers", import.meta.url));
const alias = [
  { find: /^@prisma\/client\/runtime\/query_compiler_fast_bg\.(\w+)\.mjs$/, replacement: `${compilers}/$1.ts` },
];

export default defineConfig({
  test: {
    maxWorkers: 2,
    projects: [
      // Tests without a database, an application and a page: seconds together, `npm run test:rules`.
      { extends: true, test: { name: "rules", include: rules, sequence: { groupOrder: 0 } } },
      {
        extends: true,
        test: {
          name: "service",
          include: service,
          alias,
          sequence: { groupOrder: 1 },
          setupFiles: "server/testing/setup.ts",
          // A PostgreSQL cluster for the run, started by the first test that needs it, and a folder for migrated
          // databases.
          globalSetup: ["server/testing/postgres-setup.ts", "server/testing/templates-setup.ts"],
        },
      },
    ],
    passWithNoTests: changed !== undefined,
    // The production build of React: its development build spends the time of a page on stack traces.
    env: { NODE_ENV: "production" },
    // A style sheet imported as text (`?raw`) would be empty: vitest skips style sheets unless they are named here.
    css: { include: /\?raw$/ },
    // For argon2id and whole flows on a busy machine with two cores.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 60_000 } },
    // Loading the modules for every file would take as long as the tests. Modules keep no state between two contexts.
    isolate: false,
    execArgv: UNIT_TEST_FLAGS,
  },
  oxc: { jsx: { runtime: "automatic", development: false } },
});
