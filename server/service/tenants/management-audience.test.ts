import { SignJWT } from "jose";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { jwtBearer } from "../../protocol/grant-type";
import { serviceAudience } from "../../protocol/management";
import { ruleDatabases } from "../../testing/database";
import { DEVICE_GRANT, type Device } from "../../testing/device";
import { SECRET } from "../../testing/example";
import { exchange } from "../../testing/exchange";
import { basic, fillSignIn, postToken, type Tokens } from "../../testing/flow";
import { type ApiCaller, callerOf, credentialsOf, evilKey, tenantsBootstrap } from "../../testing/tenants";
import { BASE_URL, type TestService, testService } from "../../testing/test-context";
import { MACHINE_SECRET, SERVICE_SCOPE } from "../../testing/token-example";
import { confirm, manages, redeemed, signedIn, type VisitOutcome, visit } from "../../testing/visits";

const WANTED = `openid profile offline_access ${SERVICE_SCOPE}`;
const EVIL = basic("evil-exchange", SECRET);
/** The owner of the app does not matter: its own users are not safer from it. */
const VISITORS = [
  ["ada", "evil-web"],
  ["ada", "evil-spa"],
  ["carl", "evil-web"],
  ["mallory", "evil-spa"],
  ["ada", "own"],
  ["bob", "own-exchange"],
] as const;

