/**
 * The look of an organization as people meet it: brands of every kind, by day and by night, on a phone and a desk.
 * Nothing for axe to find, however the colours were chosen; nothing that moves when the logo arrives. The pictures are
 * kept to be looked at: test-results/brands.
 */
import { crc32, deflateSync } from "node:zlib";
import type { Page } from "@playwright/test";
import { startService } from "../../scripts/service.mjs";
import { findings } from "../axe";
import { clients, directory, machine } from "../directory";
import { test as base, expect } from "../fixtures";

interface File {
  organizations: { machines?: object[] }[];
}

/** A service whose machine may set everything. */
const test = base.extend<object, { service: { baseUrl: string; output(): string } }>({
  service: [
    async ({ application }, use) => {
      const bootstrap = structuredClone(directory(application, [])) as File;
      const [acme] = bootstrap.organizations;
      if (acme) acme.machines = acme.machines?.map((of) => ({ ...of, roles: ["IAM_OWNER"] }));
      const service = await startService({ bootstrap });
      await use(service);
      await service.stop();
    },
    { scope: "worker", timeout: 180_000 },
  ],
});
test.describe.configure({ mode: "serial" });

/** A PNG of one colour. */
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

/** Calls the API as the machine does. */
async function api(baseUrl: string): Promise<(method: string, path: string, body?: object) => Promise<Response>> {
  const scope = "openid urn:service:iam:org:project:id:service:aud";
  const answer = await fetch(`${baseUrl}/oauth/v2/token`, {
    method: "POST",
    headers: { authorization: `Basic ${Buffer.from(`${machine.clientId}:${machine.secret}`).toString("base64")}` },
    body: new URLSearchParams({ grant_type: "client_credentials", scope }),
  });
  const { access_token: token } = (await answer.json()) as { access_token: string };
  return (method, path, body) =>
    fetch(`${baseUrl}/management/v1/policies/label${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, ...(body && { "content-type": "application/json" }) },
      ...(body && { body: JSON.stringify(body) }),
    });
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

/** The sign-in page with an error on it, so that every colour is there. */
async function openRefused(page: Page, baseUrl: string, redirectUri: string): Promise<void> {
  const request = { client_id: clients.basic, redirect_uri: redirectUri, response_type: "code", scope: "openid" };
  await page.goto(`${baseUrl}/oauth/v2/authorize?${new URLSearchParams(request)}`);
  await page.locator("#submit").click();
  await expect(page.locator("#error-summary")).toBeVisible();
}

for (const [name, { colours, logo }] of Object.entries(brands)) {
  test(`${name} can be read by day and by night`, async ({ page, service, relyingParty }) => {
    const call = await api(service.baseUrl);
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
      expect(await page.locator("img.logo").evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(480);
    }
    for (const width of [320, 1280]) {
      await page.setViewportSize({ width, height: 800 });
      for (const colorScheme of ["light", "dark"] as const) {
        await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
        expect(await findings(page), `${name}, ${colorScheme}, ${width}`).toEqual([]);
        await page.screenshot({ path: `test-results/brands/${name}-${colorScheme}-${width}.png`, fullPage: true });
      }
    }
    await page.reload();
    expect(await page.evaluate(() => (window as unknown as { shift: number }).shift)).toBe(0);
    expect((await call("DELETE", "")).status).toBe(200);
  });
}
