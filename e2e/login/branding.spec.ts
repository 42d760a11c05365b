/**
 * The branding of an organization for users: brands of every kind, in light and dark mode, on a phone and on a
 * desktop. axe finds nothing, whatever the colours; nothing moves when the logo arrives. The pictures are kept in
 * test-results/brands.
 */
import { crc32, deflateSync } from "node:zlib";
import type { Page } from "@playwright/test";
import { COLOUR_RULES, findings } from "../axe";
import { clients } from "../directory";
import { callAt, expect, test } from "../managed";
import { keepPicture } from "../pictures";

test.describe.configure({ mode: "serial" });

/** Returns a PNG of one colour. */
function png(width: number, height: number, rgb: readonly number[]): Buffer {
  const chunk = (name: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(name, "latin1"), data]);
    const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
    length.writeUInt32BE(data.length);
    sum.writeUInt32BE(crc32(body));
    return Buffer.concat([length, body, sum]);
  };
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2, 0, 0, 0], 8);
  const row = Buffer.from([0, ...Array.from({ length: width }, () => rgb).flat()]);
  const pixels = deflateSync(Buffer.concat(Array.from({ length: height }, () => row)));
  const parts = [chunk("IHDR", header), chunk("IDAT", pixels), chunk("IEND", Buffer.alloc(0))];
  return Buffer.concat([Buffer.from("\x89PNG\r\n\x1a\n", "latin1"), ...parts]);
}

const brands: Record<string, { colours: object; logo?: boolean }> = {
  "a usual brand": { colours: { primaryColor: "#c8102e", backgroundColor: "#faf5f5" }, logo: true },
  "always dark": {
    colours: { themeMode: "THEME_MODE_DARK", primaryColorDark: "#ff9900", backgroundColorDark: "#10141f" },
  },
  "yellow on white": {
    colours: { primaryColor: "#ffff00", fontColor: "#ffff66", warnColor: "#ffcc00", backgroundColor: "#ffffff" },
    logo: true,
  },
  "white on navy": {
    colours: { primaryColor: "#ffd500", backgroundColor: "#0a2a66", fontColor: "#ffffff", disableWatermark: true },
  },
  "grey on grey": {
    colours: { primaryColor: "#777777", backgroundColor: "#777777", fontColor: "#777777", warnColor: "#777777" },
  },
};

/** Opens the sign-in page with an error, so that it contains every colour. */
async function openRefused(page: Page, baseUrl: string, redirectUri: string): Promise<void> {
  const request = { client_id: clients.basic, redirect_uri: redirectUri, response_type: "code", scope: "openid" };
  await page.goto(`${baseUrl}/oauth/v2/authorize?${new URLSearchParams(request)}`);
  await page.locator("#submit").click();
  await expect(page.locator("#error-summary")).toBeVisible();
}

for (const [name, { colours, logo }] of Object.entries(brands)) {
  test(`${name} can be read by day and by night`, async ({ page, service, relyingParty }) => {
    const call = await callAt(service.baseUrl, "/management/v1/policies/label");
    expect((await call("POST", "", colours)).status).toBe(200);
    if (logo) {
      const content = png(480, 96, [200, 16, 46]).toString("base64");
      expect((await call("PUT", "/logo", { content })).status).toBe(200);
    }
    expect((await call("POST", "/_activate")).status).toBe(200);
    await page.addInitScript(() => {
      const seen = window as unknown as { shift: number };
      seen.shift = 0;
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) seen.shift += (entry as PerformanceEntry & { value: number }).value;
      }).observe({ type: "layout-shift", buffered: true });
    });
    await openRefused(page, service.baseUrl, relyingParty.redirectUri);
    if (logo) {
      await expect(page.locator("img.logo")).toHaveAttribute("alt", "ACME");
      await expect(page.locator("img.logo")).toHaveJSProperty("naturalWidth", 480); // once it has arrived
    }
    for (const width of [320, 1280]) {
      await page.setViewportSize({ width, height: 800 });
      for (const colorScheme of ["light", "dark"] as const) {
        await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
        expect(await findings(page, COLOUR_RULES), `${name}, ${colorScheme}, ${width}`).toEqual([]);
        await keepPicture(page, `brands/${name}-${colorScheme}-${width}`);
      }
    }
    await page.reload();
    expect(await page.evaluate(() => (window as unknown as { shift: number }).shift)).toBe(0);
    expect((await call("DELETE", "")).status).toBe(200);
  });
}
