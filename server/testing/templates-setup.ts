/** Vitest's global setup: a folder for the migrated databases that tests copy, which its processes share until the end. */
import fs from "node:fs";
import os from "node:os";
import path from "node:path";

export default function setup(): () => void {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "test-templates-"));
  process.env.TEST_TEMPLATES = folder;
  return () => fs.rmSync(folder, { recursive: true, force: true });
}
