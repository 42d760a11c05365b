import { decodeJwt } from "jose";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { changeDirectory } from "../../directory/change";
import { setPolicy } from "../../directory/policy/policies";
import { ruleDatabases } from "../../testing/database";
import { DEVICE_GRANT, type Device, deviceBootstrap } from "../../testing/device";
import { SECRET } from "../../testing/example";
import {
  authorize,
  basic,
  fillSignIn,
  flowOf,
  postToken,
  REDIRECT_URI,
  type Tokens,
  userinfo,
} from "../../testing/flow";
import { type TestBrowser, type TestService, testService } from "../../testing/test-context";

const [acme, ...others] = deviceBootstrap.organizations;
const [shop, ...projects] = (acme as { projects: { apps: object[] }[] }).projects;
/** The grants of another app with offline access; a third app also has devices. */
const grantTypes = ["OIDC_GRANT_TYPE_AUTHORIZATION_CODE", "OIDC_GRANT_TYPE_REFRESH_TOKEN"];
const web = {
  redirectUris: [REDIRECT_URI],
  responseTypes: ["OIDC_RESPONSE_TYPE_CODE"],
  clientSecret: SECRET,
  appType: "OIDC_APP_TYPE_WEB",
  authMethodType: "OIDC_AUTH_METHOD_TYPE_BASIC",
};
const apps = [
  ...(shop?.apps ?? []),
  { name: "Mail", oidc: { clientId: "mail", ...web, grantTypes } },
  { name: "Films", oidc: { clientId: "films", ...web, grantTypes: [...grantTypes, "OIDC_GRANT_TYPE_DEVICE_CODE"] } },
];
const bootstrap = { organizations: [{ ...acme, projects: [{ ...shop, apps }, ...projects] }, ...others] };

const OFFLINE = "openid offline_access";

