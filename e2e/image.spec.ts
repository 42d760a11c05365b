/** The result of the Dockerfile without a container: an unprivileged process that can only write to its data. */
import { execFileSync } from "node:child_process";
import { chmodSync, mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inProject } from "../scripts/environment.mjs";
import { expect, test } from "./fixtures";
import { startService } from "./service";

const NOBODY = 65534;

test("the image serves login, console and documents from a folder that it cannot write to", async ({ page }) => {
  const folder = mkdtempSync(join(tmpdir(), "image-"));
  execFileSync(process.execPath, [inProject("scripts", "image.mjs"), folder]);
  eachEntry(folder, (path) => chmodSync(path, statSync(path).isDirectory() ? 0o555 : 0o444));
  expect(readdirSync(join(folder, "node_modules"))).not.toContain("prisma");

  const service = await startService({ from: folder, uid: process.getuid?.() === 0 ? NOBODY : undefined });
  try {
    const link = /http\S+\/setup\?token=[\w-]+/.exec(service.output())?.[0] ?? "";
    await page.goto(link);
    await page.locator("#organizationName").fill("Navy");
    await page.locator("#email").fill("grace@navy.test");
    await page.locator("#givenName").fill("Grace");
    await page.locator("#familyName").fill("Hopper");
    await page.locator("#password").fill("a few random words work well");
    await page.locator("#submit").click();
    await page.goto(`${service.baseUrl}/console`);
    if ((await page.locator("#loginName").count()) > 0) {
      await page.locator("#loginName").fill("grace@navy.test");
      await page.locator("#password").fill("a few random words work well");
      await page.locator("#submit").click();
    }
    await expect(page.getByRole("navigation").first()).toBeVisible();
    expect((await page.request.get(`${service.baseUrl}/openapi.json`)).status()).toBe(200);
  } finally {
    await service.stop();
    eachEntry(folder, (path) => chmodSync(path, 0o755));
    rmSync(folder, { recursive: true, force: true });
  }
});

/** Visits folders after their content. */
function eachEntry(folder: string, act: (path: string) => void) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) eachEntry(path, act);
    else act(path);
  }
  act(folder);
}
