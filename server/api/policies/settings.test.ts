import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { apiToken, callApi } from "../../testing/api";
import { ruleDatabases } from "../../testing/database";
import { exampleBootstrap } from "../../testing/example";
import { type TestService, testService } from "../../testing/test-context";

const bootstrap = { organizations: [...exampleBootstrap.organizations, { id: "globex", name: "Globex" }] };

describe.each(ruleDatabases)("settings in force, by version 2 of the API, on %s", (kind) => {
  let service: TestService;
  let token = "";
  beforeAll(async () => {
    service = await testService(kind, bootstrap);
    token = await apiToken(service);
  });
  afterAll(() => service.close());
  const read = async (path: string, headers: Record<string, string> = {}) =>
    callApi(service, "GET", `/v2/settings${path}`, { token, headers });

  it("are those of the organization if it sets them, otherwise those of the instance", async () => {
    const put = { token, body: { maxPasswordAttempts: 20 }, headers: { "x-service-orgid": "globex" } };
    expect((await callApi(service, "POST", "/management/v1/policies/lockout", put)).status).toBe(200);
    const theirs = await read("/lockout?ctx.orgId=globex");
    expect(theirs.body.settings).toEqual({
      maxPasswordAttempts: "20",
      maxOtpAttempts: "10",
      resourceOwnerType: "RESOURCE_OWNER_TYPE_ORG",
    });
    expect(theirs.body.details.resourceOwner).toBe("globex");
    const instance = {
      maxPasswordAttempts: "100",
      maxOtpAttempts: "10",
      resourceOwnerType: "RESOURCE_OWNER_TYPE_INSTANCE",
    };
    expect((await read("/lockout")).body.settings).toEqual(instance);
    expect((await read("/lockout?ctx.orgId=globex&ctx.instance=true")).body.settings).toEqual(instance);
    expect((await read("/lockout", { "x-service-orgid": "globex" })).body.settings.maxPasswordAttempts).toBe("20");
  });

  it("have the names of version 2", async () => {
    expect((await read("")).body).toMatchObject({
      defaultLanguage: "en",
      supportedLanguages: expect.arrayContaining(["de"]),
    });
    expect((await read("/login")).body.settings).toMatchObject({
      allowUsernamePassword: true,
      passkeysType: "PASSKEYS_TYPE_ALLOWED",
      passwordCheckLifetime: expect.stringMatching(/^\d+s$/),
    });
    expect((await read("/branding")).body.settings).toMatchObject({
      lightTheme: { primaryColor: expect.stringMatching(/^#/) },
      darkTheme: { primaryColor: expect.stringMatching(/^#/) },
      themeMode: "THEME_MODE_AUTO",
    });
    expect((await read("/legal_support")).body.settings).toMatchObject({ tosLink: "", privacyPolicyLink: "" });
    expect((await read("/password/complexity")).body.settings).toMatchObject({
      minLength: "15",
      requiresSymbol: false,
    });
    expect((await read("/password/expiry")).body.settings).toMatchObject({ maxAgeDays: "0" });
    expect((await read("/login")).body.settings).toMatchObject({
      secondFactors: ["SECOND_FACTOR_TYPE_OTP", "SECOND_FACTOR_TYPE_U2F", "SECOND_FACTOR_TYPE_OTP_EMAIL"],
      multiFactors: ["MULTI_FACTOR_TYPE_U2F_WITH_VERIFICATION"],
    });
    expect((await read("/domain")).body).toEqual({
      details: expect.objectContaining({ resourceOwner: expect.any(String) }),
      settings: {
        loginNameIncludesDomain: true,
        requireOrgDomainVerification: true,
        smtpSenderAddressMatchesInstanceDomain: false,
        resourceOwnerType: "RESOURCE_OWNER_TYPE_INSTANCE",
      },
    });
    expect((await read("/login/idps")).body).toEqual({
      details: { totalResult: "0", timestamp: expect.any(String) },
      identityProviders: [],
    });
    expect((await read("/security")).body.settings).toEqual({
      enableImpersonation: expect.any(Boolean),
      oauthMetadata: false,
      requirePushedAuthorizationRequests: false,
      embeddedIframe: { enabled: false, allowedOrigins: [] },
      clientIdMetadataDocuments: { enabled: false, allowedHosts: [], deniedHosts: [] },
      dynamicClientRegistration: { enabled: false, allowUnauthenticated: false },
    });
  });

  it("are enforced: without passwords no account is created and no password reset", async () => {
    const put = { token, body: { allowUsernamePassword: false }, headers: { "x-service-orgid": "globex" } };
    expect((await callApi(service, "POST", "/management/v1/policies/login", put)).status).toBe(200);
    expect((await read("/login?ctx.orgId=globex")).body.settings).toMatchObject({
      allowUsernamePassword: false,
      allowRegister: false,
      hidePasswordReset: true,
    });
    expect(
      (await callApi(service, "DELETE", "/management/v1/policies/login", { ...put, body: undefined })).status,
    ).toBe(200);
  });

  it("of other organizations are refused like those of unknown ones, in the query and in the header", async () => {
    const { id, response } = await outsider();
    expect(id).toBeDefined();
    const ask = (path: string) => callApi(service, "GET", `/v2/settings${path}`, { token: response });
    const foreign = await ask("/login?ctx.orgId=acme");
    expect([foreign.status, foreign.body]).toEqual([403, (await ask("/login?ctx.orgId=nobody")).body]);
    expect((await ask("/login")).status).toBe(200);
    expect((await ask("/login?ctx.orgId=")).body).toEqual((await ask("/login")).body);
  });

  /** An owner of Globex only, with a personal access token. */
  async function outsider() {
    const headers = { "x-service-orgid": "globex" };
    const made = await callApi(service, "POST", "/management/v1/users/machine", {
      token,
      headers,
      body: { userName: `robot-${kind}`, name: "Robot" },
    });
    const id = made.body.userId as string;
    const member = { token, headers, body: { userId: id, roles: ["ORG_OWNER"] } };
    expect((await callApi(service, "POST", "/management/v1/orgs/me/members", member)).status).toBe(200);
    const pat = await callApi(service, "POST", `/management/v1/users/${id}/pats`, { token, headers, body: {} });
    return { id, response: pat.body.token as string };
  }
});
