import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { apiToken, callApi } from "../../testing/api";
import { clientApp, withApps } from "../../testing/client-apps";
import { exampleBootstrap, SECRET } from "../../testing/example";
import { authorizePath, flowOf, letIn, onOf } from "../../testing/flow";
import {
  type ApplicationOnAPort,
  applicationOnAPort,
  type ServiceOnAPort,
  serviceOnAPort,
  surfer,
} from "../../testing/on-a-port";
import { BASE_URL, type TestBrowser, type TestService, testService } from "../../testing/test-context";

const CALLBACK = `${BASE_URL}/idps/callback`;
const OPTIONS = { isLinkingAllowed: true, isCreationAllowed: true, isAutoUpdate: true };

describe("sign-in at real OpenID Connect providers", () => {
  let service: TestService;
  let token: string;
  beforeAll(async () => {
    service = await testService("sqlite", exampleBootstrap);
    token = await apiToken(service);
  });
  afterAll(() => service.close());

  const offer = async (issuer: string, client: object, more: object = {}): Promise<string> => {
    const body = { name: issuer, issuer, ...client, providerOptions: { ...OPTIONS, ...more } };
    const { id } = (await callApi(service, "POST", "/management/v1/idps/generic_oidc", { token, body })).body;
    await callApi(service, "POST", "/management/v1/policies/login/idps", { token, body: { idpId: id } });
    return id;
  };
  const start = async (browser: TestBrowser, idp: string, parameters: Record<string, string> = {}) => {
    const first = await browser.get(authorizePath(parameters));
    return (await browser.post("/login/idp", { flow: flowOf(first), idp })).headers.get("location") ?? "";
  };
  const linksAt = (providerId: string) => service.ctx.db.prisma.identityLink.findMany({ where: { providerId } });

  describe("of another instance of this service", () => {
    let peer: ServiceOnAPort;
    beforeAll(async () => {
      peer = await serviceOnAPort(withApps(clientApp("elsewhere", BASE_URL, { redirectUris: [CALLBACK] })));
      return () => peer.close();
    });

    it("links the account of a verified address in a proven domain, and passes `prompt` and `max_age` on", async () => {
      const client = { clientId: "elsewhere", clientSecret: SECRET };
      const idp = await offer(peer.origin, client, { autoLinking: "AUTO_LINKING_OPTION_EMAIL" });
      const there = surfer(peer.origin);
      const signIn = async (parameters: Record<string, string> = {}) => {
        const browser = service.browser();
        const arrived = await there.open(await start(browser, idp, parameters), CALLBACK);
        expect(arrived.url.searchParams.get("iss")).toBe(peer.origin);
        return letIn(browser, await browser.get(arrived.url.pathname + arrived.url.search));
      };
      expect(onOf(await signIn())).toMatch(/^\/cb\?code=/);
      expect(await linksAt(idp)).toMatchObject([{ userId: "u-ada", externalId: "u-ada" }]);
      expect(onOf(await signIn())).toMatch(/^\/cb\?code=/);
      expect(there.signIns()).toBe(1);
      await signIn({ prompt: "login" });
      await signIn({ max_age: "0" });
      expect(there.signIns()).toBe(3);
    });
  });

  describe("of npm oidc-provider with its defaults", () => {
    let peer: ApplicationOnAPort;
    beforeAll(async () => {
      peer = await applicationOnAPort();
      const name: string = "oidc-provider"; // not a literal, as the package has no types
      const { Provider } = await import(/* @vite-ignore */ name);
      const us = { client_id: "us", client_secret: "s3cret", redirect_uris: [CALLBACK] };
      peer.serve(new Provider(peer.origin, { clients: [us] }).callback());
      return () => peer.close();
    });

    it("asks new users for the address that it does not send, and signs them in afterwards", async () => {
      const idp = await offer(peer.origin, { clientId: "us", clientSecret: "s3cret" });
      const browser = service.browser();
      const asked = await browser.get(await through(await start(browser, idp)));
      expect(onOf(asked)).toMatch(/^\/login\/create-account/);
      const answer = await browser.post("/login/submit", {
        flow: flowOf(asked),
        loginName: "ada@acme.test",
        password: "correct horse battery staple",
      });
      expect(onOf(await letIn(browser, answer))).toMatch(/^\/cb\?code=/);
      expect(await linksAt(idp)).toMatchObject([{ externalId: "pat", userId: "u-ada" }]);
      const later = service.browser();
      expect(onOf(await letIn(later, await later.get(await through(await start(later, idp)))))).toMatch(/^\/cb\?code=/);
    });
  });
});

/** Walks through the pages of its development mode to our callback. @returns the path there */
async function through(start: string): Promise<string> {
  const cookies = new Map<string, string>();
  let url = new URL(start);
  let body: URLSearchParams | undefined;
  for (let step = 0; step < 20 && !url.href.startsWith(CALLBACK); step++) {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const response = await fetch(url, { method: body ? "POST" : "GET", body, headers: { cookie }, redirect: "manual" });
    for (const line of response.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      cookies.set(name, value);
    }
    const page = await response.text();
    const location = response.headers.get("location");
    const prompt = /name="prompt" value="(\w+)"/.exec(page)?.[1] ?? "";
    body = location === null ? new URLSearchParams({ prompt, login: "pat", password: "any" }) : undefined;
    url = new URL(location ?? /action="([^"]+)"/.exec(page)?.[1] ?? "", url);
  }
  return url.pathname + url.search;
}
