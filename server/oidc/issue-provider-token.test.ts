import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { tokenTypes } from "../protocol/token-exchange-request";
import { apiToken, callApi, refusalOf } from "../testing/api";
import { databaseKinds } from "../testing/database";
import { SECRET } from "../testing/example";
import { type Exchanged, machineToken, personTokens, postExchange } from "../testing/exchange";
import { hiddenFields } from "../testing/factors";
import {
  answerOf,
  authorizePath,
  basic,
  flowOf,
  letIn,
  onOf,
  postToken,
  REDIRECT_URI,
  type Tokens,
} from "../testing/flow";
import { type ForgedProvider, forgedProvider } from "../testing/forged-provider";
import { atHome } from "../testing/own-account";
import { offerProviderOf, responseOf } from "../testing/provider-sign-in";
import { type TestService, testService } from "../testing/test-context";
import { tokenApp, tokenBootstrap } from "../testing/token-example";

const [acme, ...others] = tokenBootstrap.organizations;
const [p1, ...rest] = acme?.projects ?? [];
const bootstrap = {
  ...tokenBootstrap,
  organizations: [
    { ...acme, projects: [{ ...p1, apps: [...(p1?.apps ?? []), tokenApp("calendar")] }, ...rest] },
    ...others,
  ],
};
const OPTIONS = { isLinkingAllowed: true, isCreationAllowed: true, isAutoCreation: true };
const kept = (...tokenClientIds: string[]) => ({ ...OPTIONS, tokenClientIds });
/** Shorter than what an app is handed without a refresh. */
const ENDING = { expires_in: 30 };

