/** The security considerations of client ID metadata documents (draft -02), against two processes. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { setSecuritySettings } from "../directory/instance-settings";
import { databaseKinds } from "../testing/database";
import { DOCUMENT_REDIRECT, type DocumentHost, documentHost } from "../testing/document-host";
import { exampleBootstrap, SECRET } from "../testing/example";
import { authorizePath, fillSignIn, onOf, pkcePair } from "../testing/flow";
import { anotherProcess, BASE_URL, type TestService, testService } from "../testing/test-context";

describe.each(databaseKinds)("attacks by metadata documents on %s", (kind) => {
  let service: TestService;
  let other: TestService;
  let host: DocumentHost;
  beforeAll(async () => {
    service = await testService(kind, exampleBootstrap);
    other = anotherProcess(service);
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

  const isPage = (response: Response) =>
    expect([response.status, response.headers.get("location")]).toEqual([400, null]);
  const asked = (on: TestService, client_id: string) => {
    const pkce = { code_challenge: pkcePair().challenge, code_challenge_method: "S256" };
    return on.browser().get(authorizePath({ client_id, redirect_uri: DOCUMENT_REDIRECT, scope: "openid", ...pkce }));
  };
  it("requests to internal addresses, redirects, size and lies: such documents name no client", async () => {
    const redirect = host.answer("/moved", (response) => response.writeHead(302, { location: "/own" }).end());
    const huge = host.serve("/huge", { filler: "x".repeat(17_000) });
    const secret = host.serve("/secret", { client_secret: SECRET });
    const lies = host.serve("/lies", { client_id: host.url("/own") });
    const internal = ["https://10.0.0.1/c", "https://169.254.169.254/c", "https://[fd00::1]/c", "https://127.0.0.2/c"];
    for (const id of [redirect, huge, secret, lies, ...internal]) isPage(await asked(other, id));
  });

  it("phishing: users see the host that asks, whatever name the document has", async () => {
    const browser = other.browser();
    const { pathname, search } = new URL(
      (await asked(service, host.serve("/bank", { client_name: "Bank" }))).headers.get("location") ?? "",
      BASE_URL,
    );
    const page = await fillSignIn(browser, new Response(null, { headers: { location: BASE_URL + pathname + search } }));
    expect(await (await browser.get(onOf(page))).text()).toContain(new URL(host.url("/")).host);
  });

  it("changed documents: an address that was removed from the document is refused when it is read again", async () => {
    const id = host.serve("/changing");
    expect((await asked(service, id)).headers.get("location")).toContain("/login?flow=");
    host.serve("/changing", { redirect_uris: ["http://127.0.0.1/new"] });
    service.advance(6 * 60_000);
    isPage(await asked(other, id));
  });
});
