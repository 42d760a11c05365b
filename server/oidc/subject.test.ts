import { decodeJwt, exportJWK, SignJWT } from "jose";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openSecrets } from "../crypto/secrets";
import { setFeatures } from "../directory/instance-settings";
import { resealSecrets } from "../keys/reseal";
import { subjectFor, userOfSubject } from "../keys/subject";
import { ruleDatabases } from "../testing/database";
import { exampleBootstrap, SECRET } from "../testing/example";
import { exchange } from "../testing/exchange";
import { answerOf, authorize, authorizePath, basic, postToken, type Tokens, userinfo } from "../testing/flow";
import { BASE_URL, type TestService, testService } from "../testing/test-context";
import { exchangeKey } from "../testing/token-example";

const [acme] = exampleBootstrap.organizations;
const pairwise = {
  clientSecret: SECRET,
  subjectType: "SUBJECT_TYPE_PAIRWISE",
  grantTypes: ["OIDC_GRANT_TYPE_AUTHORIZATION_CODE", "OIDC_GRANT_TYPE_REFRESH_TOKEN", "OIDC_GRANT_TYPE_TOKEN_EXCHANGE"],
};
const app = (clientId: string, host: string, more: object = {}) => ({
  name: clientId,
  oidc: { clientId, ...pairwise, redirectUris: [`https://${host}/${clientId}`], ...more },
});
const jwks = { keys: [{ ...(await exportJWK(exchangeKey.publicKey)), kid: "x1", alg: "RS256", use: "sig" }] };
const apps = [
  app("news", "news.test", { frontChannelLogoutUri: "https://news.test/out", frontChannelLogoutSessionRequired: true }),
  app("sport", "news.test", { accessTokenType: "OIDC_TOKEN_TYPE_JWT", jwks }),
  app("shop", "shop.test", { allowManagementApi: true }),
  app("plain", "plain.test", { subjectType: "SUBJECT_TYPE_PUBLIC" }),
  { name: "api", api: { clientId: "api", clientSecret: SECRET } },
];
const hosts: Record<string, string> = { news: "news.test", sport: "news.test", shop: "shop.test", plain: "plain.test" };
const redirectUri = (clientId: string) => `https://${hosts[clientId]}/${clientId}`;

