import { defineConfig } from "@playwright/test";
import { requireNode } from "./scripts/environment.mjs";
import { findChromium } from "./scripts/machine.mjs";

requireNode();

// Real Chromium from the machine (npm test installs it), one service per worker (e2e/fixtures.ts).
export default defineConfig({
  testDir: "e2e",
  outputDir: "test-results/browser",
  fullyParallel: true,
  workers: 2,
  // A test that passes on a retry must be investigated. In CI, scripts/second-try.mjs runs failed tests again and
  // reports them.
  retries: 0,
  forbidOnly: Boolean(process.env.CI),
  // Limits for a busy machine with two cores, far above the time of any test.
  timeout: 300_000,
  expect: { timeout: 60_000 },
  use: {
    locale: "en-US",
    // A trace of every test, kept on failure, takes a sixth of the processor time; TRACE=1 records it.
    trace: process.env.TRACE ? "retain-on-failure" : "off",
    launchOptions: {
      executablePath: findChromium(),
      args: [
        "--no-sandbox",
        "--disable-gpu",
        "--disable-dev-shm-usage",
        "--disable-background-networking",
        "--disable-component-update",
        "--no-first-run",
      ],
    },
  },
});
