import { inflateRawSync } from "node:zlib";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { newCertifiedKey } from "../../crypto/self-signed-certificate";
import { flushAttempts } from "../../directory/sign-in-attempt/batch";
import { deliverNextNotification } from "../../oidc/backchannel/deliver";
import { apiToken, callApi } from "../../testing/api";
import { databaseKinds } from "../../testing/database";
import { exampleBootstrap, framedApp } from "../../testing/example";
import { answerOf, authorizePath, flowOf, letIn, onOf, redeem, type Tokens, userinfo } from "../../testing/flow";
import {
  type ForgedLogout,
  type ForgedSaml,
  forgedLogout,
  logoutService,
  type TestSamlProvider,
  testSamlProvider,
} from "../../testing/saml-provider";
import { SAMLIFY_SESSION, type SentBySamlify, samlifyProvider } from "../../testing/samlify-provider";
import { BASE_URL, type TestBrowser, type TestService, testService } from "../../testing/test-context";

const BYE = "https://rp.test/bye";
const OPTIONS = {
  ...{ isLinkingAllowed: true, isCreationAllowed: true, isAutoCreation: true },
  isFederatedLogoutEnabled: true,
};
const [acme] = exampleBootstrap.organizations;
const notified = { ...framedApp, oidc: { ...framedApp.oidc, backChannelLogoutUri: "https://rp.test/back" } };
const projects = acme?.projects.map((project) => ({ ...project, apps: [...project.apps, notified] }));
const bootstrap = { organizations: [{ ...acme, projects }] };
let number = 0;

