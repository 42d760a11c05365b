/**
 * Step-up authentication (RFC 9470) and more scopes later (RFC 6750 §3.1), from the challenge of a resource to the next
 * call that it accepts: openid-client 6 passes the challenge on, and a sample API decides by introspection.
 */
import * as client from "openid-client";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { addAuthenticatorApp } from "../../directory/user/second-factor";
import { MULTI_FACTOR, SINGLE_FACTOR } from "../../protocol/authentication-context";
import { ruleDatabases } from "../../testing/database";
import { SECRET } from "../../testing/example";
import { codeAt, hiddenFields, newPerson } from "../../testing/factors";
import { fillSignIn, letIn, onOf, REDIRECT_URI } from "../../testing/flow";
import { BASE_URL, type TestBrowser, type TestService, testService } from "../../testing/test-context";
import { tokenApp, tokenBootstrap } from "../../testing/token-example";

const NOTES = "https://notes.acme.test/api";
const PASSWORD = "correct horse battery staple";
const TOTP = "JBSWY3DPEHPK3PXP";
const MINUTE = 60_000;
const [acme, ...others] = tokenBootstrap.organizations;
const [p1, ...rest] = acme?.projects ?? [];
const scopes = ["read", "write"].map((name) => ({ name: `notes:${name}`, descriptions: { en: `To ${name} notes` } }));
const notes = {
  ...{ id: "p-notes", name: "Notes", resources: [NOTES], scopes },
  apps: [{ id: "a-notes-api", name: "Notes API", api: { clientId: "notes-api", clientSecret: SECRET } }],
};
const bootstrap = {
  ...tokenBootstrap,
  organizations: [
    {
      ...acme,
      projects: [{ ...p1, apps: [...(p1?.apps ?? []), tokenApp("agent", { isThirdParty: true })] }, ...rest, notes],
    },
    ...others,
  ],
};

/** What an endpoint of the sample API requires, and the challenge if a token does not have it. */
const ENDPOINTS = {
  read: {
    meets: (token: Introspected) => has(token, "notes:read"),
    challenge: 'error="insufficient_scope", scope="notes:read"',
  },
  write: {
    meets: (token: Introspected) => has(token, "notes:write"),
    challenge: 'error="insufficient_scope", scope="notes:read notes:write"',
  },
  fresh: {
    meets: ({ auth_time = 0 }: Introspected, now: number) => now / 1000 - auth_time <= 300,
    challenge: 'error="insufficient_user_authentication", max_age="300"',
  },
  strong: {
    meets: ({ acr }: Introspected) => acr === MULTI_FACTOR,
    challenge: `error="insufficient_user_authentication", acr_values="${MULTI_FACTOR}"`,
  },
} as const;
interface Introspected {
  active: boolean;
  aud?: string | string[];
  scope?: string;
  acr?: string;
  auth_time?: number;
}
const has = ({ scope = "" }: Introspected, wanted: string) => scope.split(" ").includes(wanted);

