import { defineConfig } from "vitest/config";

// Tests stand beside the code; e2e/ belongs to Playwright.
export default defineConfig({
  oxc: { jsx: { runtime: "automatic", development: false } },
  test: {
    include: ["{bench,components,messages,scripts,server}/**/*.test.{ts,tsx}"],
    // A style sheet imported as text (`?raw`) would be empty: vitest skips style sheets unless they are named here.
    env: { NODE_ENV: "production" },
    css: { include: /\?raw$/ },
    // argon2id and whole flows on a busy machine with two cores.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 20_000 } },
    maxWorkers: 2,
    // Loading the modules for every file would take as long as the tests; they keep nothing between two contexts.
    isolate: false,
    setupFiles: "server/testing/setup.ts",
    // A PostgreSQL cluster for the run, started by the first test that asks; a folder for migrated databases.
    globalSetup: ["server/testing/postgres-setup.ts", "server/testing/templates-setup.ts"],
  },
});