describe.each(ruleDatabases)("offline access after a sign-out (rule SIGNOUT-4) on %s", (kind) => {
  let service: TestService;
  beforeAll(async () => {
    service = await testService(kind, bootstrap);
  });
  afterAll(() => service.close());

  const authorization = (client: string) => (client === "tv" ? null : basic(client, SECRET));
  const ask = async (client: string, form: Record<string, string>) =>
    (await postToken(service, { client_id: client, ...form }, authorization(client))).json() as Promise<Tokens>;
  async function signIn(browser: TestBrowser, client: string, scope = OFFLINE, loginName?: string): Promise<Tokens> {
    const code = (await authorize(browser, { client_id: client, scope }, { loginName })).get("code") ?? "";
    return ask(client, { grant_type: "authorization_code", code, redirect_uri: REDIRECT_URI });
  }
  /** Requests codes for a device, and approves it in the browser. */
  async function letDeviceIn(browser: TestBrowser, client: string, scope = OFFLINE) {
    const body = new URLSearchParams({ client_id: client, scope });
    const header = authorization(client);
    const headers: Record<string, string> = header === null ? {} : { authorization: header };
    const asked = await service.fetch("/oauth/v2/device_authorization", { method: "POST", body, headers });
    const { user_code, device_code } = (await asked.json()) as Device;
    const first = await browser.post("/device/submit", { user_code });
    const question = (first.headers.get("location") ?? "").includes("/login?")
      ? await fillSignIn(browser, first)
      : first;
    await browser.post("/device/confirm/submit", { flow: flowOf(question), allow: "yes" });
    return { redeem: () => ask(client, { grant_type: DEVICE_GRANT, device_code }) };
  }
  const device = async (browser: TestBrowser, client: string, scope?: string) =>
    (await letDeviceIn(browser, client, scope)).redeem();
  const signOut = (browser: Pick<TestBrowser, "get">, parameters: Record<string, string>) =>
    browser.get(`/oidc/v1/end_session?${new URLSearchParams(parameters)}`);
  const withoutCookie = { get: (path: string) => service.fetch(path) };
  /** Returns the tokens of the next refresh, or undefined if it is rejected. */
  async function refreshed(client: string, { refresh_token }: Tokens): Promise<Tokens | undefined> {
    const answer = await ask(client, { grant_type: "refresh_token", refresh_token });
    return answer.access_token === undefined ? undefined : answer;
  }
  const lives = async (client: string, tokens: Tokens) => (await refreshed(client, tokens)) !== undefined;
  const accessOf = async ({ access_token }: Tokens) => (await userinfo(service, access_token)).status;

  it("ends for the app that signs out, and continues for other apps and for devices, including that app's", async () => {
    const browser = service.browser();
    const [asking, online] = [await signIn(browser, "films"), await signIn(browser, "web", "openid")];
    const [mail, tv, projector] = [
      await signIn(browser, "mail"),
      await device(browser, "tv"),
      await device(browser, "films"),
    ];
    await signOut(browser, { id_token_hint: asking.id_token });
    expect([await accessOf(asking), await accessOf(online)]).toEqual([401, 401]);
    expect(await lives("films", asking)).toBe(false);
    for (const [client, kept] of [
      ["mail", mail],
      ["tv", tv],
      ["films", projector],
    ] as const) {
      expect(await accessOf(kept), client).toBe(200);
      const next = await refreshed(client, kept);
      expect(await accessOf(next as Tokens), client).toBe(200);
      expect(decodeJwt(next?.id_token ?? "").sid, client).toBe(decodeJwt(asking.id_token).sid);
    }
    const introspected = await service.fetch("/oauth/v2/introspect", {
      method: "POST",
      body: new URLSearchParams({ token: mail.access_token }),
      headers: { authorization: basic("mail", SECRET) },
    });
    expect(await introspected.json()).toMatchObject({ active: true });
  });

  it("continues for a device that was approved and requests its tokens later, but ends without offline access", async () => {
    const browser = service.browser();
    const { id_token } = await signIn(browser, "web");
    const [offline, online] = [await letDeviceIn(browser, "tv"), await letDeviceIn(browser, "tv", "openid")];
    await signOut(browser, { id_token_hint: id_token });
    expect(await lives("tv", await offline.redeem())).toBe(true);
    expect(await online.redeem()).toMatchObject({ error: "invalid_grant" });
  });

  it("ends for an app that signs out after the session has ended, and for a device by its own id_token", async () => {
    const browser = service.browser();
    const [first, mail, tv] = [
      await signIn(browser, "web"),
      await signIn(browser, "mail"),
      await device(browser, "tv"),
    ];
    await signOut(browser, { id_token_hint: first.id_token });
    expect(await lives("mail", mail)).toBe(true);
    await signOut(withoutCookie, { id_token_hint: mail.id_token });
    expect([await lives("mail", mail), await accessOf(mail), await lives("tv", tv)]).toEqual([false, 401, true]);
    await signOut(withoutCookie, { id_token_hint: tv.id_token });
    expect(await lives("tv", tv)).toBe(false);
  });

  it("ends for the app of an earlier session when it signs out of a later one", async () => {
    const browser = service.browser();
    const [web, mail] = [await signIn(browser, "web"), await signIn(browser, "mail")];
    await signOut(browser, { id_token_hint: web.id_token });
    const later = await signIn(browser, "web");
    await signOut(browser, { id_token_hint: mail.id_token });
    expect([await lives("mail", mail), await accessOf(later)]).toEqual([false, 200]);
  });

  it("continues in another browser of the user", async () => {
    const [browser, another] = [service.browser(), service.browser()];
    const [here, there] = [await signIn(browser, "mail"), await signIn(another, "mail")];
    await signOut(browser, { id_token_hint: here.id_token });
    expect([await lives("mail", here), await lives("mail", there)]).toEqual([false, true]);
  });

  it("continues for all apps after a sign-out on the page, except for the app in client_id", async () => {
    const browser = service.browser();
    const mail = await signIn(browser, "mail");
    await browser.post("/logout/submit", {});
    expect(await lives("mail", mail)).toBe(true);
    const [web, films] = [await signIn(browser, "web"), await signIn(browser, "films")];
    const question = await signOut(browser, { client_id: "web" });
    expect([await lives("web", web), await accessOf(films)]).toEqual([true, 200]);
    await browser.post("/logout/submit", { flow: flowOf(question) });
    expect([await lives("web", web), await lives("films", films)]).toEqual([false, true]);
  });

  it("ends for tokens that were exchanged from ended ones, and only for them", async () => {
    const browser = service.browser();
    const [online, mail] = [await signIn(browser, "web", "openid"), await signIn(browser, "mail")];
    const { prisma } = service.ctx.db;
    const sid = decodeJwt(online.id_token).sid as string;
    const [parent, kept] = [decodeJwt(online.id_token).txn as string, decodeJwt(mail.id_token).txn as string];
    const row = await prisma.grant.findUniqueOrThrow({ where: { id: kept } });
    const exchanged = (id: string, parentId: string) => ({ ...row, id: `${id}-${kind}`, parentId, codeDigest: null });
    const rows = [exchanged("child", parent), exchanged("other", kept)];
    await prisma.grant.createMany({ data: [...rows, { ...exchanged("grandchild", `child-${kind}`) }] });
    await signOut(browser, { id_token_hint: online.id_token });
    const left = await prisma.grant.findMany({ where: { sessionId: sid, revokedAt: null }, select: { id: true } });
    expect(left.map(({ id }) => id).sort()).toEqual([kept, `other-${kind}`].sort());
  });

  it("ends for all apps if the user's organization requires it, and never by HEAD", async () => {
    const set = (endOfflineAccessOnSignOut: boolean) =>
      changeDirectory(service.ctx, (ctx) =>
        setPolicy({ ...service.ctx, tx: ctx.tx, origin: { actor: "operator" } }, "acme", "login", {
          endOfflineAccessOnSignOut,
        }),
      );
    await set(true);
    const browser = service.browser();
    const [web, mail, tv] = [await signIn(browser, "web"), await signIn(browser, "mail"), await device(browser, "tv")];
    await service.fetch(`/oidc/v1/end_session?id_token_hint=${web.id_token}`, { method: "HEAD" });
    expect(await lives("web", web)).toBe(true);
    await browser.post("/logout/submit", {});
    for (const [client, tokens] of [
      ["web", web],
      ["mail", mail],
      ["tv", tv],
    ] as const) {
      expect([await lives(client, tokens), await accessOf(tokens)], client).toEqual([false, 401]);
    }
    await set(false);
  });

  it("ends everywhere else, including earlier sessions and devices, on request on the account's page", async () => {
    const [browser, another] = [service.browser(), service.browser()];
    const gone = [await signIn(another, "web"), await signIn(another, "mail")] as const;
    await signOut(another, { id_token_hint: gone[0].id_token });
    const there = await signIn(another, "films");
    const [here, tv] = [await signIn(browser, "mail"), await device(browser, "tv")];
    const session = decodeJwt(here.id_token).sid as string;
    await browser.post("/account/submit", { session, what: "end-others" });
    for (const [client, tokens] of [
      ["mail", gone[1]],
      ["films", there],
      ["tv", tv],
    ] as const) {
      expect([await lives(client, tokens), await accessOf(tokens)], client).toEqual([false, 401]);
    }
    expect(await lives("mail", here)).toBe(true);
    const later = await signIn(another, "films");
    await browser.post("/account/submit", {
      session,
      what: "end-session",
      id: decodeJwt(later.id_token).sid as string,
    });
    expect(await lives("films", later)).toBe(false);
  });
});