describe.each(databaseKinds)("single logout with SAML providers, on %s", (kind) => {
  let service: TestService;
  let token: string;
  let provider: TestSamlProvider;
  beforeAll(async () => {
    [service, provider] = await Promise.all([testService(kind, bootstrap), testSamlProvider()]);
  });
  beforeEach(async () => {
    token = await apiToken(service);
    number++;
  });
  afterAll(() => service.close());

  const withLogout = (services: string, { metadata } = provider) =>
    metadata.replace("<md:SingleSignOnService", `${services}<md:SingleSignOnService`);
  const SLO = logoutService("https://login.partner.test/slo?a=1");
  const call = (path: string, body: object) => callApi(service, "POST", path, { token, body });
  const offer = async (metadataXml: string, more: object = {}): Promise<string> => {
    const body = { name: `SAML ${number}`, providerOptions: OPTIONS, emailVerified: true, metadataXml, ...more };
    const { id } = (await call("/management/v1/idps/saml", body)).body;
    await call("/management/v1/policies/login/idps", { idpId: id });
    return id;
  };
  interface Visitor {
    browser: TestBrowser;
    tokens: Tokens;
    nameId: string;
    sessionIndex: string;
  }
  const start = async (browser: TestBrowser, idp: string) => {
    const flow = flowOf(await browser.get(authorizePath({ scope: "openid profile" })));
    return new URL((await browser.post("/login/idp", { flow, idp })).headers.get("location") ?? "");
  };
  const arrive = async (browser: TestBrowser, idp: string, at: URL, xml: string): Promise<Tokens> => {
    const state = at.searchParams.get("RelayState") ?? "";
    const body = new URLSearchParams({ SAMLResponse: Buffer.from(xml).toString("base64"), RelayState: state });
    const posted = await service.fetch(`/idps/${idp}/saml/acs`, { method: "POST", body });
    const code = answerOf(await letIn(browser, await browser.get(onOf(posted)))).get("code") ?? "";
    return (await (await redeem(service, code)).json()) as Tokens;
  };
  const messageIn = (at: URL, name = "SAMLRequest") =>
    inflateRawSync(Buffer.from(at.searchParams.get(name) ?? "", "base64")).toString();
  const idIn = (xml: string) => / ID="([^"]+)"/.exec(xml)?.[1] ?? "";
  const visit = async (idp: string, forged: ForgedSaml = {}): Promise<Visitor> => {
    const [nameId, sessionIndex] = [forged.nameId ?? `pat-${number}-${kind}-${Math.random()}`, `_s${Math.random()}`];
    const browser = service.browser();
    const at = await start(browser, idp);
    const base = `${BASE_URL}/idps/${idp}/saml`;
    const asked = { acsUrl: `${base}/acs`, audience: `${base}/metadata`, now: service.ctx.clock() };
    const named = { nameId, sessionIndex, attributes: { mail: `${nameId}@elsewhere.test`, cn: "Pat Doe" }, ...forged };
    const xml = await provider.respond({ ...asked, requestId: idIn(messageIn(at)) }, named);
    return { browser, nameId, sessionIndex, tokens: await arrive(browser, idp, at, xml) };
  };
  const signOut = async (
    { browser, tokens }: Pick<Visitor, "browser" | "tokens">,
    more: Record<string, string> = {},
  ) => {
    const query = new URLSearchParams({ id_token_hint: tokens.id_token, ...more });
    return new URL((await browser.get(`/oidc/v1/end_session?${query}`)).headers.get("location") ?? "");
  };
  const isSignedIn = async ({ browser }: Pick<Visitor, "browser">) =>
    answerOf(await browser.get(authorizePath({ prompt: "none" }))).has("code");
  const hasToken = async ({ tokens }: Visitor) => (await userinfo(service, tokens.access_token)).status === 200;
  /** Brings a message from the site of the provider, without our cookies. */
  const bring = (idp: string, by: "redirect" | "post", parameters: string, headers: Record<string, string> = {}) => {
    const path = `/idps/${idp}/saml/slo`;
    const site = { "sec-fetch-site": "cross-site", ...headers };
    return by === "redirect"
      ? service.fetch(`${path}?${parameters}`, { headers: site })
      : service.fetch(path, { method: "POST", body: new URLSearchParams(parameters), headers: site });
  };
  const told = async (idp: string, forged: ForgedLogout, headers = {}) => {
    const at = { sloUrl: `${BASE_URL}/idps/${idp}/saml/slo`, now: service.ctx.clock() };
    const { binding, parameters } = await forgedLogout(provider, at, forged);
    return bring(idp, binding, parameters, headers);
  };
  const locationOf = (answer: Response) => new URL(answer.headers.get("location") ?? "about:blank");
  /** Follows our page with a form. @returns the address that it is for, and its fields */
  const formAt = async (at: URL): Promise<SentBySamlify> => {
    expect(at.origin + at.pathname.replace(/[^/]+$/, "")).toMatch(/\/idps\/[^/]+\/saml\/$/);
    const html = await (await service.fetch(at.pathname + at.search)).text();
    const fields = [...html.matchAll(/name="(SAML\w+|RelayState)" value="([^"]*)"/g)].map(([, name, value]) => [
      ...[name ?? "", value ?? ""],
    ]);
    return { address: new URL(/action="([^"]+)"/.exec(html)?.[1] ?? ""), form: new URLSearchParams(fields) };
  };

  describe.each(["redirect", "post"] as const)("with samlify as provider, by %s", (by) => {
    const signIn = async () => {
      let idp = "";
      const metadataOf = async () => (await service.fetch(`/idps/${idp}/saml/metadata`)).text();
      const samlify = await samlifyProvider(metadataOf, { isEncrypted: false, wantsSigned: false, logoutBy: [by] });
      idp = await offer(samlify.metadata);
      const browser = service.browser();
      const at = await start(browser, idp);
      const mail = `s${number}-${kind}@elsewhere.test`;
      const { response } = await samlify.answer(at.searchParams, { mail, givenName: "Sam", sn: "Doe" });
      const tokens = await arrive(browser, idp, at, Buffer.from(response, "base64").toString());
      return { idp, samlify, mail, visitor: { browser, tokens } };
    };

    it("ends the session there at a sign-out here, and leads on to the application", async () => {
      const { idp, samlify, mail, visitor } = await signIn();
      const at = await signOut(visitor, { post_logout_redirect_uri: BYE, state: "s" });
      expect(await isSignedIn(visitor)).toBe(false);
      const { address, form = at.searchParams } = by === "post" ? await formAt(at) : { address: at };
      expect(address.origin + address.pathname).toBe("https://samlify.test/slo");
      const { nameId, sessionIndex, response } = await samlify.endSession(form);
      expect([nameId, sessionIndex]).toEqual([mail, SAMLIFY_SESSION]);
      const back = await bring(idp, by, (response.form ?? response.address.searchParams).toString());
      expect(locationOf(back).href).toBe(`${BYE}?state=s`);
      const again = await bring(idp, by, (response.form ?? response.address.searchParams).toString());
      expect(again.status).toBe(410);
    });

    it("ends the session here at a sign-out there, and answers", async () => {
      const { idp, samlify, mail, visitor } = await signIn();
      expect(await isSignedIn(visitor)).toBe(true);
      const { address, form } = await samlify.requestLogout(by, { logoutNameID: mail, sessionIndex: SAMLIFY_SESSION });
      expect(address.href.split("?")[0]).toBe(`${BASE_URL}/idps/${idp}/saml/slo`);
      const answer = await bring(idp, by, form?.toString() ?? address.search.slice(1));
      expect(await isSignedIn(visitor)).toBe(false);
      const sent = by === "post" ? await formAt(locationOf(answer)) : { address: locationOf(answer) };
      expect(sent.address.origin + sent.address.pathname).toBe("https://samlify.test/slo");
      const answered = sent.form ?? sent.address.searchParams;
      expect(answered.get("RelayState")).toBe("theirs");
      const asked = form ? Buffer.from(form.get("SAMLRequest") ?? "", "base64").toString() : messageIn(address);
      expect(await samlify.readLogoutResponse(answered)).toBe(idIn(asked));
    });
  });

  it("sends no request where it is not enabled, and none without an address for it or to a page of ours", async () => {
    const ours = logoutService(`${BASE_URL}/logout/submit`, "POST");
    const quiet = { providerOptions: { ...OPTIONS, isFederatedLogoutEnabled: false } };
    const cases = [
      await offer(withLogout(SLO), quiet),
      await offer(provider.metadata, { name: "Without" }),
      await offer(withLogout(ours), { name: "Ours" }),
    ];
    for (const idp of cases) {
      const visitor = await visit(idp);
      expect((await signOut(visitor)).pathname).toBe("/logout/done");
      expect(await isSignedIn(visitor)).toBe(false);
      const sessions = await service.ctx.db.prisma.providerSession.findMany({ where: { subject: visitor.nameId } });
      expect(sessions.filter(({ sealedIdToken }) => idp === cases[0] && sealedIdToken !== null)).toEqual([]);
    }
  });

  it("names user and session as the provider did, and goes on with an answer that it cannot verify", async () => {
    const idp = await offer(withLogout(SLO));
    const visitor = await visit(idp, { nameIdFormat: "urn:oasis:names:tc:SAML:1.1:nameid-format:X509SubjectName" });
    const at = await signOut(visitor, { post_logout_redirect_uri: BYE });
    expect(at.href).toMatch(/^https:\/\/login\.partner\.test\/slo\?a=1&SAMLRequest=/);
    const xml = messageIn(at);
    expect(xml).toContain(`<samlp:SessionIndex>${visitor.sessionIndex}</samlp:SessionIndex>`);
    expect(xml).toContain(`Format="urn:oasis:names:tc:SAML:1.1:nameid-format:X509SubjectName">${visitor.nameId}<`);
    const answered = { SAMLResponse: "AAAA", RelayState: at.searchParams.get("RelayState") ?? "" };
    expect((await bring(idp, "redirect", "SAMLResponse=AAAA&RelayState=foreign")).status).toBe(410);
    expect(locationOf(await bring(idp, "redirect", new URLSearchParams(answered).toString())).href).toBe(BYE);
  });

  it("ends the named sessions of the user, their tokens, and those of no other user or provider", async () => {
    const [idp, another] = [await offer(withLogout(SLO)), await offer(withLogout(SLO), { name: "Another" })];
    const nameId = `many-${number}-${kind}`;
    const one = await visit(idp, { nameId });
    const [two, other] = [await visit(idp, { nameId }), await visit(idp)];
    const foreign = await visit(another, { nameId: `f-${nameId}` });
    const state = async () => Promise.all([one, two, other, foreign].map(isSignedIn));
    const unknown = await told(idp, { nameId: "nobody" });
    expect(messageIn(locationOf(unknown), "SAMLResponse")).toContain("status:Success");
    await told(idp, { nameId: foreign.nameId });
    await told(idp, { nameId, sessionIndexes: [other.sessionIndex] });
    expect(await state()).toEqual([true, true, true, true]);
    const answer = await told(idp, { nameId, sessionIndexes: ["_x", one.sessionIndex], relayState: "r" });
    expect(locationOf(answer).searchParams.get("RelayState")).toBe("r");
    expect([await hasToken(one), await state()]).toEqual([false, [false, true, true, true]]);
    await told(idp, { nameId, binding: "post" });
    expect(await state()).toEqual([false, false, true, true]);
    const events = await service.ctx.db.prisma.event.findMany({ where: { type: "user.signed_out", actor: "system" } });
    expect(events.filter(({ payload }) => JSON.stringify(payload).includes(idp))).toHaveLength(2);
  });

  it("notifies the session's apps by the back channel, and by frames on a page that is not in a frame itself", async () => {
    const idp = await offer(withLogout(SLO));
    const signedIn = async () => {
      const visitor = await visit(idp);
      const { browser } = visitor;
      const more = { client_id: "framed" };
      expect(answerOf(await letIn(browser, await browser.get(authorizePath(more)))).has("code")).toBe(true);
      return visitor;
    };
    const page = await told(idp, { nameId: (await signedIn()).nameId });
    expect(await page.text()).toContain("https://rp.test/front-channel-logout?app=1");
    expect(page.headers.get("refresh")).toContain("https://login.partner.test/slo?a=1&SAMLResponse=");
    expect(await deliverNextNotification(service.ctx)).toBeDefined();
    const inFrame = await told(idp, { nameId: (await signedIn()).nameId }, { "sec-fetch-dest": "iframe" });
    expect(locationOf(inFrame).origin).toBe("https://login.partner.test");
  });

  it("refuses requests that are wrong in any part, ends nothing, and names the check among the attempts", async () => {
    const idp = await offer(withLogout(SLO));
    const visitor = await visit(idp);
    const { nameId } = visitor;
    const other = await newCertifiedKey("other.test", Date.now(), 1);
    const wrong: [ForgedLogout, number, string][] = [
      [{ isUnsigned: true }, 400, "signature: it is not signed (passed: message, issuer, destination)"],
      [{ key: other }, 400, "signature: no key of the metadata"],
      [{ issuer: "https://evil.test" }, 400, "issuer: another provider"],
      [{ destination: `${BASE_URL}/idps/another/saml/slo` }, 400, "destination: it was sent to another address"],
      [{ notOnOrAfter: -600_000 }, 410, "time: it has expired"],
      [
        { change: (xml) => `<!DOCTYPE a [<!ENTITY e SYSTEM "file:///etc/passwd">]>${xml}` },
        400,
        "message: it has a doc",
      ],
      [{ nameId: " " }, 400, "subject: it has no NameID"],
    ];
    for (const binding of ["redirect", "post"] as const) {
      for (const [forged, status] of wrong) {
        const answer = await told(idp, { nameId, binding, ...forged });
        expect([answer.status, await isSignedIn(visitor)]).toEqual([status, true]);
        expect(await answer.text()).not.toMatch(/signature|issuer|destination/);
      }
    }
    const replayed = { nameId: "nobody", id: `_once-${number}` };
    expect([(await told(idp, replayed)).status, (await told(idp, replayed)).status]).toEqual([303, 410]);
    await flushAttempts(service.ctx);
    const attempts = await service.ctx.db.prisma.signInAttempt.findMany({ where: { reason: "provider_failed" } });
    const details = attempts.map(({ detail }) => detail);
    for (const [, , why] of [...wrong, [{}, 0, "replay: it was used before"] as const]) {
      expect(details).toContainEqual(expect.stringContaining(`SAML ${number}: sign-out ${why}`));
    }
    expect(attempts.every(({ organizationId }) => organizationId !== null)).toBe(true);
  });

  it("answers with pages where there is no provider, no message, or nothing to answer to", async () => {
    const idp = await offer(provider.metadata);
    expect((await told("unknown", {})).status).toBe(410);
    expect((await bring(idp, "redirect", "")).status).toBe(404);
    expect((await bring(idp, "post", "a=b")).status).toBe(404);
    expect(locationOf(await told(idp, {})).pathname).toBe("/logout/done");
  });
});