describe.each(ruleDatabases)("a resource that asks for more, on %s", (kind) => {
  let service: TestService;
  let app: client.Configuration;
  let api: client.Configuration;
  beforeAll(async () => {
    service = await testService(kind, bootstrap);
    const discover = (id: string, authentication?: client.ClientAuth) =>
      client.discovery(new URL(BASE_URL), id, SECRET, authentication, {
        execute: [client.allowInsecureRequests],
        [client.customFetch]: (url, { method, headers, body }) =>
          service.fetch(url, { method, headers, body: body as BodyInit }),
      });
    app = await discover("agent");
    api = await discover("notes-api", client.ClientSecretBasic(SECRET));
  });
  afterAll(() => service.close());

  /** Calls the sample API. Returns the parameters of its challenge; undefined if it accepts the token. */
  const call = async (endpoint: keyof typeof ENDPOINTS, accessToken: string) => {
    const token = (await client.tokenIntrospection(api, accessToken)) as Introspected;
    if (!token.active || ![token.aud].flat().includes(NOTES)) throw new Error(`not for it: ${JSON.stringify(token)}`);
    const { meets, challenge } = ENDPOINTS[endpoint];
    if (meets(token, service.ctx.clock())) return undefined;
    return Object.fromEntries([...challenge.matchAll(/(\w+)="([^"]*)"/g)].map(([, name, value = ""]) => [name, value]));
  };
  const pkce = client.randomPKCECodeVerifier();
  /** Sends the browser to the authorization endpoint with what a challenge asked for. */
  const begin = async (browser: TestBrowser, { error: _, ...asked }: Record<string, string> = {}) => {
    const start = client.buildAuthorizationUrl(app, {
      ...{ redirect_uri: REDIRECT_URI, resource: NOTES, scope: "openid notes:read" },
      ...{ code_challenge: await client.calculatePKCECodeChallenge(pkce), code_challenge_method: "S256" },
      ...asked,
      ...(asked.scope && { scope: `openid ${asked.scope}` }),
    });
    return browser.get(start.pathname + start.search);
  };
  const tokenFrom = async (response: Response) => {
    const url = new URL(response.headers.get("location") ?? "");
    const parameters = { resource: NOTES };
    const tokens = await client.authorizationCodeGrant(app, url, { pkceCodeVerifier: pkce }, parameters);
    return tokens.access_token;
  };
  const signedIn = async (loginName = "ada@acme.test") => {
    const browser = service.browser();
    const page = await fillSignIn(browser, await begin(browser), { loginName, password: PASSWORD });
    return { browser, token: await tokenFrom(await letIn(browser, page)) };
  };

  it("gets more scopes after one page, which asks for what is new, without a new sign-in", async () => {
    const { browser, token } = await signedIn();
    expect(await call("read", token)).toBeUndefined();
    const challenge = await call("write", token);
    expect(challenge).toMatchObject({ error: "insufficient_scope" });
    const asked = await begin(browser, challenge);
    expect(onOf(asked)).toMatch(/^\/login\/continue\?/);
    const page = await (await browser.get(onOf(asked))).text();
    expect(page).toContain("To write notes");
    expect(page).not.toContain("To read notes");
    const more = await tokenFrom(await letIn(browser, asked));
    expect([await call("write", more), await call("read", more)]).toEqual([undefined, undefined]);
    // What was agreed to is not asked again.
    expect(await call("write", await tokenFrom(await begin(browser, challenge)))).toBeUndefined();
  });

  it("gets a fresh authentication of the same user after one page, and none while it is fresh", async () => {
    const { browser, token } = await signedIn();
    expect(await call("fresh", token)).toBeUndefined();
    service.advance(10 * MINUTE);
    const challenge = await call("fresh", token);
    expect(challenge).toMatchObject({ error: "insufficient_user_authentication", max_age: "300" });
    const asked = await begin(browser, challenge);
    expect(onOf(asked)).toMatch(/^\/login\?/);
    const answered = await fillSignIn(browser, asked, { loginName: "ada@acme.test", password: PASSWORD });
    expect(await call("fresh", await tokenFrom(answered))).toBeUndefined();
    expect(await call("fresh", await tokenFrom(await begin(browser, challenge)))).toBeUndefined();
  });

  it("gets a second factor after one page, without the password", async () => {
    const { id, loginName } = await newPerson(service, PASSWORD);
    const { browser, token } = await signedIn(loginName);
    expect(((await client.tokenIntrospection(api, token)) as Introspected).acr).toBe(SINGLE_FACTOR);
    const factor = { id: `f-${id}`, secret: TOTP, timeStep: 1, name: "Phone" };
    await addAuthenticatorApp({ ...service.ctx, origin: { actor: id } }, { id, organizationId: "acme" }, factor);
    const challenge = await call("strong", token);
    expect(challenge).toMatchObject({ acr_values: MULTI_FACTOR });
    const asked = await begin(browser, challenge);
    expect(onOf(asked)).toMatch(/^\/login\/mfa\?/);
    const page = await (await browser.get(onOf(asked))).text();
    const action = "/login/mfa/submit";
    const form = { ...hiddenFields(page, action), code: codeAt(TOTP, service.ctx.clock()) };
    expect(await call("strong", await tokenFrom(await browser.post(action, form)))).toBeUndefined();
  });
});
