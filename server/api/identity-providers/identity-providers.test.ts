import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { announceEndingProviders } from "../../directory/identity-provider/ending";
import { listOfferedProviders } from "../../directory/identity-provider/identity-provider";
import { apiToken, callApi, refusalOf } from "../../testing/api";
import { ruleDatabases } from "../../testing/database";
import { exampleBootstrap } from "../../testing/example";
import { testSamlProvider } from "../../testing/saml-provider";
import { type TestService, testService } from "../../testing/test-context";

const CLIENT = { clientId: "us", clientSecret: "s3cret" };
const DIRECTORY = {
  servers: ["ldaps://ldap.partner.test"],
  baseDn: "dc=partner,dc=test",
  bindDn: "cn=reader,dc=partner,dc=test",
  bindPassword: "s3cret",
  userFilters: ["uid"],
  attributes: { idAttribute: "entryUUID" },
};
const ISSUER = "https://login.partner.test";

describe.each(ruleDatabases)("identity providers by API, on %s", (kind) => {
  let service: TestService;
  let token: string;
  beforeAll(async () => {
    service = await testService(kind, exampleBootstrap);
    token = await apiToken(service);
  });
  afterAll(() => service.close());

  const call = (method: string, path: string, body?: unknown) => callApi(service, method, path, { token, body });
  const add = async (path: string, body: object): Promise<string> => (await call("POST", path, body)).body.id;
  const offered = async (level: string) =>
    ((await call("POST", `/${level}/v1/policies/login/idps/_search`)).body.result ?? []).map(
      ({ idpName }: { idpName: string }) => idpName,
    );

  it("return the settings under the name of the kind, and never the secret", async () => {
    const id = await add("/management/v1/idps/generic_oidc", { ...CLIENT, name: "Partner", issuer: ISSUER });
    const { body } = await call("GET", `/management/v1/idps/templates/${id}`);
    expect(body.idp).toMatchObject({
      id,
      name: "Partner",
      state: "IDP_STATE_ACTIVE",
      owner: "IDP_OWNER_TYPE_ORG",
      type: "PROVIDER_TYPE_OIDC",
      hasSecret: true,
      redirectUri: "http://localhost:8080/idps/callback",
      config: {
        options: { isLinkingAllowed: true, isCreationAllowed: true },
        oidc: { clientId: "us", issuer: ISSUER },
      },
    });
    expect(JSON.stringify(body)).not.toContain("s3cret");
    const second = await call("GET", `/v2/idps/${id}`);
    expect(second.body.idp).toMatchObject({ type: "IDP_TYPE_OIDC", config: { oidc: { issuer: ISSUER } } });
  });

  it("take snake_case names, numbers of enum values and unknown members, as clients of ZITADEL send them", async () => {
    const id = await add("/management/v1/idps/google", {
      client_id: "us",
      client_secret: "s3cret",
      provider_options: { auto_linking: 2, is_linking_allowed: true },
      future: true,
    });
    const { body } = await call("GET", `/management/v1/idps/${id}`);
    expect(body.idp.config.options).toMatchObject({
      isLinkingAllowed: true,
      isCreationAllowed: false,
      autoLinking: "AUTO_LINKING_OPTION_EMAIL",
    });
  });

  it("keep the password of a directory for its own servers only", async () => {
    const id = await add("/management/v1/idps/ldap", DIRECTORY);
    const { body } = await call("GET", `/management/v1/idps/${id}`);
    const { bindPassword: _, ...shown } = DIRECTORY;
    expect(body.idp).toMatchObject({ type: "PROVIDER_TYPE_LDAP", hasSecret: true, config: { ldap: shown } });
    expect(JSON.stringify(body)).not.toContain("s3cret");
    const change = (differing: object) => call("PUT", `/management/v1/idps/ldap/${id}`, { ...shown, ...differing });
    expect((await change({ userFilters: ["mail"] })).status).toBe(200);
    expect((await change({ servers: [...shown.servers, "ldaps://evil.test"] })).status).toBe(400);
    expect((await change({ bindDn: "cn=admin" })).status).toBe(400);
    const tried = await call("POST", "/management/v1/idps/ldap/_test", {
      ...shown,
      servers: ["ldaps://evil.test"],
      id,
    });
    expect(refusalOf(tried)).toMatchObject({ status: 400, id: "identity_provider.invalid" });
  });

  it.each([undefined, null, [], "x"])("are not tried from the body %j, which has none", async (given) => {
    const tried = await callApi(service, "POST", "/management/v1/idps/ldap/_test", { token, body: given });
    expect(refusalOf(tried)).toMatchObject({ status: 400, code: 3 });
  });

  it("keep the secret on a change, and never for another server", async () => {
    const id = await add("/management/v1/idps/generic_oidc", { ...CLIENT, name: "Kept", issuer: ISSUER });
    const { clientId } = CLIENT;
    expect((await call("PUT", `/management/v1/idps/generic_oidc/${id}`, { clientId, issuer: ISSUER })).status).toBe(
      200,
    );
    const row = () => service.ctx.db.prisma.identityProvider.findUniqueOrThrow({ where: { id } });
    expect(service.ctx.secrets.open("identity-provider", (await row()).sealedSecret ?? "")).toBe("s3cret");
    const moved = await call("PUT", `/management/v1/idps/${id}`, { clientId, issuer: "https://evil.test" });
    expect(refusalOf(moved)).toMatchObject({ status: 400, id: "identity_provider.invalid" });
    expect((await row()).settings).toMatchObject({ issuer: ISSUER });
  });

  it("show when the client secret ends, which is announced once, two weeks before, until it is replaced", async () => {
    const { ctx } = service;
    const end = (days: number) => new Date(ctx.clock() + days * 86_400_000).toISOString();
    const [later, soon] = [end(20), end(10)];
    const wrong = await call("POST", "/management/v1/idps/github", { ...CLIENT, clientSecretExpiresAt: "tomorrow" });
    expect(refusalOf(wrong)).toMatchObject({ status: 400, id: "request.invalid" });
    const id = await add("/management/v1/idps/github", { ...CLIENT, clientSecretExpiresAt: later });
    const read = async () => (await call("GET", `/management/v1/idps/${id}`)).body.idp.config.github;
    expect(await read()).toMatchObject({ clientSecretExpiresAt: later });
    const announced = async () => {
      await announceEndingProviders(ctx);
      const where = { aggregateId: "acme", type: "organization.identity_provider.credential_expiring" };
      return (await ctx.db.prisma.event.findMany({ where })).map(({ payload }) => payload);
    };
    expect(await announced()).toEqual([]);
    await call("PUT", `/management/v1/idps/${id}`, { ...CLIENT, clientSecretExpiresAt: soon });
    const first = { providerId: id, credential: "client_secret", expiresAt: soon };
    expect(await announced()).toEqual([first]);
    expect(await announced()).toEqual([first]);
    const { attention } = (await call("GET", "/management/v1/statistics")).body;
    expect(attention.expiringCredentials).toBe(1);
    await call("PUT", `/management/v1/idps/${id}`, { ...CLIENT, clientSecretExpiresAt: end(11) });
    expect(await announced()).toHaveLength(2);
    await call("PUT", `/management/v1/idps/${id}`, CLIENT);
    expect(await read()).not.toHaveProperty("clientSecretExpiresAt");
    expect(await announced()).toHaveLength(2);
    await call("DELETE", `/management/v1/idps/templates/${id}`);
  });

  it("return metadata of SAML as base64, with what it says, and never the keys of the service", async () => {
    const { metadata, entityId } = await testSamlProvider();
    const body = { metadata_xml: Buffer.from(metadata).toString("base64"), binding: 1, with_signed_request: true };
    const added = await call("POST", "/management/v1/idps/saml", body);
    expect(added.body).toMatchObject({ id: expect.anything() });
    const { id } = added.body;
    const read = await call("GET", `/management/v1/idps/templates/${id}`);
    expect(read.body.idp).toMatchObject({
      name: "SAML",
      type: "PROVIDER_TYPE_SAML",
      redirectUri: `http://localhost:8080/idps/${id}/saml/acs`,
      serviceProvider: { entityId: `http://localhost:8080/idps/${id}/saml/metadata`, certificates: [{}] },
      config: {
        saml: { metadataXml: body.metadata_xml, binding: "SAML_BINDING_POST", withSignedRequest: true, entityId },
      },
    });
    expect(read.body.idp.config.saml.certificates).toHaveLength(1);
    expect(JSON.stringify(read.body)).not.toContain("PRIVATE KEY");
    const events = await service.ctx.db.prisma.event.findMany({
      where: { type: "organization.identity_provider.added" },
    });
    expect(JSON.stringify(events.map(({ payload }) => payload))).not.toMatch(/PRIVATE KEY|EntityDescriptor/);
  });

  it("take and show the sign-outs of a SAML provider where ZITADEL has them, beside its options", async () => {
    const body = { name: "Campus", metadataXml: (await testSamlProvider()).metadata };
    const id = await add("/management/v1/idps/saml", { ...body, federated_logout_enabled: true });
    const shown = async () => {
      const { options, saml } = (await call("GET", `/management/v1/idps/${id}`)).body.idp.config;
      expect(saml.federatedLogoutEnabled).toBe(options.isFederatedLogoutEnabled);
      return options;
    };
    // The other options are the usual ones.
    expect(await shown()).toMatchObject({ isFederatedLogoutEnabled: true, isLinkingAllowed: true });
    const change = (more: object) => call("PUT", `/management/v1/idps/saml/${id}`, { ...body, ...more });
    const providerOptions = { isAutoUpdate: true, isFederatedLogoutEnabled: true };
    expect((await change({ providerOptions, federatedLogoutEnabled: false })).status).toBe(200);
    expect(await shown()).toMatchObject({
      isFederatedLogoutEnabled: false,
      isAutoUpdate: true,
      isLinkingAllowed: false,
    });
    await change({ providerOptions });
    expect(await shown()).toMatchObject({ isFederatedLogoutEnabled: true });
    expect((await change({ federatedLogoutEnabled: "yes" })).status).toBe(400);
    expect(await shown()).toMatchObject({ isFederatedLogoutEnabled: true });
  });

  it("offer a SAML provider only when its metadata is known, which may be entered later", async () => {
    const id = await add("/management/v1/idps/saml", { name: "Later" });
    await call("POST", "/management/v1/policies/login/idps", { idpId: id });
    const shown = async () => (await listOfferedProviders(service.ctx, "acme")).map(({ name }) => name);
    expect(await shown()).not.toContain("Later");
    const { metadata: metadataXml } = await testSamlProvider();
    expect((await call("PUT", `/management/v1/idps/saml/${id}`, { name: "Later", metadataXml })).status).toBe(200);
    expect(await shown()).toContain("Later");
    await call("DELETE", `/management/v1/policies/login/idps/${id}`);
  });

  it("refuse metadata of SAML with the reason and the field", async () => {
    const { metadata } = await testSamlProvider();
    const refused = async (sent: object) => {
      const { status, body } = await call("POST", "/management/v1/idps/saml", sent);
      return { status, field: body.details[0].field, message: body.message };
    };
    const reasons: [object, string, RegExp][] = [
      [{ metadataXml: "<a>" }, "metadataXml", /well-formed/],
      [{ metadataXml: `<!DOCTYPE a [<!ENTITY b "c">]>${metadata}` }, "metadataXml", /document type/],
      [{ metadataXml: "<a/>" }, "metadataXml", /exactly one/],
      [{ metadataXml: metadata.replaceAll("https://", "http://") }, "metadataXml", /SingleSignOnService/],
      [{ metadataXml: metadata.replaceAll("X509Certificate>", "X509>") }, "metadataXml", /certificates/],
      [{ metadataXml: `${metadata}${" ".repeat(200_000)}` }, "metadataXml", /characters/],
      [{ metadataXml: metadata, metadataUrl: "https://a.test" }, "metadataXml", /either/],
      [{ metadataUrl: "https://169.254.169.254/metadata" }, "metadataUrl", /private/],
      [{ metadataUrl: "http://login.partner.test/metadata" }, "metadataUrl", /https/],
      [{ metadataUrl: "https://no-such-host.invalid/metadata" }, "metadataUrl", /answers with SAML metadata/],
    ];
    for (const [body, field, message] of reasons) {
      expect(await refused(body)).toMatchObject({ status: 400, field, message: expect.stringMatching(message) });
    }
  });

  it.each([
    ["generic_oidc", { ...CLIENT, issuer: "https://169.254.169.254" }],
    ["generic_oidc", { ...CLIENT, issuer: "http://login.partner.test" }],
    ["generic_oidc", { ...CLIENT, issuer: "https://a.test/?tenant=1" }],
    ["github", { clientId: "us" }],
    [
      "oauth",
      {
        ...CLIENT,
        authorizationEndpoint: `${ISSUER}/a`,
        tokenEndpoint: "https://10.1.1.1/t",
        userEndpoint: ISSUER,
        idAttribute: "id",
      },
    ],
    ["apple", { clientId: "us", teamId: "t", keyId: "k", privateKey: "bm8=" }],
    ["ldap", { ...DIRECTORY, servers: [] }],
    ["ldap", { ...DIRECTORY, servers: ["https://ldap.partner.test"] }],
    ["ldap", { ...DIRECTORY, servers: ["ldaps://ldap.partner.test/dc=partner"] }],
    ["ldap", { ...DIRECTORY, servers: ["ldap://ldap.partner.test"] }],
    ["ldap", { ...DIRECTORY, servers: ["ldaps://ldap.partner.test:22"] }],
    ["ldap", { ...DIRECTORY, servers: ["ldaps://10.1.1.1"] }],
    ["ldap", { ...DIRECTORY, servers: ["ldaps://[::ffff:169.254.169.254]"] }],
    ["ldap", { ...DIRECTORY, userFilters: ["uid=*)(uid"] }],
    ["ldap", { ...DIRECTORY, timeout: "1h" }],
    ["ldap", { ...DIRECTORY, rootCa: "no certificate" }],
    ["ldap", { ...DIRECTORY, bindPassword: "" }],
    ["ldap", { ...DIRECTORY, attributes: {} }],
  ])("refuse wrong settings: %s %o", async (path, body) => {
    const answer = await call("POST", `/management/v1/idps/${path}`, body);
    expect([answer.status, refusalOf(answer).id]).toEqual([400, expect.stringMatching(/invalid$/)]);
  });

  it("are offered by the instance to organizations that have no list of their own", async () => {
    const ofService = await add("/admin/v1/idps/github", { ...CLIENT, name: "Everyone's" });
    const own = await add("/management/v1/idps/google", { ...CLIENT, name: "Ours" });
    const offer = (level: string, idpId: string) => call("POST", `/${level}/v1/policies/login/idps`, { idpId });
    expect((await offer("admin", own)).status).toBe(404);
    await offer("admin", ofService);
    expect(await offered("management")).toEqual(["Everyone's"]);
    await offer("management", own);
    expect(await offered("management")).toEqual(["Ours"]);
    await offer("management", ofService);
    expect(await offered("management")).toEqual(["Ours", "Everyone's"]);
    expect(refusalOf(await offer("management", own)).id).toBe("identity_provider.offered");
    await call("POST", `/management/v1/idps/${own}/_deactivate`);
    const active = await call("GET", "/v2/settings/login/idps");
    expect(active.body.identityProviders).toMatchObject([{ id: ofService, type: "IDENTITY_PROVIDER_TYPE_GITHUB" }]);
    await call("DELETE", `/management/v1/idps/templates/${own}`);
    await call("DELETE", `/management/v1/policies/login/idps/${ofService}`);
    expect(await offered("management")).toEqual(["Everyone's"]);
    await call("DELETE", `/management/v1/policies/login/idps/${ofService}`);
    expect(await offered("management")).toEqual([]);
    expect(await offered("admin")).toEqual(["Everyone's"]);
  });

  it("cannot be changed by an organization that does not own them", async () => {
    const id = await add("/admin/v1/idps/google", CLIENT);
    const change = await call("PUT", `/management/v1/idps/google/${id}`, CLIENT);
    expect([change.status, (await call("DELETE", `/management/v1/idps/templates/${id}`)).status]).toEqual([404, 404]);
    const { result } = (
      await call("POST", "/management/v1/idps/templates/_search", {
        queries: [{ ownerTypeQuery: { ownerType: "IDP_OWNER_TYPE_SYSTEM" } }],
      })
    ).body;
    expect(result.map((one: { id: string }) => one.id)).toContain(id);
  });
});
