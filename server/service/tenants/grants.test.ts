import { SignJWT } from "jose";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { tokenTypes } from "../../protocol/token-exchange-request";
import { ruleDatabases } from "../../testing/database";
import { DEVICE_GRANT, type Device } from "../../testing/device";
import { SECRET } from "../../testing/example";
import { basic, fillSignIn, postToken, type Tokens, userinfo } from "../../testing/flow";
import { callerOf, credentialsOf, evilKey, tenantsBootstrap } from "../../testing/tenants";
import { BASE_URL, type TestService, testService } from "../../testing/test-context";
import { MACHINE_SECRET } from "../../testing/token-example";
import { redeemed, signedIn, verifier, visit } from "../../testing/visits";

/** How each hostile app says who it is. */
const HOSTILE: Readonly<Record<string, () => Promise<[Record<string, string>, string | null]>>> = {
  "evil-web": async () => [{}, basic("evil-web", SECRET)],
  "evil-exchange": async () => [{}, basic("evil-exchange", SECRET)],
  "evil-spa": async () => [{ client_id: "evil-spa" }, null],
  "evil-device": async () => [{ client_id: "evil-device" }, null],
  "evil-jwt": async () => [await assertionOf("evil-jwt"), null],
  "evil-mallory": async () => [{}, basic("evil-mallory", `evil-mallory-${MACHINE_SECRET}`)],
  nobody: async () => [{}, null],
};

async function assertionOf(client: string) {
  return {
    client_assertion_type: "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
    client_assertion: await signed({ iss: client, sub: client }),
  };
}

function signed(claims: object): Promise<string> {
  return new SignJWT({ aud: BASE_URL, jti: crypto.randomUUID(), ...claims })
    .setProtectedHeader({ alg: "RS256", kid: "e1" })
    .setIssuedAt()
    .setExpirationTime("5m")
    .sign(evilKey.privateKey);
}

