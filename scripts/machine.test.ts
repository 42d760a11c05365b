import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { findChromium } from "./machine.mjs";

describe("the browser of the tests", () => {
  let folder = "";
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "machine-test-"));
    vi.stubEnv("PATH", `/nowhere:${folder}`);
    vi.stubEnv("CHROMIUM", undefined);
  });
  afterEach(() => {
    vi.unstubAllEnvs();
    rmSync(folder, { recursive: true });
  });

  /** Writes a program that exits with `status`. Returns its folder. */
  function put(name: string, status = 0): string {
    const path = join(folder, name);
    writeFileSync(path, `#!/bin/sh\nexit ${status}\n`);
    chmodSync(path, 0o755);
    return path;
  }

  it("is one without windows if the machine has it", () => {
    put("chromium");
    const headless = put("chromium-headless-shell");
    expect(findChromium()).toBe(headless);
  });

  it("is another one if that is missing or does not start", () => {
    const chromium = put("chromium");
    expect(findChromium()).toBe(chromium);
    put("chromium-headless-shell", 127);
    expect(findChromium()).toBe(chromium);
  });

  it("is the one that CHROMIUM names", () => {
    put("chromium-headless-shell");
    vi.stubEnv("CHROMIUM", "/opt/browser");
    expect(findChromium()).toBe("/opt/browser");
  });
});
