import { decodeJwt, exportJWK, generateKeyPair, type JWTPayload, SignJWT } from "jose";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { addIdentityProvider } from "../../directory/identity-provider/edit";
import { addIdentityLink } from "../../directory/identity-provider/links";
import { offerProvider } from "../../directory/identity-provider/offered";
import { isApiError } from "../../protocol/api-error";
import { jwtBearer } from "../../protocol/grant-type";
import { databaseKinds, ruleDatabases } from "../../testing/database";
import { type DocumentHost, documentHost } from "../../testing/document-host";
import { SECRET } from "../../testing/example";
import { basic, postToken, userinfo } from "../../testing/flow";
import { BASE_URL, type TestService, testService } from "../../testing/test-context";
import { tokenApp, tokenBootstrap } from "../../testing/token-example";

const [acme, globex, ...others] = tokenBootstrap.organizations;
const [p1, ...rest] = acme?.projects ?? [];
const RESOURCE = "https://mcp.acme.test/notes";
const jwt = { accessTokenType: "OIDC_TOKEN_TYPE_JWT" };
const bootstrap = {
  ...tokenBootstrap,
  organizations: [
    {
      ...acme,
      projects: [
        {
          ...p1,
          resources: [RESOURCE],
          scopes: ["notes:read", "notes:write"].map((name) => ({ name, descriptions: {} })),
          apps: [...(p1?.apps ?? []), tokenApp("wiki", jwt), tokenApp("strange", { ...jwt, isThirdParty: true })],
        },
        ...rest,
      ],
    },
    {
      ...globex,
      projects: [...(globex?.projects ?? []), { id: "pw", name: "Wiki", apps: [tokenApp("globex-wiki", jwt)] }],
    },
    ...others,
  ],
};

const keys = await generateKeyPair("ES256", { extractable: true });
const stolen = await generateKeyPair("ES256");
const now = () => Math.floor(Date.now() / 1000);