describe.each(databaseKinds)("tokens of an identity provider, on %s", (kind) => {
  let service: TestService;
  let provider: ForgedProvider;
  let token: string;
  let idp = "";
  beforeAll(async () => {
    service = await testService(kind, bootstrap);
    provider = await forgedProvider();
    token = await apiToken(service);
    idp = await offerProviderOf(service, token, provider, { providerOptions: kept("exchange", "exchange-spa") });
  });
  beforeEach(() => {
    provider.claims = { sub: "kept", email: "kept@elsewhere.test", email_verified: true, name: "K T" };
    Object.assign(provider, { tokens: {}, refusal: undefined, redeemed: [], revoked: [], misbehaves: {} });
  });
  afterAll(async () => {
    await provider.close();
    await service.close();
  });

  const call = (method: string, path: string, body?: object) => callApi(service, method, path, { token, body });
  const client = { clientId: "us", clientSecret: "s3cret" };
  const change = (providerOptions: object, more: object = {}) =>
    call("PUT", `/management/v1/idps/${idp}`, { ...client, issuer: provider.issuer, providerOptions, ...more });
  const rows = () => service.ctx.db.prisma.providerToken.findMany();
  /** Signs in at an app by the provider, which issues these tokens. @returns the app's own token for the user */
  const signIn = async (tokens: object, app = "exchange", browser = service.browser()): Promise<string> => {
    provider.tokens = { ...tokens };
    const first = await browser.get(authorizePath({ client_id: app }));
    const led = await browser.post("/login/idp", { flow: flowOf(first), idp });
    const at = new URL(led.headers.get("location") ?? "about:blank");
    const code = answerOf(await letIn(browser, await browser.get(responseOf(provider, at)))).get("code") ?? "";
    const form = { grant_type: "authorization_code", code, redirect_uri: REDIRECT_URI };
    return ((await (await postToken(service, form, basic(app, SECRET))).json()) as Tokens).access_token;
  };
  const ask = async (subject: string, { app = "exchange", more = {} as Record<string, string> } = {}) => {
    const form = { requested_issuer: idp, ...more };
    const response = await postExchange(service, { subject: ["accessToken", subject], more: form }, basic(app, SECRET));
    return { status: response.status, ...((await response.json()) as Exchanged) };
  };
  const REFRESHED = { access_token: "at-2", refresh_token: "rt-2", expires_in: 3600, scope: "mail" };

  it("are kept sealed at a sign-in, and handed to the app that the options name, with an event", async () => {
    const own = await signIn({ access_token: "at-1", refresh_token: "rt-1", expires_in: 3600, scope: "openid mail" });
    const { expires_in: left, ...answer } = await ask(own);
    expect(answer).toEqual({
      ...{ status: 200, access_token: "at-1", token_type: "Bearer", scope: "openid mail" },
      issued_token_type: tokenTypes.accessToken,
    });
    expect([3598, 3599, 3600]).toContain(left);
    const [row] = await rows();
    expect(row?.sealedTokens).not.toMatch(/at-1|rt-1/);
    expect(await service.ctx.db.prisma.providerSession.count({ where: { sealedTokens: { not: null } } })).toBe(0);
    const [event] = await service.ctx.db.prisma.event.findMany({ where: { type: "grant.provider_token.issued" } });
    const link = await service.ctx.db.prisma.identityLink.findFirstOrThrow({ where: { externalId: "kept" } });
    const payload = { userId: link.userId, clientId: "exchange", providerId: idp, linkedUserId: "kept" };
    expect(event).toMatchObject({ actor: link.userId, resourceOwner: "acme", payload });
    const everything = await service.ctx.db.prisma.event.findMany();
    expect(JSON.stringify(everything)).not.toMatch(/at-1|rt-1/);
    expect(provider.redeemed).toHaveLength(1);
  });

  it("are known to the user, whose account page names the apps", async () => {
    const browser = service.browser();
    await signIn({ access_token: "at-1" }, "exchange", browser);
    const page = await (await browser.get(onOf(await browser.get("/account/security")))).text();
    expect(page.replace(/<[^>]+>/g, "")).toContain(
      "Applications that can use this account: App exchange, App exchange-spa",
    );
  });

  it("are refreshed at the provider when they end, once for all who ask at the same time", async () => {
    const own = await signIn({ access_token: "at-1", refresh_token: "rt-1", ...ENDING });
    service.advance(40_000);
    provider.tokens = REFRESHED;
    const answers = await Promise.all([own, own, own].map((one) => ask(one)));
    expect(answers.map(({ access_token }) => access_token)).toEqual(["at-2", "at-2", "at-2"]);
    const forms = provider.redeemed.filter((form) => form.get("grant_type") === "refresh_token");
    expect(forms.map((form) => form.get("refresh_token"))).toEqual(["rt-1"]);
    expect(await ask(own)).toMatchObject({ access_token: "at-2", scope: "mail" });
    expect(provider.redeemed).toHaveLength(2);
  });

  it("keep their refresh token if a later sign-in or a refresh brings none", async () => {
    await signIn({ access_token: "at-1", refresh_token: "rt-1", expires_in: 3600 });
    const own = await signIn({ access_token: "at-1", ...ENDING });
    provider.tokens = { access_token: "at-2", ...ENDING };
    expect(await ask(own)).toMatchObject({ access_token: "at-2" });
    provider.tokens = REFRESHED;
    expect(await ask(own)).toMatchObject({ access_token: "at-2" });
    const forms = provider.redeemed.filter((form) => form.get("grant_type") === "refresh_token");
    expect(forms.map((form) => form.get("refresh_token"))).toEqual(["rt-1", "rt-1"]);
  });

  it("are handed out as they are while the provider fails, and not at all after their end", async () => {
    const own = await signIn({ access_token: "at-1", refresh_token: "rt-1", ...ENDING });
    provider.refusal = { status: 500, error: "server_error" };
    expect(await ask(own)).toMatchObject({ status: 200, access_token: "at-1" });
    service.advance(40_000);
    const answer = await ask(own);
    expect(answer).toMatchObject({ status: 503, error: "temporarily_unavailable" });
    Object.assign(provider, { refusal: undefined, tokens: REFRESHED });
    service.advance(6_000);
    expect(await ask(own)).toMatchObject({ status: 200, access_token: "at-2" });
  });

  it("are deleted when the provider refuses the refresh token, until the next sign-in", async () => {
    const own = await signIn({ access_token: "at-1", refresh_token: "rt-1", ...ENDING });
    provider.refusal = { status: 400, error: "invalid_grant" };
    expect(await ask(own)).toMatchObject({ status: 400, error: "invalid_grant" });
    expect(await rows()).toEqual([]);
    provider.refusal = undefined;
    expect(await ask(own)).toMatchObject({ status: 400, error: "invalid_grant" });
    await signIn({ access_token: "at-3", expires_in: 3600 });
    expect(await ask(own)).toMatchObject({ access_token: "at-3" });
  });

  it("have no expires_in if the provider names no time", async () => {
    const own = await signIn({ access_token: "at-1", expires_in: 0 });
    expect(await ask(own)).not.toHaveProperty("expires_in");
  });

  it("are for the app's own token of the user alone, and for no other app", async () => {
    const own = await signIn({ access_token: "at-1", expires_in: 3600 });
    const theirs = await signIn({ access_token: "at-1", expires_in: 3600 }, "calendar");
    expect(await ask(theirs, { app: "calendar" })).toMatchObject({ error: "invalid_target" });
    expect(await ask(own, { app: "calendar" })).toMatchObject({ error: "invalid_target" });
    expect(await ask(theirs)).toMatchObject({ error: "invalid_request" });
    expect(await ask(own, { more: { requested_issuer: "unknown" } })).toMatchObject({ error: "invalid_target" });
    expect(await ask(await machineToken(service, "robot"))).toMatchObject({ error: "invalid_request" });
    const eve = await personTokens(service, {});
    expect(await ask(eve.access_token)).toMatchObject({ status: 400, error: "invalid_grant" });
    const more = { requested_issuer: idp, client_id: "exchange-spa" };
    const open = await postExchange(service, { subject: ["accessToken", own], more }, null);
    expect(await open.json()).toMatchObject({ error: "unauthorized_client" });
  });

  it("are for no app of another organization, whatever the options say", async () => {
    expect(refusalOf(await change(kept("stranger")))).toMatchObject({
      status: 400,
      id: "identity_provider.invalid",
    });
    const row = await service.ctx.db.prisma.identityProvider.findUniqueOrThrow({ where: { id: idp } });
    const options = { ...(row.options as object), tokenClientIds: ["exchange", "stranger"] };
    await service.ctx.db.prisma.identityProvider.update({ where: { id: idp }, data: { options } });
    const gus = await personTokens(service, { user: "gus", client: "stranger" });
    expect(await ask(gus.access_token, { app: "stranger" })).toMatchObject({ error: "invalid_target" });
  });

  it("end with the option, with the link, and with another client at the provider", async () => {
    const own = await signIn({ access_token: "at-1", expires_in: 3600 });
    expect((await change(kept("exchange"), { clientId: "others" })).status).toBe(200);
    expect(await rows()).toEqual([]);
    await change(kept("exchange"));
    expect(await ask(own)).toMatchObject({ error: "invalid_grant" });
    await signIn({ access_token: "at-1", expires_in: 3600 });
    await change(OPTIONS);
    expect(await rows()).toEqual([]);
    expect(await ask(own)).toMatchObject({ error: "invalid_target" });
    await signIn({ access_token: "at-1", expires_in: 3600 });
    expect(await rows()).toEqual([]);
    await change(kept("exchange"));
    await signIn({ access_token: "at-1", expires_in: 3600 });
    expect(await rows()).toHaveLength(1);
    const { userId } = await service.ctx.db.prisma.identityLink.findFirstOrThrow({ where: { externalId: "kept" } });
    expect((await call("DELETE", `/v2/users/${userId}/links/${idp}/kept`)).status).toBe(200);
    expect(await rows()).toEqual([]);
    expect(await ask(own)).toMatchObject({ error: "invalid_grant" });
  });

  describe("are revoked at the provider", () => {
    // Those of earlier tests may arrive late.
    const revoked = () =>
      provider.revoked
        .map((form) => [form.get("token_type_hint"), form.get("token")])
        .filter(([, token]) => token?.endsWith(sub));
    const keptTokens = () => ({ access_token: `at-${sub}`, refresh_token: `rt-${sub}`, expires_in: 3600 });
    const PATIENT = { timeout: 10_000 };
    let sub = "";
    const ofUser = async () => {
      const link = await service.ctx.db.prisma.identityLink.findFirstOrThrow({ where: { externalId: sub } });
      return `/v2/users/${link.userId}`;
    };
    beforeEach(async () => {
      sub = `kept-${randomUUID()}`;
      provider.claims = { ...provider.claims, sub, email: `${sub}@elsewhere.test` };
      await change(kept("exchange"));
    });

    it("when an administrator removes the link, and not when that is refused", async () => {
      await signIn(keptTokens());
      expect((await call("DELETE", `/v2/users/unknown/links/${idp}/${sub}`)).status).toBe(404);
      await call("DELETE", `${await ofUser()}/links/${idp}/${sub}`);
      await expect.poll(revoked, PATIENT).toEqual([["refresh_token", `rt-${sub}`]]);
    });

    it("when the user removes the link", async () => {
      const { browser, session } = await atHome(service);
      provider.tokens = { access_token: `at-${sub}` };
      const led = await browser.post("/account/link/submit", { session, idp });
      await browser.get(responseOf(provider, new URL(led.headers.get("location") ?? "about:blank")));
      expect(await rows()).toHaveLength(1);
      const query = new URLSearchParams({ session, what: "remove-link", id: `${idp}/${sub}` });
      const question = await (await browser.get(`/account/confirm?${query}`)).text();
      await browser.post("/account/submit", hiddenFields(question, "/account/submit"));
      expect(await rows()).toEqual([]);
      await expect.poll(revoked, PATIENT).toEqual([["access_token", `at-${sub}`]]);
    });

    it("when the user is removed, and when none are kept any more", async () => {
      await signIn(keptTokens());
      expect((await call("DELETE", await ofUser())).status).toBe(200);
      await expect.poll(revoked, PATIENT).toHaveLength(1);
      provider.claims = { ...provider.claims, sub: `${sub}-2`, email: `${sub}-2@elsewhere.test` };
      await signIn(keptTokens());
      await change(kept("exchange", "exchange-spa"));
      await change(OPTIONS);
      await expect.poll(revoked, PATIENT).toHaveLength(2);
    });

    it("when its settings name another client, as the earlier one", async () => {
      await signIn(keptTokens());
      await change(kept("exchange"), { clientId: "others" });
      await expect.poll(revoked, PATIENT).toEqual([["refresh_token", `rt-${sub}`]]);
      await change(kept("exchange"));
    });

    it("in the background: a provider that does not answer holds up no change", async () => {
      let asked = 0;
      provider.misbehaves = { revoke: () => asked++ };
      await signIn(keptTokens());
      expect((await change(OPTIONS)).status).toBe(200);
      expect(await rows()).toEqual([]);
      await expect.poll(() => asked, PATIENT).toBe(1);
    });
  });
});