describe.each(ruleDatabases)("the audience of the management APIs, on %s", (kind) => {
  let service: TestService;
  let evil: ApiCaller;
  beforeAll(async () => {
    service = await testService(kind, tenantsBootstrap);
    evil = await callerOf(service, "evil-mallory");
  });
  afterAll(() => service.close());

  /** The way to the app's answer, over the page where there is one. */
  async function arrive(name: string, client: string, parameters: Record<string, string> = {}): Promise<VisitOutcome> {
    const browser = await signedIn(service, name);
    return confirm(browser, await visit(browser, client, { scope: WANTED, ...parameters }));
  }

  it.each(VISITORS)("is not given to %s's visit of %s by a code, nor by refreshing", async (name, client) => {
    const tokens = await redeemed(service, client, await arrive(name, client));
    expect(tokens.access_token).toBeTruthy();
    expect(tokens.scope.split(" ")).not.toContain(SERVICE_SCOPE);
    expect(await manages(service, tokens.access_token)).toBe(false);
    const who: Record<string, string> = client === "evil-spa" ? { client_id: client } : {};
    for (const scope of [undefined, WANTED, SERVICE_SCOPE]) {
      const form = { grant_type: "refresh_token", refresh_token: tokens.refresh_token, ...(scope ? { scope } : {}) };
      const authorization = client === "evil-spa" ? null : basic(client, SECRET);
      const answer = await postToken(service, { ...form, ...who }, authorization);
      const again = (await answer.json()) as Tokens;
      if (scope === undefined) tokens.refresh_token = again.refresh_token;
      if (answer.status === 200) expect(await manages(service, again.access_token)).toBe(false);
    }
  });

  it("is not given by an implicit answer", async () => {
    for (const responseType of ["id_token token", "id_token"]) {
      const outcome = await arrive("ada", "evil-implicit", { response_type: responseType });
      if (outcome.kind !== "answered") throw new Error(JSON.stringify(outcome));
      const token = outcome.with.get("access_token");
      expect(outcome.with.has("id_token")).toBe(true);
      if (token) expect(await manages(service, token)).toBe(false);
    }
  });

  it.each([
    ["with other scopes like it", { scope: `openid ${SERVICE_SCOPE} ${SERVICE_SCOPE.toUpperCase()}` }],
    ["twice with blanks", { scope: `openid  ${SERVICE_SCOPE}  ${SERVICE_SCOPE}` }],
    ["as a resource", { scope: "openid", resource: serviceAudience }],
    ["as an audience", { scope: "openid", audience: serviceAudience }],
    ["as a claim", { scope: "openid", claims: JSON.stringify({ access_token: { aud: { value: serviceAudience } } }) }],
    [
      "of an id_token",
      { scope: "openid", claims: JSON.stringify({ id_token: { aud: { values: [serviceAudience] } } }) },
    ],
    ["after asking for consent", { scope: WANTED, prompt: "consent" }],
  ])("is not given %s", async (_, parameters) => {
    const outcome = await arrive("ada", "evil-web", parameters as Record<string, string>);
    if (outcome.kind === "refused") return expect(outcome.error).toMatch(/^invalid_/);
    const tokens = await redeemed(service, "evil-web", outcome);
    expect(tokens.access_token).toBeTruthy();
    expect(await manages(service, tokens.access_token)).toBe(false);
  });

  it.each([
    ["ada", "evil-device"],
    ["carl", "evil-device"],
    ["ada", "own-device"],
  ])("is not given to a device that %s allows (%s)", async (name, client) => {
    const asked = await service.fetch("/oauth/v2/device_authorization", {
      method: "POST",
      body: new URLSearchParams({ client_id: client, scope: WANTED }),
    });
    const device = (await asked.json()) as Device;
    const browser = service.browser();
    const typed = await browser.post("/device/submit", { user_code: device.user_code });
    const confirmed = await fillSignIn(browser, typed, credentialsOf(name));
    const flow = new URL(confirmed.headers.get("location") ?? "about:blank").searchParams.get("flow") ?? "";
    await browser.post("/device/confirm/submit", { flow, allow: "yes" });
    service.advance(6_000);
    const form = { grant_type: DEVICE_GRANT, device_code: device.device_code, client_id: client };
    const tokens = (await (await postToken(service, form, null)).json()) as Tokens;
    expect(tokens.access_token).toBeTruthy();
    expect(await manages(service, tokens.access_token)).toBe(false);
  });

  it("is not given to an app for itself", async () => {
    for (const client of ["evil-exchange", "own-exchange"]) {
      const form = { grant_type: "client_credentials", scope: SERVICE_SCOPE };
      const tokens = (await (await postToken(service, form, basic(client, SECRET))).json()) as Partial<Tokens>;
      expect(tokens.scope?.split(" ") ?? []).not.toContain(SERVICE_SCOPE);
      expect(await manages(service, tokens.access_token)).toBe(false);
    }
  });

  it("belongs to a machine's own tokens, and no app exchanges these or personal access tokens", async () => {
    const bearer = await (
      await postToken(
        service,
        { grant_type: "client_credentials", scope: SERVICE_SCOPE },
        basic("evil-mallory", `evil-mallory-${MACHINE_SECRET}`),
      )
    ).json();
    const assertion = await new SignJWT({ iss: "m-evil-key-bot", sub: "m-evil-key-bot", aud: BASE_URL })
      .setProtectedHeader({ alg: "RS256", kid: "e1" })
      .setIssuedAt()
      .setExpirationTime("5m")
      .sign(evilKey.privateKey);
    const profile = await postToken(service, { grant_type: jwtBearer, assertion, scope: WANTED }, null);
    const { body: pat } = await evil("POST", "/management/v1/users/m-evil-key-bot/pats", {});
    const own = {
      "client credentials": (bearer as Tokens).access_token,
      "JWT profile": ((await profile.json()) as Tokens).access_token,
      "personal access token": pat.token as string,
    };
    for (const [name, token] of Object.entries(own)) {
      expect([name, await manages(service, token)]).toEqual([name, true]);
      for (const client of ["evil-exchange", "own-exchange"]) {
        for (const more of [
          {},
          { scope: SERVICE_SCOPE },
          { audience: serviceAudience },
          { requested: "jwt" as const },
        ]) {
          const given = await exchange(service, { subject: ["accessToken", token], ...more }, basic(client, SECRET));
          expect([name, client, more, await manages(service, given.access_token)]).toEqual([name, client, more, false]);
        }
      }
    }
  });

  it("is not granted by exchanging tokens of a user's sign-in, a user id, or an assertion of the app", async () => {
    const tokens = await redeemed(service, "evil-exchange", await arrive("ada", "evil-exchange"));
    expect(tokens.access_token).toBeTruthy();
    const statement = await new SignJWT({ iss: "evil-jwt", sub: "u-ada", aud: BASE_URL })
      .setProtectedHeader({ alg: "RS256", kid: "e1" })
      .setIssuedAt()
      .setExpirationTime("5m")
      .sign(evilKey.privateKey);
    const subjects = [
      ["accessToken", tokens.access_token],
      ["idToken", tokens.id_token],
      ["userId", "u-ada"],
      ["jwt", statement],
    ] as const;
    const given: string[] = [];
    for (const subject of subjects) {
      for (const actor of [undefined, ["accessToken", tokens.access_token], ["idToken", tokens.id_token]] as const) {
        for (const scope of [undefined, SERVICE_SCOPE, WANTED]) {
          for (const audience of [undefined, serviceAudience]) {
            for (const requested of ["accessToken", "jwt"] as const) {
              const form = { subject: [...subject], actor: actor && [...actor], scope, audience, requested };
              const answer = await exchange(service, form as Parameters<typeof exchange>[1], EVIL);
              if (await manages(service, answer.access_token))
                given.push(JSON.stringify([subject[0], actor?.[0], scope]));
            }
          }
        }
      }
    }
    expect(given).toEqual([]);
  });
});
