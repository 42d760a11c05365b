import { inflateRawSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { apiToken, callApi } from "../../testing/api";
import { connectTestDatabase } from "../../testing/database";
import { exampleBootstrap } from "../../testing/example";
import { letIn, onOf } from "../../testing/flow";
import { type ForgedProvider, forgedProvider } from "../../testing/forged-provider";
import { goToProvider, offerProviderOf, responseOf } from "../../testing/provider-sign-in";
import { type TestSamlProvider, testSamlProvider } from "../../testing/saml-provider";
import { anotherProcess, BASE_URL, type TestService, testBrowser, testService } from "../../testing/test-context";

const ALL = { isLinkingAllowed: true, isCreationAllowed: true, isAutoCreation: true };

describe("a sign-in at a provider, started at one process and ended at another", () => {
  let one: TestService;
  let other: TestService;
  let provider: ForgedProvider;
  let idp: string;
  let samlProvider: TestSamlProvider;
  let samlIdp: string;
  beforeAll(async () => {
    one = await testService("postgresql", exampleBootstrap);
    const token = await apiToken(one);
    [provider, samlProvider] = await Promise.all([forgedProvider(), testSamlProvider()]);
    idp = await offerProviderOf(one, token, provider, { providerOptions: ALL });
    provider.claims = { sub: "two", email: "two@elsewhere.test", email_verified: true, name: "T P" };
    const saml = { name: "SAML", metadataXml: samlProvider.metadata, emailVerified: true, providerOptions: ALL };
    samlIdp = (await callApi(one, "POST", "/management/v1/idps/saml", { token, body: saml })).body.id;
    await callApi(one, "POST", "/management/v1/policies/login/idps", { token, body: { idpId: samlIdp } });
    const db = await connectTestDatabase(one.databaseUrl);
    other = anotherProcess(one, db);
    return () => db.close();
  });
  afterAll(async () => {
    await provider.close();
    await one.close();
  });

  /** A browser whose requests a load balancer sends to `at`. */
  const balanced = () => {
    const balancer = { at: one };
    return { balancer, browser: testBrowser((path, init) => balancer.at.fetch(path, init)) };
  };
  const hasCode = (answer: Response) => onOf(answer).startsWith("/cb?code=");
  /** Sends the same response to both at once. @returns how many went on beyond the sign-in page */
  const atOnce = async (path: string, cookies: ReadonlyMap<string, string>) => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const answers = await Promise.all([one, other].map(({ fetch }) => fetch(path, { headers: { cookie } })));
    return answers.filter((answer) => /^\/(cb|login\/continue)\?/.test(onOf(answer))).length;
  };

  describe("of OpenID Connect", () => {
    it("signs the user in", async () => {
      const { balancer, browser } = balanced();
      const at = await goToProvider(browser, idp);
      balancer.at = other;
      expect(hasCode(await letIn(browser, await browser.get(responseOf(provider, at))))).toBe(true);
    });

    it("succeeds once if the response comes to both at once", async () => {
      const { browser } = balanced();
      const at = await goToProvider(browser, idp);
      const before = provider.redeemed.length;
      expect(await atOnce(responseOf(provider, at), browser.cookies)).toBe(1);
      expect(provider.redeemed).toHaveLength(before + 1);
    });
  });

  describe("of SAML", () => {
    /** Posts the response of the provider to the other process. @returns the path that the browser is led to */
    const posted = async (at: URL): Promise<string> => {
      const request = inflateRawSync(Buffer.from(at.searchParams.get("SAMLRequest") ?? "", "base64")).toString();
      const requestId = / ID="([^"]+)"/.exec(request)?.[1] ?? "";
      const base = `${BASE_URL}/idps/${samlIdp}/saml`;
      const asked = { requestId, acsUrl: `${base}/acs`, audience: `${base}/metadata`, now: one.ctx.clock() };
      const attributes = { mail: "saml@elsewhere.test", givenName: "S", sn: "P" };
      const xml = await samlProvider.respond(asked, { nameId: "saml-two", attributes });
      const form = {
        SAMLResponse: Buffer.from(xml).toString("base64"),
        RelayState: at.searchParams.get("RelayState") ?? "",
      };
      const init = { method: "POST", body: new URLSearchParams(form) };
      return onOf(await other.fetch(`/idps/${samlIdp}/saml/acs`, init));
    };

    it("signs the user in", async () => {
      const { browser } = balanced();
      const path = await posted(await goToProvider(browser, samlIdp));
      expect(hasCode(await letIn(browser, await browser.get(path)))).toBe(true);
    });

    it("succeeds once if the response comes to both at once", async () => {
      const { browser } = balanced();
      const path = await posted(await goToProvider(browser, samlIdp));
      expect(await atOnce(path, browser.cookies)).toBe(1);
    });
  });
});