describe.each(ruleDatabases)("Pairwise subjects (OIDC Core §8) on %s", (kind) => {
  let service: TestService;
  beforeAll(async () => {
    service = await testService(kind, { organizations: [{ ...acme, projects: [{ id: "p1", name: "Shop", apps }] }] });
    await setFeatures({ ...service.ctx, origin: { actor: "system" } }, { oidcTokenExchange: true });
  });
  afterAll(() => service.close());

  const form = (clientId: string, more: Record<string, string> = {}) => ({
    client_id: clientId,
    redirect_uri: redirectUri(clientId),
    ...more,
  });
  const token = async (clientId: string, fields: Record<string, string>) =>
    (await (await postToken(service, fields, basic(clientId, SECRET))).json()) as Tokens;
  const tokensFor = async (clientId: string, browser = service.browser(), more: Record<string, string> = {}) => {
    const code = (await authorize(browser, form(clientId, more))).get("code") ?? "";
    return token(clientId, { grant_type: "authorization_code", code, redirect_uri: redirectUri(clientId) });
  };
  const subject = (jwt: string) => decodeJwt(jwt).sub ?? "";
  const silently = async (browser: ReturnType<TestService["browser"]>, clientId: string, more: object) => {
    const answer = answerOf(await browser.get(authorizePath(form(clientId, { prompt: "none", ...more }))));
    return answer.get("error") ?? (answer.get("code") && "code");
  };

  it("are equal for all apps of a sector, differ between sectors, and do not contain the id of the user", async () => {
    const browser = service.browser();
    const [news = "", sport, shop, plain] = [
      subject((await tokensFor("news", browser)).id_token),
      subject((await tokensFor("sport", browser)).id_token),
      subject((await tokensFor("shop", browser)).id_token),
      subject((await tokensFor("plain", browser)).id_token),
    ];
    expect(plain).toBe("u-ada");
    expect(sport).toBe(news);
    expect(new Set([news, shop, plain]).size).toBe(3);
    expect(Buffer.from(news, "base64url").toString("latin1")).not.toContain("ada");
    expect(news.length).toBeLessThanOrEqual(255);
  });

  it("name the user in all that an app gets, also after a refresh", async () => {
    const { access_token, id_token, refresh_token } = await tokensFor("sport", undefined, {
      scope: "openid offline_access urn:service:iam:org:project:id:p1:aud",
    });
    const own = subject(id_token);
    expect(subject(access_token)).toBe(own);
    expect(await (await userinfo(service, access_token)).json()).toMatchObject({ sub: own });
    const body = new URLSearchParams({ token: access_token });
    const headers = { authorization: basic("api", SECRET) };
    const seen = await (await service.fetch("/oauth/v2/introspect", { method: "POST", body, headers })).json();
    expect(seen).toMatchObject({ active: true, sub: own });
    const fresh = await token("sport", { grant_type: "refresh_token", refresh_token });
    expect([subject(fresh.id_token), subject(fresh.access_token)]).toEqual([own, own]);
    expect(JSON.stringify([decodeJwt(access_token), decodeJwt(id_token), seen])).not.toContain("u-ada");
  });

  it("have sessions under names of the sector, too", async () => {
    const browser = service.browser();
    const sids = [];
    for (const clientId of ["news", "sport", "shop", "plain"]) {
      sids.push(decodeJwt((await tokensFor(clientId, browser)).id_token).sid);
    }
    expect(sids[1]).toBe(sids[0]);
    expect(new Set(sids).size).toBe(3);
    const page = await (await browser.get("/oidc/v1/end_session?post_logout_redirect_uri=")).text();
    const { id_token } = await tokensFor("plain", browser);
    const signedOut = await (await browser.get(`/oidc/v1/end_session?id_token_hint=${id_token}`)).text();
    expect(page + signedOut).toContain(`sid=${sids[0]}`);
  });

  it("are hints for the app's own sector alone (attack: two apps that look for users in common)", async () => {
    const browser = service.browser();
    const { id_token: news } = await tokensFor("news", browser);
    const { id_token: shop } = await tokensFor("shop", browser);
    const { id_token: plain } = await tokensFor("plain", browser);
    expect(await silently(browser, "news", { id_token_hint: news })).toBe("code");
    expect(await silently(browser, "sport", { id_token_hint: news })).toBe("code");
    expect(await silently(browser, "shop", { id_token_hint: news })).toBe("login_required");
    expect(await silently(browser, "news", { id_token_hint: plain })).toBe("login_required");
    const required = (value: string) => ({ claims: JSON.stringify({ id_token: { sub: { value } } }) });
    expect(await silently(browser, "news", required(subject(news)))).toBe("code");
    for (const other of [subject(shop), "u-ada", "invented", ""]) {
      expect(await silently(browser, "news", required(other))).toBe("login_required");
    }
  });

  it("end the session of a hint", async () => {
    const browser = service.browser();
    const { id_token } = await tokensFor("news", browser);
    await service.fetch(`/oidc/v1/end_session?id_token_hint=${id_token}`); // from the app's server
    expect(await silently(browser, "news", {})).toBe("login_required");
  });

  it("are what an app exchanges tokens for, and names users by", async () => {
    const as = basic("sport", SECRET);
    const { id_token, access_token } = await tokensFor("sport");
    const own = subject(id_token);
    for (const presented of [["idToken", id_token] as const, ["accessToken", access_token] as const]) {
      const got = await exchange(service, { subject: [...presented], requested: "jwt" }, as);
      expect([got.status, got.access_token && subject(got.access_token)]).toEqual([200, own]);
    }
    const signed = (sub: string) =>
      new SignJWT({ iss: "sport", sub, aud: BASE_URL, exp: Math.floor(service.ctx.clock() / 1000) + 60 })
        .setProtectedHeader({ alg: "RS256", kid: "x1" })
        .sign(exchangeKey.privateKey);
    const actor = ["accessToken", access_token] as ["accessToken", string];
    const got = await exchange(service, { subject: ["jwt", await signed(own)], actor, requested: "jwt" }, as);
    expect([got.status, got.access_token && subject(got.access_token)]).toEqual([200, own]);
    for (const wrong of ["u-ada", subject((await tokensFor("shop")).id_token)]) {
      expect((await exchange(service, { subject: ["jwt", await signed(wrong)], actor }, as)).status).toBe(400);
      expect((await exchange(service, { subject: ["userId", wrong], actor }, as)).status).toBe(400);
    }
  });

  it("give no access to the management APIs, which name users by their own ids", async () => {
    const scope = "openid urn:service:iam:org:project:id:service:aud";
    const { access_token, scope: granted } = await tokensFor("shop", undefined, { scope });
    expect(granted).toBe("openid");
    const headers = { authorization: `Bearer ${access_token}` };
    expect((await service.fetch("/auth/v1/users/me", { headers })).status).toBe(401);
  });

  it("survive a rotation of SECRET_KEY and are the same in another process", async () => {
    const { ctx } = service;
    const client = { sector: "news.test" };
    const before = await subjectFor(ctx, client, "u-ada");
    const [old, latest] = [
      "a secret key of tests, thirty-two characters or more",
      "the next secret key, of some length",
    ];
    const under = (...secretKeys: string[]) => ({
      ...ctx,
      config: { ...ctx.config, secretKeys },
      secrets: openSecrets(secretKeys),
    });
    await resealSecrets(under(latest, old));
    expect(await subjectFor({ ...under(latest), db: { ...ctx.db } }, client, "u-ada")).toBe(before);
    await resealSecrets(under(old, latest));
  });

  it("have at most 255 characters, also of the longest id, and are read only in their sector", async () => {
    const { ctx } = service;
    const client = { sector: "news.test" };
    for (const id of ["a", "x".repeat(32), "x".repeat(160)]) {
      const seen = await subjectFor(ctx, client, id);
      expect(seen.length).toBeLessThanOrEqual(255);
      expect(await userOfSubject(ctx, client, seen)).toBe(id);
      expect(await userOfSubject(ctx, { sector: "shop.test" }, seen)).toBeUndefined();
    }
    const longest = await subjectFor(ctx, client, "x".repeat(200));
    expect(longest.length).toBeLessThanOrEqual(255);
    expect(await userOfSubject(ctx, client, longest)).toBeUndefined();
  });
});
