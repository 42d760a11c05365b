import { createHash } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { composeMessage } from "../../mail/compose";
import { inScheme } from "../../mail/email-style";
import { apiToken, callApi, refusalOf } from "../../testing/api";
import { acmeWithOpenApp } from "../../testing/example";
import { pathOf } from "../../testing/factors";
import { authorizePath, fillSignIn } from "../../testing/flow";
import { tagsOf } from "../../testing/page-samples";
import { png } from "../../testing/pictures";
import { type TestService, testService } from "../../testing/test-context";

const OURS = "/management/v1/policies/label";
const INSTANCE = "/admin/v1/policies/label";
const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString("base64");

describe("the branding of pages and emails", () => {
  let service: TestService;
  let token: string;
  beforeAll(async () => {
    service = await testService("sqlite", {
      organizations: [acmeWithOpenApp, { id: "other", name: "Other", domains: [] }],
    });
    token = await apiToken(service);
  });
  afterAll(() => service.close());

  const call = (method: string, path: string, body?: unknown) => callApi(service, method, path, { token, body });
  async function page(path = authorizePath()): Promise<{ html: string; headers: Headers }> {
    const browser = service.browser();
    const first = await browser.get(path);
    const last = first.status === 303 ? await browser.get(pathOf(first)) : first;
    return { html: await last.text(), headers: last.headers };
  }
  const styleOf = (html: string) => /<style>(.*?)<\/style>/s.exec(html)?.[1] ?? "";

  it("is previewed, then activated, then reset", async () => {
    const before = (await page()).html;
    expect(refusalOf(await call("PUT", OURS, { primaryColor: "#d00000" }))).toMatchObject({ status: 404 });
    await call("POST", OURS, { primaryColor: "#D00000", themeMode: "LIGHT" });
    expect((await call("GET", `${OURS}/_preview`)).body.policy).toMatchObject({
      primaryColor: "#d00000",
      primaryColorDark: "#d00000",
      themeMode: "THEME_MODE_LIGHT",
      isDefault: false,
    });
    expect((await call("GET", OURS)).body.policy).toMatchObject({ primaryColor: "#0e5a4d", isDefault: true });
    expect(styleOf((await page()).html)).toBe(styleOf(before));

    expect((await call("POST", `${OURS}/_activate`)).body.details.resourceOwner).toBe("acme");
    const { html, headers } = await page();
    expect(styleOf(html)).toMatch(/^:root\{color-scheme:only light;.*--primary:#d00000;/);
    const hash = createHash("sha256").update(styleOf(html)).digest("base64");
    expect(headers.get("content-security-policy")).toContain(`style-src 'sha256-${hash}'`);
    expect(tagsOf(html).find(({ name }) => name === "color-scheme")?.content).toBe("only light");

    expect((await call("DELETE", OURS)).status).toBe(200);
    expect(styleOf((await page()).html)).toBe(styleOf(before));
    expect(refusalOf(await call("POST", `${OURS}/_activate`))).toMatchObject({ id: "label.no_preview" });
    expect(refusalOf(await call("DELETE", OURS))).toMatchObject({ status: 404, id: "policy.not_found" });
  });

  it("is that of the app's organization, or of the scope if it applies; elsewhere that of the instance", async () => {
    await call("PUT", INSTANCE, { primaryColor: "#0000aa" });
    await call("POST", `${INSTANCE}/_activate`);
    expect(styleOf((await page()).html)).toContain("--primary:#0000aa");
    await call("POST", OURS, { primaryColor: "#d00000" });
    await call("POST", `${OURS}/_activate`);
    const scope = "openid urn:service:iam:org:id:other";
    const primaryOf = async (path: string) => /--primary:(#\w+)/.exec(styleOf((await page(path)).html))?.[1];
    expect(await primaryOf(authorizePath())).toBe("#d00000");
    expect(await primaryOf(authorizePath({ scope, client_id: "open" }))).toBe("#0000aa");
    expect(await primaryOf(authorizePath({ scope }))).toBe("#d00000");
    expect(await primaryOf("/")).toBe("#0000aa");
    await call("DELETE", OURS);
    await call("PUT", INSTANCE, {});
    await call("POST", `${INSTANCE}/_activate`);
    expect(await primaryOf("/")).toBe("#0e5a4d");
  });

  it("is that of the user's organization in emails and on account pages", async () => {
    await call("POST", OURS, { primaryColor: "#d00000" });
    await call("PUT", `${OURS}/logo`, { content: base64(png(50, 10)) });
    await call("POST", `${OURS}/_activate`);
    const message = await composeMessage(service.ctx, { type: "password_change", userId: "u-bob", language: "en" });
    const html = typeof message === "string" ? message : message.html;
    expect(html).toContain("background-color:#d00000");
    expect(html).toMatch(/<img class="logo" src="http:\/\/localhost:8080\/assets\/v1\/[\w-]{43}" alt="ACME"/);
    const browser = service.browser();
    await fillSignIn(browser, await browser.get(authorizePath()), { loginName: "bob@acme.test" });
    const own = await browser.get(pathOf(await browser.get("/account")));
    expect(styleOf(await own.text())).toContain("--primary:#d00000");
    await call("DELETE", OURS);
  });

  it("warns about colours without contrast, and accepts them", async () => {
    const { status, body } = await call("POST", OURS, { primaryColor: "#ffff00", fontColor: "#101010" });
    expect(status).toBe(200);
    expect(body.warnings).toEqual([{ field: "primaryColor", message: expect.stringContaining("1.0:1") }]);
    const changed = await call("PUT", OURS, { primaryColor: "#005500", backgroundColor: "#202020" });
    expect(changed.body.warnings.map(({ field }: { field: string }) => field)).toContain("fontColor");
    expect((await call("GET", `${OURS}/_preview`)).body.warnings).toEqual(changed.body.warnings);
    expect((await call("PUT", OURS, { primaryColor: "#005500" })).body.warnings).toEqual([]);
    await call("DELETE", OURS);
  });

  describe("pictures", () => {
    const logo = png(480, 96);
    const digest = createHash("sha256").update(logo).digest("base64url");

    it("are on the page in their displayed size, and cached forever", async () => {
      expect((await call("PUT", `${OURS}/logo`, { content: base64(logo) })).status).toBe(200);
      await call("PUT", `${OURS}/logo_dark`, { content: base64(png(100, 20)) });
      await call("PUT", `${OURS}/icon`, { content: base64(png(64, 64)) });
      await call("PUT", OURS, { disableWatermark: true });
      await call("POST", `${OURS}/_activate`);
      const { policy } = (await call("GET", OURS)).body;
      expect(policy.logoUrl).toBe(`${service.config.baseUrl}/assets/v1/${digest}`);
      expect(policy.iconUrlDark).toBeUndefined();

      const { html } = await page();
      const tags = tagsOf(html);
      expect(tags.find(({ tag }) => tag === "img")).toMatchObject({
        src: `/assets/v1/${digest}`,
        alt: "ACME",
        width: "240",
        height: "48",
      });
      expect(tags.find(({ tag }) => tag === "source")).toMatchObject({ width: "100", height: "20" });
      expect(tags.filter(({ rel }) => rel === "icon").map(({ href }) => href)).toEqual([
        ...[policy.iconUrl.slice(service.config.baseUrl.length)],
      ]);
      expect(html).not.toContain("Identity Service");

      const answer = await service.fetch(`/assets/v1/${digest}`);
      expect(Buffer.from(await answer.arrayBuffer()).equals(logo)).toBe(true);
      expect(Object.fromEntries(answer.headers)).toMatchObject({
        "content-type": "image/png",
        "cache-control": "public, max-age=31536000, immutable",
        "x-content-type-options": "nosniff",
        "content-security-policy": "default-src 'none'; sandbox",
      });
      const again = await service.fetch(`/assets/v1/${digest}`, { headers: { "if-none-match": `"${digest}"` } });
      expect(again.status).toBe(304);
    });

    it("are accepted as the file of a form too, from callers with the permission (RFC 7578)", async () => {
      const send = async (path: string, form?: FormData, headers = { authorization: `Bearer ${token}` }) => {
        const answer = await service.fetch(`/assets/v1/${path}`, { method: "POST", body: form, headers });
        return { status: answer.status, headers: answer.headers, body: await answer.json() };
      };
      const form = (name: string, content: Uint8Array<ArrayBuffer>) => {
        const data = new FormData();
        data.set(name, new Blob([content], { type: "image/svg+xml" }), "logo.svg");
        return data;
      };
      const logoForm = () => form("file", new Uint8Array(png(7, 7)));
      expect((await send("org/policy/label/logo/dark", logoForm())).status).toBe(200);
      expect((await call("GET", `${OURS}/_preview`)).body.policy.logoUrlDark).toBeDefined();
      expect(refusalOf(await send("org/policy/label/logo", form("picture", new Uint8Array(9))))).toMatchObject({
        status: 400,
        id: "request.no_file",
      });
      expect(refusalOf(await send("org/policy/label/icon", form("file", new Uint8Array(9)))).id).toBe(
        "picture.no_picture",
      );
      expect((await send("org/policy/label/icon", form("file", new Uint8Array(800_000)))).status).toBe(413);
      expect(refusalOf(await send("instance/policy/label/icon")).id).toBe("request.no_file");
      expect((await send("instance/policy/label/logo_dark", logoForm())).status).toBe(404);
      expect((await send("nobody/policy/label/logo", logoForm())).status).toBe(404);
      const bob = { authorization: `Bearer ${await apiToken(service, "bob@acme.test")}` };
      expect(refusalOf(await send("instance/policy/label/icon", logoForm(), bob)).id).toBe("access.denied");
    });

    it("can be removed one by one", async () => {
      expect((await call("DELETE", `${OURS}/logo_dark`)).status).toBe(200);
      expect(refusalOf(await call("DELETE", `${OURS}/logo_dark`))).toMatchObject({
        status: 404,
        id: "picture.not_found",
      });
      expect((await call("GET", `${OURS}/_preview`)).body.policy.logoUrlDark).toBeUndefined();
      expect((await call("GET", OURS)).body.policy.logoUrlDark).toBeDefined();
      await call("DELETE", OURS);
    });

    const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>');
    it.each<[string, unknown, string]>([
      ["an SVG, which can carry script", { content: base64(svg) }, "picture.no_picture"],
      ["a page that calls itself a picture", { content: base64(Buffer.from("<!doctype html>")) }, "picture.no_picture"],
      ["nothing", { content: "" }, "picture.no_picture"],
      ["a PNG without pixels", { content: base64(png(0, 0)) }, "picture.no_picture"],
      ["more than 512 kB", { content: base64(Buffer.concat([logo, Buffer.alloc(512 * 1024)])) }, "picture.too_large"],
      ["more pixels than a page needs", { content: base64(png(4097, 1)) }, "picture.too_many_pixels"],
      ["what is not base64", { content: "<svg>" }, "request.invalid"],
    ])("refuse %s", async (_, body, id) => {
      expect(refusalOf(await call("PUT", `${OURS}/logo`, body))).toEqual({ status: 400, code: 3, id });
      expect((await call("GET", `${OURS}/_preview`)).body.policy).toMatchObject({ isDefault: true });
    });

    it("refuse a body larger than any picture: 413", async () => {
      expect((await call("PUT", `${OURS}/logo`, { content: "A".repeat(1024 * 1024) })).status).toBe(413);
    });

    it.each(["x", "A".repeat(43), "..%2f..%2fetc%2fpasswd", `${digest}.png`])("are not found at %s", async (at) => {
      expect((await service.fetch(`/assets/v1/${at}`)).status).toBe(404);
    });

    it("are kept for emails that refer to them, twenty beside those in use", async () => {
      for (let width = 1; width <= 24; width++) {
        await call("PUT", `${OURS}/icon`, { content: base64(png(width, 7)) });
        service.advance(1_000);
      }
      expect(await service.ctx.db.prisma.asset.count({ where: { ownerId: "acme" } })).toBe(21);
      await call("DELETE", OURS);
    });
  });

  it("omits the suffix of login names on pages that name the account", async () => {
    await call("POST", OURS, { hideLoginNameSuffix: true });
    await call("POST", `${OURS}/_activate`);
    const browser = service.browser();
    await fillSignIn(browser, await browser.get(authorizePath()), { loginName: "bob@acme.test" });
    const choice = await browser.get(pathOf(await browser.get(authorizePath({ prompt: "select_account" }))));
    const html = await choice.text();
    expect(styleOf(html)).toContain(".who .suffix,.lead .suffix{display:none}");
    expect(html).toContain('<bdi>bob<span class="suffix"><wbr/>@acme.test</span></bdi>');
    await call("DELETE", OURS);
    expect(styleOf((await page()).html)).not.toContain(".suffix");
  });

  describe("preview", () => {
    const render = async (body: object) => (await call("POST", `${OURS}/_render`, body)).body;

    it("is the sign-in page itself, with its warnings, and changes nothing", async () => {
      const { html, warnings } = await render({ primaryColor: "#ffee00", language: "de" });
      expect(styleOf(html)).toContain("--primary:#ffee00");
      expect(tagsOf(html)[0]).toMatchObject({ tag: "html", lang: "de" });
      expect(html).toContain("<bdi>ACME</bdi>");
      expect(warnings).toHaveLength(1);
      expect((await call("GET", `${OURS}/_preview`)).body.policy.isDefault).toBe(true);
    });

    it("is an email with the organization's texts", async () => {
      const { html } = await render({ primaryColor: "#ffee00", page: "mail" });
      expect(html).toContain("background-color:#ffee00;color:#000000");
      expect(html).toContain("Confirm your email address");
    });

    it("has the previewed pictures, and their colours if none are given", async () => {
      await call("POST", OURS, { primaryColor: "#123456" });
      await call("PUT", `${OURS}/logo`, { content: base64(png(8, 8)) });
      for (const body of [{}, { primaryColor: "#123456" }]) {
        const { html } = await render(body);
        expect([styleOf(html).includes("--primary:#123456"), html.includes("/assets/v1/")]).toEqual([true, true]);
      }
      await call("DELETE", OURS);
    });

    it("has an unsaved logo, if it is a picture, and ratings of the contrast in light and dark", async () => {
      const logo = base64(png(120, 40));
      for (const page of ["login", "mail"]) {
        const { html } = await render({ logo, page });
        expect(html, page).toContain(`src="data:image/png;base64,${logo}"`);
        expect(html, page).not.toContain("/assets/v1/");
      }
      expect((await call("GET", `${OURS}/_preview`)).body.policy).not.toHaveProperty("logoUrl");
      for (const wrong of [base64(new TextEncoder().encode("<svg/>")), "?", "A".repeat(40_004)]) {
        expect(refusalOf(await call("POST", `${OURS}/_render`, { logo: wrong })), wrong).toMatchObject({ status: 400 });
      }
      const weak = { primaryColor: "#ffe08a", backgroundColor: "#ffffff", primaryColorDark: "#ffe08a" };
      const { contrasts } = await render(weak);
      const isEnough = (scheme: string, of: string) =>
        contrasts.find((each: { scheme: string; of: string }) => each.scheme === scheme && each.of === of).isEnough;
      expect([isEnough("light", "button"), isEnough("light", "link"), isEnough("light", "text")]).toEqual([
        true,
        false,
        true,
      ]);
      expect(isEnough("dark", "link")).toBe(true);
      expect((await render({ themeMode: "THEME_MODE_LIGHT" })).contrasts).toHaveLength(4);
    });

    it("is available in light and dark, independent of the reader's scheme", async () => {
      const { html } = await render({ primaryColor: "#d00000" });
      expect(inScheme(html, "dark")).toContain("color-scheme:dark;");
      expect(inScheme(html, "dark")).toContain("@media all{:root{--ground");
      expect(inScheme(html, "light")).toContain("@media not all{:root{--ground");
    });
  });

  it("is readable with the permission to read policies, and not changeable with it (nor by foreign organizations)", async () => {
    const bob = await apiToken(service, "bob@acme.test");
    for (const path of [OURS, INSTANCE, `${OURS}/logo`]) {
      const answer = await callApi(service, "PUT", path, { token: bob, body: {} });
      expect(refusalOf(answer)).toEqual({ status: 403, code: 7, id: "access.denied" });
    }
  });
});
