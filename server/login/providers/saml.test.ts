import { createVerify } from "node:crypto";
import http from "node:http";
import { inflateRawSync } from "node:zlib";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { newCertifiedKey } from "../../crypto/self-signed-certificate";
import { flushAttempts } from "../../directory/sign-in-attempt/batch";
import { apiToken, callApi } from "../../testing/api";
import { ruleDatabases } from "../../testing/database";
import { exampleBootstrap } from "../../testing/example";
import { authorizePath, flowOf, letIn, onOf } from "../../testing/flow";
import { type ForgedSaml, samlMetadata, type TestSamlProvider, testSamlProvider } from "../../testing/saml-provider";
import { samlifyProvider } from "../../testing/samlify-provider";
import { BASE_URL, type TestBrowser, type TestService, testService } from "../../testing/test-context";

const ALL = { isLinkingAllowed: true, isCreationAllowed: true, isAutoCreation: true, isAutoUpdate: true };
const HOUR = 3_600_000;
let number = 0;

describe.each(ruleDatabases)("sign-in at SAML providers, on %s", (kind) => {
  let service: TestService;
  let token: string;
  let provider: TestSamlProvider;
  beforeAll(async () => {
    [service, provider] = await Promise.all([testService(kind, exampleBootstrap), testSamlProvider()]);
  });
  beforeEach(async () => {
    token = await apiToken(service);
    await flushAttempts(service.ctx);
    await service.ctx.db.prisma.signInAttempt.deleteMany();
    number++;
  });
  afterAll(() => service.close());

  const call = (method: string, path: string, body?: unknown) => callApi(service, method, path, { token, body });
  const offer = async (more: object = {}): Promise<string> => {
    const body = { name: `SAML ${number}`, providerOptions: ALL, emailVerified: true, ...more };
    const { id } = (await call("POST", "/management/v1/idps/saml", body)).body;
    await call("POST", "/management/v1/policies/login/idps", { idpId: id });
    return id;
  };
  const withXml = (more: object = {}) => offer({ metadataXml: provider.metadata, ...more });
  /** Presses the button and returns the address to which the browser is sent. */
  const start = async (browser: TestBrowser, idp: string, parameters = {}): Promise<URL> => {
    const first = await browser.get(authorizePath(parameters));
    const answer = await browser.post("/login/idp", { flow: flowOf(first), idp });
    return new URL(answer.headers.get("location") ?? "about:blank");
  };
  /** Posts a response from the site of the provider, which has no cookies of ours, and returns where that leads. */
  const postFrom = async (idp: string, state: string, xml: string) => {
    const body = new URLSearchParams({ SAMLResponse: Buffer.from(xml).toString("base64"), RelayState: state });
    const headers = { origin: "https://login.partner.test", "sec-fetch-site": "cross-site" };
    return service.fetch(`/idps/${idp}/saml/acs`, { method: "POST", body, headers });
  };
  const asked = (idp: string, requestId: string) => {
    const base = `${BASE_URL}/idps/${idp}/saml`;
    return { requestId, acsUrl: `${base}/acs`, audience: `${base}/metadata`, now: service.ctx.clock() };
  };
  const requestIn = (at: URL) =>
    inflateRawSync(Buffer.from(at.searchParams.get("SAMLRequest") ?? "", "base64")).toString();
  const idIn = (request: string) => / ID="([^"]+)"/.exec(request)?.[1] ?? "";
  const signIn = async (browser: TestBrowser, idp: string, forged: ForgedSaml = {}) => {
    const at = await start(browser, idp);
    const xml = await provider.respond(asked(idp, idIn(requestIn(at))), forged);
    const posted = await postFrom(idp, at.searchParams.get("RelayState") ?? "", xml);
    return letIn(browser, await browser.get(onOf(posted)));
  };
  const hasCode = (response: Response) => onOf(response).startsWith("/cb?code=");
  const lastAttempt = async () => {
    await flushAttempts(service.ctx);
    const rows = await service.ctx.db.prisma.signInAttempt.findMany({ where: { detail: { startsWith: "SAML" } } });
    return rows.map(({ reason, detail }) => [reason, detail] as const);
  };
  const people = (email: string) => service.ctx.db.prisma.user.findMany({ where: { email } });
  const pat = () => ({
    nameId: `pat-${number}-${kind}`,
    attributes: { mail: `p${number}@elsewhere.test`, givenName: "Pat", sn: "Doe" },
  });

  describe.each([
    [
      "redirect",
      { binding: "SAML_BINDING_REDIRECT", withSignedRequest: true },
      { isEncrypted: false, wantsSigned: true },
    ],
    ["redirect, encrypted", { binding: "SAML_BINDING_REDIRECT" }, { isEncrypted: true, wantsSigned: false }],
    ["post", { binding: "SAML_BINDING_POST", withSignedRequest: true }, { isEncrypted: false, wantsSigned: true }],
    [
      "post, encrypted",
      { binding: "SAML_BINDING_POST", withSignedRequest: true },
      { isEncrypted: true, wantsSigned: true },
    ],
  ])("with samlify as provider (%s)", (_, settings, options) => {
    it("exchanges metadata, creates the account, links it, and signs in to it again", async () => {
      let idp = "";
      const metadataOf = async () => (await service.fetch(`/idps/${idp}/saml/metadata`)).text();
      const samlify = await samlifyProvider(metadataOf, options);
      idp = await offer({ ...settings, metadataXml: Buffer.from(samlify.metadata).toString("base64") });
      const mail = `s${number}@elsewhere.test`;
      for (const sn of ["Doe", "Roe"]) {
        const browser = service.browser();
        let at = await start(browser, idp);
        let sent = at.searchParams;
        if (at.origin === BASE_URL) {
          const page = await browser.get(at.pathname + at.search);
          // The provider may redirect the form to an origin that is unknown here.
          expect(page.headers.get("content-security-policy")).not.toContain("form-action");
          const html = await page.text();
          const field = (name: string) => new RegExp(`name="${name}" value="([^"]+)"`).exec(html)?.[1] ?? "";
          sent = new URLSearchParams(["SAMLRequest", "RelayState"].map((name) => [name, field(name)]));
          at = new URL(/action="([^"]+)"/.exec(html)?.[1] ?? "");
        }
        expect(at.origin + at.pathname).toBe("https://samlify.test/sso");
        const { action, response } = await samlify.answer(sent, { mail, givenName: "Sam", sn });
        expect(action).toBe(`${BASE_URL}/idps/${idp}/saml/acs`);
        const xml = Buffer.from(response, "base64").toString();
        const posted = await postFrom(idp, sent.get("RelayState") ?? "", xml);
        expect(hasCode(await letIn(browser, await browser.get(onOf(posted))))).toBe(true);
        expect(await people(mail)).toMatchObject([{ firstName: "Sam", lastName: sn, isEmailVerified: true }]);
      }
    });
  });

  it("refuses a response in another browser (login CSRF), and one that is sent again", async () => {
    const idp = await withXml();
    const [browser, stranger] = [service.browser(), service.browser()];
    const at = await start(browser, idp);
    const state = at.searchParams.get("RelayState") ?? "";
    const xml = await provider.respond(asked(idp, idIn(requestIn(at))), pat());
    const posted = await postFrom(idp, state, xml);
    expect((await stranger.get(onOf(posted))).status).toBe(410);
    expect(hasCode(await letIn(browser, await browser.get(onOf(posted))))).toBe(true);
    expect((await postFrom(idp, state, xml)).status).toBe(410);
    expect(onOf(await browser.get(onOf(posted))).split("?")[0]).toBe("/login");
  });

  it("refuses a sign-in that the provider starts, one for another provider, and a form that is too large", async () => {
    const [idp, other] = [await withXml(), await withXml({ name: "Other" })];
    const xml = await provider.respond(asked(idp, "_none"), pat());
    expect((await postFrom(idp, "", xml)).status).toBe(410);
    const at = await start(service.browser(), other);
    expect((await postFrom(idp, at.searchParams.get("RelayState") ?? "", xml)).status).toBe(410);
    expect((await postFrom(other, at.searchParams.get("RelayState") ?? "", "x".repeat(300_000))).status).toBe(413);
  });

  it("accepts an assertion once, also if its id comes in another response", async () => {
    const idp = await withXml();
    const assertionId = `_once${number}`;
    expect(hasCode(await signIn(service.browser(), idp, { ...pat(), assertionId }))).toBe(true);
    expect(hasCode(await signIn(service.browser(), idp, { ...pat(), assertionId }))).toBe(false);
    expect(await lastAttempt()).toContainEqual([
      "provider_failed",
      expect.stringContaining("replay: it was used before"),
    ]);
  });

  it.each<[string, ForgedSaml, RegExp]>([
    ["an expired assertion", { notOnOrAfter: -2 * HOUR }, /time: it has expired \(passed: response, status, issuer/],
    ["a foreign audience", { audience: "https://evil.test" }, /audience: it is meant for another service/],
    ["no signature", { signs: "none" }, /assertion_signature: neither/],
    [
      "a transient NameID without an attribute for it",
      { nameIdFormat: "urn:oasis:names:tc:SAML:2.0:nameid-format:transient" },
      /identity: the NameID is transient/,
    ],
  ])("shows a calm page for %s, and names the check in the sign-in attempt", async (_, forged, detail) => {
    const browser = service.browser();
    const refused = await signIn(browser, await withXml(), { ...pat(), ...forged });
    expect(onOf(refused).split("?")[0]).toBe("/login");
    const page = await (await browser.get(onOf(refused))).text();
    expect(page).not.toMatch(/assertion|audience|NameID/);
    expect(await people(`p${number}@elsewhere.test`)).toEqual([]);
    expect(await lastAttempt()).toEqual([["provider_failed", expect.stringMatching(detail)]]);
  });

  it("says that users canceled if the provider refuses", async () => {
    const browser = service.browser();
    const status = "urn:oasis:names:tc:SAML:2.0:status:RequestDenied";
    const refused = await signIn(browser, await withXml(), { status, signs: "none" });
    expect(await (await browser.get(onOf(refused))).text()).toContain("You canceled");
    expect(await lastAttempt()).toEqual([["provider_denied", expect.stringContaining("RequestDenied")]]);
  });

  it("identifies users by the named attribute if the NameID is transient", async () => {
    const idp = await withXml({
      nameIdFormat: "SAML_NAME_ID_FORMAT_TRANSIENT",
      transientMappingAttributeName: "employeeNumber",
    });
    const forged = (nameId: string): ForgedSaml => ({
      ...pat(),
      nameId,
      nameIdFormat: "urn:oasis:names:tc:SAML:2.0:nameid-format:transient",
      attributes: { ...pat().attributes, employeeNumber: `e-${number}-${kind}` },
    });
    for (const nameId of ["one", "two"])
      expect(hasCode(await signIn(service.browser(), idp, forged(nameId)))).toBe(true);
    expect(await service.ctx.db.prisma.identityLink.findMany({ where: { providerId: idp } })).toMatchObject([
      { externalId: `e-${number}-${kind}` },
    ]);
  });

  it("does not take an address as verified unless the administrator says so", async () => {
    const idp = await withXml({ emailVerified: false });
    const asks = await signIn(service.browser(), idp, pat());
    expect(onOf(asks).split("?")[0]).toBe("/login/create-account");
    expect(await people(`p${number}@elsewhere.test`)).toEqual([]);
  });

  it.each([{ prompt: "login" }, { max_age: "300" }])(
    "asks for a new sign-in there if the application sends %o, and refuses an earlier one",
    async (parameters) => {
      const idp = await withXml();
      const browser = service.browser();
      const at = await start(browser, idp, parameters);
      expect(requestIn(at)).toContain('ForceAuthn="true"');
      const forged = { ...pat(), authnInstant: -HOUR };
      const xml = await provider.respond(asked(idp, idIn(requestIn(at))), forged);
      const posted = await postFrom(idp, at.searchParams.get("RelayState") ?? "", xml);
      expect(hasCode(await browser.get(onOf(posted)))).toBe(false);
      expect(await people(`p${number}@elsewhere.test`)).toEqual([]);
      expect(requestIn(await start(service.browser(), idp))).not.toContain("ForceAuthn");
    },
  );

  describe("with metadata at an address", () => {
    let published = "";
    let url = "";
    beforeAll(async () => {
      const server = http.createServer((_, response) => {
        response.writeHead(published ? 200 : 503, { "content-type": "application/xml" }).end(published);
      });
      await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
      url = `http://localhost:${(server.address() as { port: number }).port}/metadata`;
      return () => new Promise<void>((resolve) => server.close(() => resolve()));
    });

    it("takes a new key of the provider at once, and uses the last metadata while the address does not answer", async () => {
      published = provider.metadata;
      const idp = await offer({ metadataUrl: url });
      const next = await newCertifiedKey("next.test", Date.now(), 1);
      expect(hasCode(await signIn(service.browser(), idp, pat()))).toBe(true);
      published = samlMetadata(provider.entityId, [provider.key.certificate, next.certificate]);
      service.advance(2 * 60_000);
      expect(hasCode(await signIn(service.browser(), idp, { ...pat(), key: next }))).toBe(true);
      published = "";
      service.advance(2 * HOUR);
      expect(hasCode(await signIn(service.browser(), idp, { ...pat(), key: next }))).toBe(true);
      token = await apiToken(service);
      const { body } = await call("GET", `/management/v1/idps/${idp}`);
      expect(body.idp.config.saml.certificates).toHaveLength(2);
      const { certificateExpiresAt } = await service.ctx.db.prisma.identityProvider.findUniqueOrThrow({
        where: { id: idp },
      });
      expect(certificateExpiresAt?.toISOString()).toBe(body.idp.config.saml.certificates[1].expirationDate);
    });

    it("keeps the former provider if the address describes another one", async () => {
      published = provider.metadata;
      const idp = await offer({ metadataUrl: url });
      published = provider.metadata.replaceAll(provider.entityId, "https://evil.test");
      service.advance(2 * HOUR);
      expect(hasCode(await signIn(service.browser(), idp, pat()))).toBe(true);
    });
  });

  it("publishes a renewed certificate at once, signs with it two days later, and decrypts for both", async () => {
    const idp = await withXml({ withSignedRequest: true });
    const metadata = async () => (await service.fetch(`/idps/${idp}/saml/metadata`)).text();
    const certificates = async () =>
      [...(await metadata()).matchAll(/use="signing".*?<ds:X509Certificate>([^<]+)/gs)].map(([, one]) => one ?? "");
    const pem = (content = "") => `-----BEGIN CERTIFICATE-----\n${content}\n-----END CERTIFICATE-----\n`;
    const [old] = await certificates();
    expect((await call("POST", `/management/v1/idps/saml/${idp}/_generate_certificate`)).status).toBe(200);
    const [fresh, former] = await certificates();
    expect([former, fresh === old]).toEqual([old, false]);
    const signedBy = async () => {
      const query = (await start(service.browser(), idp)).search.slice(1);
      const [text = "", signature = ""] = query.split("&Signature=");
      const matches = (one?: string) =>
        createVerify("sha256").update(text).verify(pem(one), decodeURIComponent(signature), "base64");
      return [matches(old), matches(fresh)];
    };
    expect(await signedBy()).toEqual([true, false]);
    for (const one of [old, fresh]) {
      expect(hasCode(await signIn(service.browser(), idp, { ...pat(), encryptsFor: pem(one) }))).toBe(true);
    }
    service.advance(49 * HOUR);
    expect(await signedBy()).toEqual([false, true]);
    token = await apiToken(service);
    await call("POST", `/management/v1/idps/saml/${idp}/_generate_certificate`, { immediately: true });
    expect(await certificates()).toHaveLength(1);
  });
});