describe.each(ruleDatabases)("tokens of ACME's users and machines, used by other clients, on %s", (kind) => {
  let service: TestService;
  let grantTypes: string[];
  let held: Record<string, string>;
  const device = { deviceCode: "" };

  beforeAll(async () => {
    service = await testService(kind, tenantsBootstrap);
    const answer = await service.fetch("/.well-known/openid-configuration");
    const discovery = (await answer.json()) as { grant_types_supported: string[] };
    grantTypes = discovery.grant_types_supported.filter((type) => type !== "implicit");
  });
  beforeEach(async () => {
    held = await holdings();
  });
  afterAll(() => service.close());

  /** One of everything: each was issued to ACME, and none was used. */
  async function holdings(): Promise<Record<string, string>> {
    const browser = await signedIn(service, "bob");
    const scope = "openid profile email offline_access";
    const code = async () => {
      const outcome = await visit(browser, "own-exchange", { scope });
      return (outcome.kind === "answered" && outcome.with.get("code")) || "";
    };
    const tokens = await redeemed(service, "own-exchange", await visit(browser, "own-exchange", { scope }));
    const machine = { grant_type: "client_credentials" };
    const secret = basic("acme-bot", `acme-bot-${MACHINE_SECRET}`);
    const own = (await (await postToken(service, machine, secret)).json()) as Tokens;
    const iam = await callerOf(service, "acme-iam");
    const { body: pat } = await iam("POST", "/management/v1/users/m-acme-bot/pats", {});
    device.deviceCode = await allowedDevice();
    return {
      code: await code(),
      refreshToken: tokens.refresh_token,
      accessToken: tokens.access_token,
      idToken: tokens.id_token,
      machineToken: own.access_token,
      personalAccessToken: pat.token,
      deviceCode: device.deviceCode,
      userId: "u-bob",
      administrator: "u-ada",
      machine: "m-acme-bot",
      aboutPerson: await signed({ iss: "evil-jwt", sub: "u-bob" }),
      asMachine: await signed({ iss: "m-acme-bot", sub: "m-acme-bot" }),
      asApp: await signed({ iss: "own", sub: "u-bob" }),
    };
  }

  /** The code of a device of ACME that Bob has allowed, ready to be redeemed. */
  async function allowedDevice(): Promise<string> {
    const body = new URLSearchParams({ client_id: "own-device", scope: "openid" });
    const given = (await (
      await service.fetch("/oauth/v2/device_authorization", { method: "POST", body })
    ).json()) as Device;
    const browser = service.browser();
    const typed = await browser.post("/device/submit", { user_code: given.user_code });
    const asked = await fillSignIn(browser, typed, credentialsOf("bob"));
    const flow = new URL(asked.headers.get("location") ?? "about:blank").searchParams.get("flow") ?? "";
    await browser.post("/device/confirm/submit", { flow, allow: "yes" });
    service.advance(6_000);
    return given.device_code;
  }

  /** Everything a grant could read its proof from, so that a new grant is tried by itself. */
  const formOf = (grantType: string, proof: string, type: string) => ({
    grant_type: grantType,
    code: proof,
    refresh_token: proof,
    device_code: proof,
    assertion: proof,
    subject_token: proof,
    subject_token_type: type,
    auth_req_id: proof,
    token: proof,
    user_code: proof,
    redirect_uri: "https://rp.test/cb",
  });

  it("are useless at the token endpoint, with any grant", async () => {
    const accepted: string[] = [];
    for (const grantType of grantTypes) {
      const types = grantType.endsWith("token-exchange") ? Object.values(tokenTypes) : [""];
      for (const [client, authenticate] of Object.entries(HOSTILE)) {
        for (const [name, proof] of Object.entries(held)) {
          for (const [type, scope] of types.flatMap((type) => [[type, ""] as const, [type, "openid"] as const])) {
            const [fields, authorization] = await authenticate();
            const form = { ...formOf(grantType, proof, type), ...fields, ...(scope && { scope }) };
            if (grantType.endsWith("jwt-bearer")) delete (form as Record<string, string>).client_assertion;
            const answer = await postToken(service, form, authorization);
            const body = (await answer.json()) as Partial<Tokens> & { error?: string };
            const what = `${client} ${grantType} ${name} ${type}`;
            if (answer.status >= 500) accepted.push(`${what}: ${answer.status}`);
            // A client may speak for itself, by a grant that reads none of this.
            const { sub } = body.access_token ? await subjectOf(body.access_token) : { sub: undefined };
            if (answer.status === 200 && grantType !== "client_credentials") accepted.push(`${what} as ${sub}`);
            if (sub !== undefined && !["m-evil-mallory"].includes(sub)) accepted.push(`${what} is ${sub}`);
          }
        }
      }
    }
    expect(accepted).toEqual([]);
    expect(grantTypes.length).toBeGreaterThanOrEqual(6);
    await stillWorks();
  });

  async function subjectOf(token: string): Promise<{ sub?: string }> {
    const answer = await userinfo(service, token);
    return answer.status === 200 ? ((await answer.json()) as { sub?: string }) : {};
  }

  it("reveal nothing at introspection, and cannot be revoked", async () => {
    const wrong: string[] = [];
    for (const [name, token] of Object.entries(held)) {
      for (const client of ["evil-web", "evil-exchange", "evil-api", "evil-jwt"]) {
        for (const hint of ["", "access_token", "refresh_token"]) {
          const fields = client === "evil-jwt" ? await assertionOf(client) : {};
          const headers = client === "evil-jwt" ? undefined : { authorization: basic(client, SECRET) };
          const body = () => new URLSearchParams({ token, ...(hint && { token_type_hint: hint }), ...fields });
          const told = await service.fetch("/oauth/v2/introspect", { method: "POST", body: body(), headers });
          const text = await told.text();
          if (/"active":true|bob|builder/i.test(text) || told.status >= 500) wrong.push(`${client} ${name}: ${text}`);
          if (client === "evil-jwt") Object.assign(fields, await assertionOf(client));
          const revoked = await service.fetch("/oauth/v2/revoke", { method: "POST", body: body(), headers });
          if (revoked.status >= 500) wrong.push(`${client} ${name}: revocation ${revoked.status}`);
        }
      }
      for (const client of ["evil-spa", "evil-device", "own"]) {
        await service.fetch("/oauth/v2/revoke", {
          method: "POST",
          body: new URLSearchParams({ token, client_id: client }),
        });
      }
    }
    expect(wrong).toEqual([]);
    await stillWorks();
  });

  it("cannot end a session with another app's id_token, nor with its client id", async () => {
    for (const parameters of [
      { client_id: "evil-web", id_token_hint: held.idToken ?? "" },
      { client_id: "evil-web", post_logout_redirect_uri: "https://evil.test/bye" },
      { id_token_hint: held.aboutPerson ?? "", post_logout_redirect_uri: "https://evil.test/bye" },
    ] as Record<string, string>[]) {
      await service.fetch(`/oidc/v1/end_session?${new URLSearchParams(parameters)}`);
    }
    expect((await userinfo(service, held.accessToken ?? "")).status).toBe(200);
  });

  /** Checks that attempts of others have not invalidated it for the client it was issued to. */
  async function stillWorks(): Promise<void> {
    const owner = basic("own-exchange", SECRET);
    const code = { grant_type: "authorization_code", code: held.code ?? "", redirect_uri: "https://rp.test/cb" };
    const asked = await postToken(service, { ...code, code_verifier: verifier }, owner);
    expect(["code", asked.status]).toEqual(["code", 200]);
    const refreshed = await postToken(
      service,
      { grant_type: "refresh_token", refresh_token: held.refreshToken ?? "" },
      owner,
    );
    expect(["refresh token", refreshed.status]).toEqual(["refresh token", 200]);
    expect(["access token", (await userinfo(service, held.accessToken ?? "")).status]).toEqual(["access token", 200]);
    const form = { grant_type: DEVICE_GRANT, device_code: device.deviceCode, client_id: "own-device" };
    service.advance(6_000);
    expect(["device", (await postToken(service, form, null)).status]).toEqual(["device", 200]);
    const headers = { authorization: `Bearer ${held.personalAccessToken}` };
    expect((await service.fetch("/management/v1/orgs/me", { headers })).status).toBe(200);
  }
});
