import http from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { requestListener } from "../service/http-server/request-listener";
import { updateUser } from "../storage/user/user";
import { exampleBootstrap } from "../testing/example";
import { fillSignIn } from "../testing/flow";
import { BASE_URL, type TestService, testService } from "../testing/test-context";
import { consoleGate } from "./gate";

/** The timeout for a busy machine. */
const PATIENCE = { timeout: 60_000 };

describe("The gate before the console's pages", () => {
  let service: TestService;
  let server: http.Server;
  let cookie: string;
  /** Runs while Next.js renders a page. */
  let whileMade: (response: http.ServerResponse) => Promise<void> = async () => {};

  beforeAll(async () => {
    service = await testService("sqlite", exampleBootstrap);
    const options = {
      ...service,
      gate: consoleGate(service.ctx, { development: false }),
      // Replaces Next.js and returns the headers that it received.
      next: async ({ headers, url }: http.IncomingMessage, response: http.ServerResponse) => {
        const { "content-security-policy": policy, "x-console-locale": locale, "x-console-path": path } = headers;
        const planted = Object.keys(headers).filter((name) => /nonce|middleware|invoke|x-console-other/.test(name));
        const { "x-console-organization": organization, "x-console-zone": zone } = headers;
        await whileMade(response);
        response.end(JSON.stringify({ url, policy, locale, path, planted, organization, zone }));
      },
    };
    server = http.createServer(requestListener(options));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));

    const browser = service.browser();
    const follow = async (response: Response) =>
      browser.get((response.headers.get("location") ?? "").replace(BASE_URL, ""));
    const authorize = await follow(await browser.get("/console/sign-in"));
    await follow(await fillSignIn(browser, authorize));
    cookie = `console=${browser.cookies.get("console")}`;
  });
  afterAll(async () => {
    server.close();
    await service.close();
  });

  function get(
    path: string,
    headers: Record<string, string> = {},
  ): Promise<{ response: http.IncomingMessage; body: string }> {
    const { port } = server.address() as AddressInfo;
    const options = { host: "127.0.0.1", port, path, headers: { host: new URL(BASE_URL).host, ...headers } };
    return new Promise((resolve, reject) => {
      const request = http.get(options, (response) => {
        let body = "";
        response.setEncoding("utf8").on("data", (text: string) => {
          body += text;
        });
        response.on("end", () => resolve({ response, body }));
      });
      request.on("error", reject);
    });
  }

  it.each([
    ["/console", "/console/sign-in?to=%2Fconsole"],
    ["/console/mail?page=x&_rsc=1abc", "/console/sign-in?to=%2Fconsole%2Fmail%3Fpage%3Dx"],
  ])("redirects a request without a session from %s to %s", async (path, location) => {
    const { response } = await get(path);
    expect(response.statusCode).toBe(303);
    expect(response.headers.location).toBe(location);
  });

  it("rejects another host name, and the sign-in page names the right one", async () => {
    const host = "evil.test";
    expect((await get("/console", { cookie, host })).response.statusCode).toBe(303);
    expect((await get("/console/sign-in", { cookie, host, accept: "text/html" })).response.statusCode).toBe(421);
  });

  it("replaces the policy and the language that a request brings, per request", async () => {
    const planted = {
      "content-security-policy": "script-src 'nonce-planted'",
      "x-console-locale": "xx",
      "x-console-path": "/console/organizations/foreign",
      "x-console-other": "x",
      "x-console-organization": "foreign",
      "x-console-zone": "Asia/Tokyo",
      "x-nonce": "planted",
      "x-middleware-subrequest": "middleware",
      "x-invoke-path": "/console/organizations/foreign",
    };
    const first = await get("/console/mail?page=x", { cookie, ...planted, "accept-language": "de-CH" });
    const { policy, locale, path, organization, zone, planted: kept } = JSON.parse(first.body);
    expect([kept, organization, zone]).toEqual([[], "", ""]);
    expect(locale).toBe("en"); // Ada's preferred language
    expect(path).toBe("/console/mail");
    expect(policy).toBe(first.response.headers["content-security-policy"]);
    expect(policy).toMatch(/script-src 'nonce-[\w-]{43}' 'strict-dynamic';/);
    expect(policy).not.toMatch(/unsafe|planted/);
    expect(JSON.parse((await get("/console/mail", { cookie })).body).policy).not.toBe(policy);
  });

  it("passes on the browser's time zone, and no invalid one", async () => {
    const told = async (zone: string) =>
      JSON.parse((await get("/console", { cookie: `${cookie}; tz=${zone}` })).body).zone;
    expect([await told("Europe/Berlin"), await told("Nowhere/Land")]).toEqual(["Europe/Berlin", ""]);
  });

  it("remembers the last organization, for pages whose address names none", async () => {
    const { response, body } = await get("/console/organizations/a%C3%A9/users", { cookie });
    expect(JSON.parse(body).organization).toBe("a%C3%A9");
    const [set = ""] = response.headers["set-cookie"] ?? [];
    expect(set).toBe("console-organization=a%C3%A9; Path=/console; HttpOnly; SameSite=Lax");
    const remembered = { cookie: `${cookie}; ${set.split(";")[0]}` };
    const mail = await get("/console/mail", remembered);
    expect(JSON.parse(mail.body).organization).toBe("a%C3%A9");
    expect(mail.response.headers["set-cookie"]).toBeUndefined();
    expect((await get("/console/organizations/a%C3%A9", remembered)).response.headers["set-cookie"]).toBeUndefined();
    const other = await get("/console/organizations/other", remembered);
    expect(JSON.parse(other.body).organization).toBe("other");
  });

  it.each<Record<string, string>>([{ "sec-purpose": "prefetch" }, { "x-read-ahead": "1" }])(
    "answers a prefetch without a trace (%o)",
    async (purpose) => {
      const ahead = { cookie, ...purpose };
      expect((await get("/console/mail", ahead)).response.statusCode).toBe(200);
      const refused = [
        ["/console/mail", { ...ahead, cookie: "" }], // would start a sign-in
        ["/console/mail?ui_locales=de", ahead],
      ] as const;
      for (const [path, headers] of refused) {
        const { response } = await get(path, headers);
        expect([response.statusCode, response.headers.location, response.headers["set-cookie"]]).toEqual([
          425,
          undefined,
          undefined,
        ]);
      }
      const { response } = await get("/console/organizations/acme/users", ahead);
      expect([response.statusCode, response.headers["set-cookie"]]).toEqual([200, undefined]);
    },
  );

  it("keeps the organization of the page from which the visitor comes, if it is one of the console", async () => {
    const from = (referer: string) => get("/console/mail", { cookie, referer });
    const own = await from(`${BASE_URL}/console/organizations/acme/users?page=2`);
    expect(own.response.headers["set-cookie"]?.[0]).toContain("console-organization=acme;");
    expect((await from("https://evil.test/console/organizations/acme")).response.headers["set-cookie"]).toBeUndefined();
  });

  it("prefers a language chosen by a link to the user's own and the browser's", async () => {
    const chosen = await get("/console/mail?ui_locales=de-AT&page=x", { cookie });
    expect(chosen.response.statusCode).toBe(303);
    expect(chosen.response.headers.location).toBe("/console/mail?page=x");
    const [set = ""] = chosen.response.headers["set-cookie"] ?? [];
    expect(set).toMatch(/^console-language=de; Path=\/console; .*HttpOnly; SameSite=Lax$/);
    const kept = { cookie: `${cookie}; console-language=de`, "accept-language": "en" };
    expect(JSON.parse((await get("/console/mail", kept)).body).locale).toBe("de");
    await service.ctx.db.transaction((tx) => updateUser(tx, "u-ada", { preferredLanguage: "de" }, service.ctx.clock()));
    expect(JSON.parse((await get("/console/mail", { cookie, "accept-language": "en" })).body).locale).toBe("de");
    const unknown = await get("/console?ui_locales=tlh", { cookie });
    expect(unknown.response.headers).toMatchObject({ location: "/console" });
    expect(unknown.response.headers["set-cookie"]).toBeUndefined();
  });

  it("lets Next.js render three pages of a network at once, and the next when one was sent or its client has left", async () => {
    const made: { end: () => void; response: http.ServerResponse }[] = [];
    whileMade = (response) => new Promise((end) => made.push({ end, response }));
    const { port } = server.address() as AddressInfo;
    const leaving = http.get({ port, path: "/console", headers: { cookie, host: new URL(BASE_URL).host } });
    const left = new Promise((resolve) => leaving.on("error", resolve));
    await vi.waitFor(() => expect(made).toHaveLength(1), PATIENCE);
    const pages = Array.from({ length: 9 }, (_, n) => get(`/console?n=${n}`, { cookie }));
    await vi.waitFor(() => expect(made).toHaveLength(3), PATIENCE);
    leaving.destroy();
    await left;
    await vi.waitFor(() => expect(made).toHaveLength(4), PATIENCE);
    made[1]?.end();
    await vi.waitFor(() => expect(made).toHaveLength(5), PATIENCE);
    whileMade = async () => {};
    for (const { end } of made) end();
    const answers = await Promise.all(pages);
    expect(answers.map(({ response }) => response.statusCode)).toEqual(pages.map(() => 200));
  });

  it("answers below /_next/ without Next, where there is no gate", async () => {
    for (const path of [
      "/_next/static/x.js",
      "/_next/image?url=%2Fconsole",
      "/_next/data/x/console.json",
      "/_next/x",
    ]) {
      const { response, body } = await get(path, { cookie });
      expect([path, response.statusCode]).toEqual([path, 404]);
      expect(body).not.toContain('"url"');
    }
  });

  it.each([
    ...[
      "/_next/../console",
      "/_next/%2e%2e/console",
      "/_next/.%2E/console/organizations",
      "/_next/static/..%2f../console",
    ],
    ...["/_next/./x", "/console/..", "/console/%2e", "//console", "/console//mail", "/_next\\..\\console"],
    ...["/_next/%5c..%5Cconsole", "/_next/..;/console", "/_next/..;x=1/console", "/login/../console", "/healthz/."],
    ...["http://localhost:8080/_next/../console", "http://localhost:8080//console", "http://a@b/console"],
  ])("refuses %s, which is another address after normalization", async (path) => {
    const { response, body } = await get(path, { cookie });
    expect(response.statusCode).toBe(400);
    expect(JSON.parse(body)).toMatchObject({ error: "invalid_request" });
  });

  it("accepts dots and slashes in a query or a name, and encoded ids", async () => {
    for (const path of [
      "/console/mail?page=//x/../y\\z&to=%2F..%2F",
      "/console/users/ada%40acme.test",
      "/console/a..b/...",
    ]) {
      expect(JSON.parse((await get(path, { cookie })).body).url).toBe(path);
    }
    expect((await get("http://localhost:8080/healthz")).response.statusCode).toBe(200);
  });

  it("leaves other requests to the application: endpoints, other methods, similar addresses", async () => {
    expect((await get("/console/api/nothing", { cookie })).body).toContain("address.not_found");
    expect((await get("/console/callback?state=x", { cookie })).response.statusCode).toBe(410);
    expect((await get("/consoles", { cookie })).response.statusCode).toBe(404);
  });
});