describe.each(databaseKinds)("identity assertions (ID-JAG) of a trusted provider on %s", (kind) => {
  let service: TestService;
  let host: DocumentHost;
  let issuer: string;
  const origin = { actor: "u-ada" };
  beforeAll(async () => {
    service = await testService(kind, bootstrap);
    host = await documentHost(service);
    issuer = await publish("/idp");
    const provider = await trust("acme", issuer);
    const link = { providerId: provider, externalId: "00u-eve", userName: "eve" };
    await addIdentityLink({ ...service.ctx, origin }, { userId: "u-eve", organizationId: "acme" }, link);
  });
  afterAll(async () => {
    await host.close();
    await service.close();
  });

  /** Serves the documents of an issuer. */
  const publish = async (path: string): Promise<string> => {
    const json = (document: object) => (response: import("node:http").ServerResponse) =>
      response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(document));
    const at = host.url(path);
    const key = { ...(await exportJWK(keys.publicKey)), kid: "k", alg: "ES256", use: "sig" };
    const jwks_uri = host.answer(`${path}/keys`, json({ keys: [key] }));
    host.answer(`${path}/.well-known/openid-configuration`, json({ issuer: at, jwks_uri }));
    return at;
  };
  const trust = async (ownerId: string, at: string, options: object = {}): Promise<string> => {
    const providerOptions = {
      isLinkingAllowed: true,
      autoLinking: "AUTO_LINKING_OPTION_EMAIL",
      isIdentityAssertionAccepted: true,
      ...options,
    };
    const form = { name: "Partner", issuer: at, clientId: "us", clientSecret: "s3cret", providerOptions };
    const owner = { level: "organization", ownerId } as const;
    const made = await addIdentityProvider({ ...service.ctx, origin }, owner, "oidc", form);
    if (isApiError(made)) throw new Error(made.message);
    await offerProvider({ ...service.ctx, origin }, owner, made.id);
    return made.id;
  };
  const claims = (more: JWTPayload = {}): JWTPayload => ({
    iss: issuer,
    sub: "00u-eve",
    aud: BASE_URL,
    client_id: "wiki",
    jti: crypto.randomUUID(),
    iat: now(),
    exp: now() + 300,
    resource: RESOURCE,
    scope: "notes:read notes:write",
    ...more,
  });
  const sign = (payload: JWTPayload, header: object = {}, key = keys.privateKey) =>
    new SignJWT(payload).setProtectedHeader({ alg: "ES256", kid: "k", typ: "oauth-id-jag+jwt", ...header }).sign(key);
  const present = async (assertion: string, more: Record<string, string> = {}, as: string | null = "wiki") => {
    const form = { grant_type: jwtBearer, assertion, ...more };
    const response = await postToken(service, form, as === null ? null : basic(as, SECRET));
    const answer = (await response.json()) as { access_token?: string; scope?: string; error?: string };
    return { status: response.status, ...answer };
  };

  it("give the app a token for the user at the resource, and no refresh token", async () => {
    const at = now() - 60;
    const answer = await present(await sign(claims({ auth_time: at })));
    expect(answer).toMatchObject({ status: 200, token_type: "Bearer", scope: "notes:read notes:write" });
    expect(answer).not.toHaveProperty("refresh_token");
    expect(answer).not.toHaveProperty("id_token");
    const token = decodeJwt(answer.access_token ?? "");
    expect(token).toMatchObject({ sub: "u-eve", aud: [RESOURCE], client_id: "wiki", auth_time: at });
    const event = await service.ctx.db.prisma.event.findFirst({
      where: { type: "grant.exchanged" },
      orderBy: { position: "desc" },
    });
    expect(event).toMatchObject({ actor: "u-eve", resourceOwner: "acme" });
    expect(event?.payload).toMatchObject({ clientId: "wiki", audience: RESOURCE });
  });

  it("are narrowed by the request, and never widened", async () => {
    const narrow = await present(await sign(claims()), { scope: "notes:read" });
    expect(narrow).toMatchObject({ status: 200, scope: "notes:read" });
    expect(await present(await sign(claims()), { scope: "notes:read email" })).toMatchObject({
      error: "invalid_scope",
    });
    const elsewhere = { resource: "https://other.acme.test" };
    expect(await present(await sign(claims()), elsewhere)).toMatchObject({ error: "invalid_target" });
    expect(await present(await sign(claims(elsewhere)))).toMatchObject({ error: "invalid_target" });
  });

  it("name a user who is not linked by a verified address in a domain of the organization", async () => {
    const known = await present(await sign(claims({ sub: "00u-boss", email: "boss@acme.test", email_verified: true })));
    expect(decodeJwt(known.access_token ?? "")).toMatchObject({ sub: "u-boss" });
  });

  it("give a token for the app itself if they name no resource", async () => {
    const answer = await present(await sign(claims({ resource: undefined, scope: "profile" })));
    expect(decodeJwt(answer.access_token ?? "")).toMatchObject({ aud: ["wiki", "p1"], scope: "profile" });
    expect((await userinfo(service, answer.access_token ?? "")).status).toBe(403); // without openid
  });

  it("work once, on every request at the same time", async () => {
    const assertion = await sign(claims());
    const answers = await Promise.all([present(assertion), present(assertion), present(assertion)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400]);
  });

  const attacks: Record<string, () => Promise<string>> = {
    "of an issuer that nobody trusts": async () => sign(claims({ iss: await publish("/other") })),
    "of an issuer that another organization trusts": async () => {
      const at = await publish("/globex");
      await trust("globex", at);
      return sign(claims({ iss: at, sub: "x", email: "eve@acme.test", email_verified: true }));
    },
    "of a provider that does not vouch": async () => {
      const at = await publish("/silent");
      await trust("acme", at, { isIdentityAssertionAccepted: false });
      return sign(claims({ iss: at, sub: "x", email: "eve@acme.test", email_verified: true }));
    },
    "signed by another key": () => sign(claims(), {}, stolen.privateKey),
    "with a key in its header": async () => sign(claims(), { jwk: await exportJWK(keys.publicKey) }),
    "for another client": () => sign(claims({ client_id: "exchange" })),
    "without a client": () => sign(claims({ client_id: undefined })),
    "for another authorization server": () => sign(claims({ aud: "https://other.test" })),
    "for us and another authorization server": () => sign(claims({ aud: [BASE_URL, "https://other.test"] })),
    expired: () => sign(claims({ iat: now() - 900, exp: now() - 600 })),
    "that lasts for days": () => sign(claims({ exp: now() + 86_400 })),
    "without an id": () => sign(claims({ jti: undefined })),
    "about an unknown user": () => sign(claims({ sub: "00u-nobody" })),
    "about an address that the provider has not verified": () => sign(claims({ sub: "x", email: "eve@acme.test" })),
    "about a user of another organization": () =>
      sign(claims({ sub: "x", email: "gus@globex.test", email_verified: true })),
  };
  if (!ruleDatabases.includes(kind)) return; // what follows are rules above storage

  it.each(Object.keys(attacks))("are rejected: %s", async (name) => {
    expect(await present((await attacks[name]?.()) ?? "")).toMatchObject({ status: 400, error: "invalid_grant" });
  });

  it("of another type are assertions of machines, which need no client and are signed by their keys", async () => {
    for (const typ of ["JWT", "at+jwt", "OAUTH-ID-JAG+JWT"]) {
      expect(await present(await sign(claims(), { typ }))).toMatchObject({ status: 400 });
    }
  });

  it("need the credentials of a client, that the organization answers for", async () => {
    expect(await present(await sign(claims()), {}, null)).toMatchObject({ status: 401, error: "invalid_client" });
    expect(await present(await sign(claims()), { client_id: "spa" }, null)).toMatchObject({ error: "invalid_client" });
    const strange = await sign(claims({ client_id: "strange" }));
    expect(await present(strange, {}, "strange")).toMatchObject({ status: 400, error: "invalid_grant" });
    const foreign = await sign(claims({ client_id: "globex-wiki" }));
    expect(await present(foreign, {}, "globex-wiki")).toMatchObject({ status: 400, error: "invalid_grant" });
  });
});
