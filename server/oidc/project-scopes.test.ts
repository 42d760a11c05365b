import { decodeJwt, SignJWT } from "jose";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { callApi } from "../testing/api";
import { databaseKinds } from "../testing/database";
import { SECRET } from "../testing/example";
import { authorize, basic, errorOf, postToken, REDIRECT_URI, refresh, type Tokens, userinfo } from "../testing/flow";
import { BASE_URL, type TestService, testService } from "../testing/test-context";
import {
  MACHINE_SECRET,
  machine,
  machineKey,
  P1_SCOPE,
  SERVICE_SCOPE,
  tokenApp,
  tokenBootstrap,
} from "../testing/token-example";

const [acme, globex, ...others] = tokenBootstrap.organizations;
const [p1, ...rest] = acme?.projects ?? [];
const aud = (id: string) => `urn:service:iam:org:project:id:${id}:aud`;
const jwtApp = { accessTokenType: "OIDC_TOKEN_TYPE_JWT" };

/** The projects p1 and px belong to ACME, pg to Globex; all three define a scope `read`. */
const bootstrap = {
  ...tokenBootstrap,
  organizations: [
    {
      ...acme,
      machines: [...(acme?.machines ?? []), machine("px-bot", { accessTokenType: "ACCESS_TOKEN_TYPE_JWT" })],
      projects: [
        {
          ...p1,
          scopes: [
            { name: "read", descriptions: { en: "See <b>orders</b>" } },
            { name: "write", descriptions: {} },
          ],
          rolesClaim: "roles",
          roles: [{ roleKey: "admin" }, { roleKey: "clerk" }],
          userGrants: [{ userId: "u-ada", roleKeys: ["admin", "clerk"] }],
          apps: [...(p1?.apps ?? []), tokenApp("jwt-web", jwtApp)],
        },
        ...rest,
        {
          id: "px",
          name: "Stock",
          scopes: [
            { name: "read", descriptions: { de: "Lager ansehen" } },
            { name: "stock", descriptions: {} },
          ],
          rolesClaim: "groups",
          roles: [{ roleKey: "keeper" }],
          userGrants: [{ userId: "m-px-bot", roleKeys: ["keeper"] }],
          apps: [{ id: "a-px-api", name: "Stock API", api: { clientId: "px-api", clientSecret: SECRET } }],
        },
      ],
    },
    {
      ...globex,
      projects: [
        ...(globex?.projects ?? []),
        {
          id: "pg",
          name: "Vault",
          scopes: [
            { name: "read", descriptions: {} },
            { name: "vault", descriptions: { en: "Open the vault" } },
          ],
          rolesClaim: "roles",
          roles: [{ roleKey: "guard" }],
          userGrants: [{ userId: "u-ada", roleKeys: ["guard"] }],
          apps: [{ id: "a-pg-api", name: "Vault API", api: { clientId: "pg-api", clientSecret: SECRET } }],
        },
      ],
    },
    ...others,
  ],
};

