import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ruleDatabases } from "../../testing/database";
import { DOCUMENT_REDIRECT, type DocumentHost, documentHost } from "../../testing/document-host";
import { exampleBootstrap } from "../../testing/example";
import { authorizePath, fillSignIn, onOf, pkcePair } from "../../testing/flow";
import { png } from "../../testing/pictures";
import { type TestService, testService } from "../../testing/test-context";
import { setSecuritySettings } from "../instance-settings";

const GIF = Buffer.concat([Buffer.from("GIF89a\x10\0\x10\0", "latin1"), Buffer.alloc(20)]);

describe.each(ruleDatabases)("The logo of a client that no administrator registered on %s", (kind) => {
  let service: TestService;
  let host: DocumentHost;
  beforeAll(async () => {
    service = await testService(kind, exampleBootstrap);
    host = await documentHost(service);
    const documents = { enabled: true, allowedHosts: [], deniedHosts: [] };
    await setSecuritySettings(
      { ...service.ctx, origin: { actor: "system" } },
      { clientIdMetadataDocuments: documents },
    );
  });
  afterAll(async () => {
    await host.close();
    await service.close();
  });

  const picture = (path: string, content: string | Buffer, headers: Record<string, string> = {}) =>
    host.answer(path, (response) => response.writeHead(200, headers).end(content));
  const logoOf = (clientId: string) =>
    service.fetch(`/login/client-logo?${new URLSearchParams({ client_id: clientId, ui_locales: "en" })}`);
  const pageOf = async (clientId: string) => {
    const { challenge } = pkcePair();
    const browser = service.browser();
    const pkce = { code_challenge: challenge, code_challenge_method: "S256" };
    const request = { client_id: clientId, redirect_uri: DOCUMENT_REDIRECT, scope: "openid", ...pkce };
    const first = await browser.get(authorizePath(request));
    return (await browser.get(onOf(await fillSignIn(browser, first)))).text();
  };

  it("is on the page that asks the user, and comes from this service", async () => {
    const content = png(16, 16);
    const clientId = host.serve("/client", { logo_uri: picture("/logo.png", content) });
    const page = await pageOf(clientId);
    const src = /<img class="app-logo" src="([^"]*)" alt=""/.exec(page)?.[1]?.replaceAll("&amp;", "&") ?? "";
    expect(src).toMatch(/^\/login\/client-logo\?/);
    expect(host.asked("/logo.png")).toBe(0);
    const answers = await Promise.all([service.fetch(src), service.fetch(src)]);
    for (const answer of answers) {
      expect(answer.status).toBe(200);
      expect(Buffer.from(await answer.arrayBuffer()).equals(content)).toBe(true);
      expect(Object.fromEntries(answer.headers)).toMatchObject({
        "content-type": "image/png",
        "x-content-type-options": "nosniff",
        "content-security-policy": "default-src 'none'; sandbox",
        "cross-origin-resource-policy": "same-origin",
      });
    }
    expect(host.asked("/logo.png")).toBe(1);
  });

  it("may be a GIF, whatever type it is sent with", async () => {
    const answer = await logoOf(
      host.serve("/g", { logo_uri: picture("/l.gif", GIF, { "content-type": "text/html" }) }),
    );
    expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "image/gif"]);
  });

  it.each<[string, () => string]>([
    [
      "an SVG",
      () => picture("/l.svg", "<svg xmlns='http://www.w3.org/2000/svg'/>", { "content-type": "image/svg+xml" }),
    ],
    ["HTML sent as a PNG", () => picture("/l.html", "<script>1</script>", { "content-type": "image/png" })],
    ["more than 128 kB", () => picture("/large.png", Buffer.concat([png(16, 16), Buffer.alloc(128 * 1024)]))],
    ["more than 2048 pixels wide", () => picture("/wide.png", png(2049, 1))],
    ["a redirect", () => host.answer("/moved", (to) => to.writeHead(302, { location: host.url("/logo.png") }).end())],
    ["nothing", () => host.url("/none")],
  ])("is not shown if it is %s, and is not asked for again at once", async (what, logo) => {
    const address = logo();
    const clientId = host.serve(`/${encodeURIComponent(what)}`, { logo_uri: address });
    for (let times = 0; times < 2; times++) {
      const answer = await logoOf(clientId);
      expect([answer.status, await answer.text()]).toEqual([404, ""]);
    }
    expect(host.asked(new URL(address).pathname)).toBe(1);
  });

  it("is neither on the page nor served if it is on another host than the document", async () => {
    const clientId = host.serve("/foreign", { logo_uri: host.url("/logo.png").replace("localhost", "127.0.0.1") });
    expect(await pageOf(clientId)).not.toContain('<img class="app-logo"');
    expect((await logoOf(clientId)).status).toBe(404);
  });

  it("does not exist for another client id, or without one", async () => {
    for (const clientId of ["web", "nobody", ""]) expect((await logoOf(clientId)).status).toBe(404);
    expect((await service.fetch("/login/client-logo")).status).toBe(404);
  });
});