describe.each(databaseKinds)("scopes and flat roles of projects on %s", (kind) => {
  let service: TestService;
  beforeAll(async () => {
    service = await testService(kind, bootstrap);
  });
  afterAll(() => service.close());

  const signIn = async (scope: string, clientId = "web") => {
    const code = (await authorize(service.browser(), { client_id: clientId, scope })).get("code") ?? "";
    const form = { grant_type: "authorization_code", code, redirect_uri: REDIRECT_URI };
    return (await (await postToken(service, form, basic(clientId, SECRET))).json()) as Tokens;
  };
  const itself = (scope: string, clientId = "ci", secret: string = MACHINE_SECRET) =>
    postToken(service, { grant_type: "client_credentials", scope }, basic(clientId, secret));
  const asserted = async (scope: string) => {
    const now = Math.floor(service.ctx.clock() / 1000);
    const assertion = await new SignJWT({ iss: "m-ci", sub: "m-ci", aud: BASE_URL, iat: now, exp: now + 60 })
      .setProtectedHeader({ alg: "RS256", kid: "k1" })
      .sign(machineKey.privateKey);
    return postToken(service, { grant_type: "urn:ietf:params:oauth:grant-type:jwt-bearer", assertion, scope }, null);
  };
  const scopeOf = async (answer: Response) => ((await answer.json()) as Tokens).scope;
  const introspect = async (token: string, clientId: string) => {
    const headers = { authorization: basic(clientId, SECRET) };
    const body = new URLSearchParams({ token });
    return (await service.fetch("/oauth/v2/introspect", { method: "POST", body, headers })).json() as Promise<
      Record<string, unknown>
    >;
  };

  it("are granted by every grant, in response, token and introspection, and survive a refresh", async () => {
    const tokens = await signIn("openid offline_access read write stock unknown");
    expect(tokens.scope).toBe("openid offline_access read write");
    expect((await introspect(tokens.access_token, "api")).scope).toBe(tokens.scope);
    const narrowed = (await (await refresh(service, tokens.refresh_token, { scope: "openid read" })).json()) as Tokens;
    expect(narrowed.scope).toBe("openid read");
    const wider = await refresh(service, narrowed.refresh_token, { scope: "openid read stock" });
    expect(await errorOf(wider)).toEqual({ status: 400, error: "invalid_scope" });
    const jwt = await signIn(`openid read stock ${aud("px")}`, "jwt-web");
    expect(decodeJwt(jwt.access_token)).toMatchObject({ scope: jwt.scope, aud: ["jwt-web", "p1", "px"] });
    expect(jwt.scope).toBe(`openid read stock ${aud("px")}`);

    expect(await scopeOf(await itself(`read ${P1_SCOPE}`))).toBe(`read ${P1_SCOPE}`);
    expect(await scopeOf(await asserted(`stock ${aud("px")}`))).toBe(`stock ${aud("px")}`);
    const exchanged = await postToken(
      service,
      {
        grant_type: "urn:ietf:params:oauth:grant-type:token-exchange",
        subject_token: tokens.access_token,
        subject_token_type: "urn:ietf:params:oauth:token-type:access_token",
        scope: "openid write",
      },
      basic("exchange", SECRET),
    );
    // The refresh above did not revoke the first token.
    expect(await scopeOf(exchanged)).toBe("openid write");
  });

  it("are rejected as invalid_scope for other projects if no user is involved (RFC 6749 §5.2)", async () => {
    const cells: [string, string, string][] = [
      ["a scope of no project", "ci", `everything ${P1_SCOPE}`],
      ["no project in the request", "ci", "read"],
      ["another project in the request", "ci", `stock ${P1_SCOPE}`],
      ["another organization's project", "ci", `vault ${aud("pg")}`],
      ["a foreign machine at our project", "globex-bot", `stock ${aud("px")}`],
      // The foreign API would accept it as its own.
      ["together with a foreign audience", "ci", `read ${P1_SCOPE} ${aud("pg")}`],
    ];
    const answers = await Promise.all(
      cells.map(async ([name, client, scope]) => {
        const secret = client === "ci" ? MACHINE_SECRET : `${client}-${MACHINE_SECRET}`;
        return [name, await errorOf(await itself(scope, client, secret))] as const;
      }),
    );
    const refused = { status: 400, error: "invalid_scope" };
    answers.push(["by an assertion", await errorOf(await asserted(`everything ${P1_SCOPE}`))]);
    expect(answers.filter(([, error]) => JSON.stringify(error) !== JSON.stringify(refused))).toEqual([]);
    const person = await signIn(`openid read vault ${aud("pg")}`);
    expect(person.scope).toBe(`openid ${aud("pg")}`);
  });

  it("lose an audience that is not a project, and keep an existing one of any owner", async () => {
    const unknown = `${aud("nope")} ${aud("P1")} ${aud("web")}`;
    const tokens = await signIn(`openid ${unknown} ${aud("pg")}`, "jwt-web");
    expect(tokens.scope).toBe(`openid ${aud("pg")}`);
    expect(decodeJwt(tokens.access_token).aud).toEqual(["jwt-web", "p1", "pg"]);
    const machines = (await (await itself(`${unknown} ${P1_SCOPE}`)).json()) as Tokens;
    expect(machines.scope).toBe(P1_SCOPE);
    expect((await introspect(machines.access_token, "api")).aud).toEqual(["ci", "p1"]);
  });

  it("are missing from later tokens when the project removes them, and cause no error", async () => {
    const token = ((await (await itself(SERVICE_SCOPE)).json()) as Tokens).access_token;
    const address = "/management/v1/projects/p1/scopes";
    const added = await callApi(service, "POST", address, {
      token,
      body: { name: "https://x/once", descriptions: {} },
    });
    expect(added.status).toBe(200);
    const tokens = await signIn("openid offline_access https://x/once");
    expect(tokens.scope).toContain("https://x/once");
    const gone = await callApi(service, "DELETE", `${address}/${encodeURIComponent("https://x/once")}`, { token });
    expect(gone.status).toBe(200);
    const refreshed = (await (await refresh(service, tokens.refresh_token)).json()) as Tokens;
    expect(refreshed.scope).toBe("openid offline_access");
    const asked = await refresh(service, refreshed.refresh_token, { scope: "openid https://x/once" });
    expect([asked.status, await scopeOf(asked)]).toEqual([200, "openid"]);
    expect(await errorOf(await itself(`https://x/once ${P1_SCOPE}`))).toEqual({ status: 400, error: "invalid_scope" });
  });

  it("are all stored when several administrators add them at once, each name once", async () => {
    const token = ((await (await itself(SERVICE_SCOPE)).json()) as Tokens).access_token;
    const address = "/management/v1/projects/px/scopes";
    const add = async (name: string) => (await callApi(service, "POST", address, { token, body: { name } })).status;
    const names = ["a", "b", "c", "d", "e", "f"];
    const statuses = await Promise.all([...names, "a"].map(add));
    expect(statuses.filter((status) => status === 200)).toHaveLength(names.length);
    expect(statuses).toContain(409);
    const { body } = await callApi(service, "GET", "/management/v1/projects/px", { token });
    const { project } = body as { project: { scopes: { name: string }[] } };
    expect(project.scopes.map(({ name }) => name).sort()).toEqual([...names, "read", "stock"].sort());
    await Promise.all(names.map((name) => callApi(service, "DELETE", `${address}/${name}`, { token })));
    expect(await add("..")).toBe(400);
  });

  it("include roles as a flat list if only their project reads them", async () => {
    const own = await signIn("openid", "jwt-web");
    expect(decodeJwt(own.id_token).roles).toEqual(["admin", "clerk"]);
    expect(decodeJwt(own.access_token).roles).toEqual(["admin", "clerk"]);
    expect(await (await userinfo(service, own.access_token)).json()).toMatchObject({ roles: ["admin", "clerk"] });
    expect((await introspect(own.access_token, "api")).roles).toEqual(["admin", "clerk"]);
    const one = await signIn("openid urn:service:iam:org:project:role:clerk", "jwt-web");
    expect(decodeJwt(one.id_token).roles).toEqual(["clerk"]);

    // The API of px would accept `admin` of p1 as its own role (confused deputy).
    const shared = await signIn(`openid ${aud("px")} ${aud("pg")}`, "jwt-web");
    expect(decodeJwt(shared.id_token).roles).toEqual(["admin", "clerk"]);
    expect(decodeJwt(shared.access_token).roles).toBeUndefined();
    expect(await (await userinfo(service, shared.access_token)).json()).not.toHaveProperty("roles");
    expect(await introspect(shared.access_token, "px-api")).toMatchObject({ active: true, groups: [] });
    expect((await introspect(shared.access_token, "pg-api")).roles).toEqual(["guard"]);

    const bot = (await (await itself(aud("px"), "px-bot", `px-bot-${MACHINE_SECRET}`)).json()) as Tokens;
    expect(decodeJwt(bot.access_token).groups).toEqual(["keeper"]);
    const both = (await (
      await itself(`${aud("px")} ${P1_SCOPE}`, "px-bot", `px-bot-${MACHINE_SECRET}`)
    ).json()) as Tokens;
    expect(decodeJwt(both.access_token)).not.toHaveProperty("groups");
  });

  it("are not in the discovery document", async () => {
    const discovery = await (await service.fetch("/.well-known/openid-configuration")).json();
    expect(discovery.scopes_supported).toEqual(["openid", "profile", "email", "phone", "address", "offline_access"]);
  });
});
