import { create } from "@bufbuild/protobuf";
import { createServerTransport } from "@zitadel/client/node";
import { createAdminServiceClient, createAuthServiceClient, createManagementServiceClient } from "@zitadel/client/v1";
import { createFeatureServiceClient, createSettingsServiceClient, createUserServiceClient } from "@zitadel/client/v2";
import {
  createAccessTokenInterceptor,
  createAuthClient,
  createManagementClient,
} from "@zitadel/node/dist/api/index.js";
import { ServiceAccount } from "@zitadel/node/dist/credentials/index.js";
import { OIDCAppType, OIDCAuthMethodType, OIDCGrantType, OIDCResponseType } from "@zitadel/proto/zitadel/app_pb.js";
import { KeyType } from "@zitadel/proto/zitadel/auth_n_key_pb.js";
import { IDPOwnerType } from "@zitadel/proto/zitadel/idp_pb.js";
import { RequestContextSchema } from "@zitadel/proto/zitadel/object/v2/object_pb.js";
import { SecondFactorType, ThemeMode } from "@zitadel/proto/zitadel/policy_pb.js";
import { Gender } from "@zitadel/proto/zitadel/user_pb.js";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ServiceOnAPort } from "../../testing/on-a-port";
import { testSamlProvider } from "../../testing/saml-provider";
import { machineTokens, zitadelService } from "../../testing/zitadel-clients";

describe("ZITADEL's own clients, unmodified, through a day of an administrator", () => {
  let service: ServiceOnAPort;
  const transportOf = (token: string) => createServerTransport(token, { baseUrl: service.origin });
  let transport: ReturnType<typeof transportOf>;
  let of: { headers: { "x-zitadel-orgid": string } };
  let organizationId: string;
  let projectId: string;
  const management = () => createManagementServiceClient(transport);

  beforeAll(async () => {
    service = await zitadelService();
    transport = transportOf((await machineTokens(service, "root")).access_token);
    organizationId = (await management().addOrg({ name: "Moved Ltd" })).id;
    of = { headers: { "x-zitadel-orgid": organizationId } };
    const project = { name: "Shop", projectRoleAssertion: true };
    projectId = (await management().addProject(project, of)).id;
    await management().addProjectRole({ projectId, roleKey: "clerk", displayName: "Clerk", group: "staff" }, of);
  });
  afterAll(() => service.close());

  it("finds the organization, the project and its roles", async () => {
    expect((await management().getMyOrg({}, of)).org).toMatchObject({ id: organizationId, name: "Moved Ltd" });
    const { project } = await management().getProjectByID({ id: projectId }, of);
    expect(project).toMatchObject({ id: projectId, name: "Shop", projectRoleAssertion: true, hasProjectCheck: false });
    const { result, details } = await management().listProjectRoles({ projectId }, of);
    expect(result).toMatchObject([{ key: "clerk", displayName: "Clerk", group: "staff" }]);
    expect(details?.totalResult).toBe(1n);
    const page = await management().listProjects({ query: { offset: 0n, limit: 1, asc: true } }, of);
    expect(page.result.map(({ name }) => name)).toEqual(["Shop"]);
  });

  it("adds an app with enums and durations, and replaces its settings as a whole", async () => {
    const { appId, clientSecret } = await management().addOIDCApp(
      {
        projectId,
        name: "Web",
        redirectUris: ["https://shop.test/cb"],
        responseTypes: [OIDCResponseType.OIDC_RESPONSE_TYPE_CODE],
        grantTypes: [OIDCGrantType.OIDC_GRANT_TYPE_AUTHORIZATION_CODE, OIDCGrantType.OIDC_GRANT_TYPE_REFRESH_TOKEN],
        appType: OIDCAppType.OIDC_APP_TYPE_WEB,
        authMethodType: OIDCAuthMethodType.OIDC_AUTH_METHOD_TYPE_POST,
        clockSkew: { seconds: 3n },
        idTokenRoleAssertion: true,
      },
      of,
    );
    expect(clientSecret).toMatch(/^.{32,}$/);
    const config = async () => (await management().getAppByID({ projectId, appId }, of)).app?.config.value;
    expect(await config()).toMatchObject({
      redirectUris: ["https://shop.test/cb"],
      authMethodType: OIDCAuthMethodType.OIDC_AUTH_METHOD_TYPE_POST,
      clockSkew: { seconds: 3n },
      idTokenRoleAssertion: true,
    });
    const redirectUris = ["https://shop.test/other"];
    const { OIDC_GRANT_TYPE_AUTHORIZATION_CODE: grantType } = OIDCGrantType;
    const { OIDC_RESPONSE_TYPE_CODE: responseType } = OIDCResponseType;
    const whole = { projectId, appId, redirectUris, grantTypes: [grantType], responseTypes: [responseType] };
    await management().updateOIDCAppConfig(whole, of);
    // Absent fields are zero: BASIC is the first of its enum.
    expect(await config()).toMatchObject({
      redirectUris,
      grantTypes: [grantType],
      authMethodType: OIDCAuthMethodType.OIDC_AUTH_METHOD_TYPE_BASIC,
      idTokenRoleAssertion: false,
    });
  });

  it("adds a user with a password and gives a role", async () => {
    const profile = { firstName: "Lin", lastName: "Li", preferredLanguage: "de", gender: Gender.FEMALE };
    const email = { email: "lin@moved.test", isEmailVerified: true };
    const password = "a long enough Password 1";
    const { userId } = await management().importHumanUser({ userName: "lin", profile, email, password }, of);
    const { user } = await management().getUserByID({ id: userId }, of);
    expect(user).toMatchObject({ userName: "lin", type: { case: "human", value: { profile } } });
    const { userGrantId } = await management().addUserGrant({ userId, projectId, roleKeys: ["clerk"] }, of);
    const grants = await management().listUserGrants({}, of);
    expect(grants.result).toMatchObject([{ id: userGrantId, roleKeys: ["clerk"], projectName: "Shop" }]);
    const users = createUserServiceClient(transport);
    const found = await users.listUsers({
      queries: [{ query: { case: "loginNameQuery", value: { loginName: "lin", method: 2 } } }],
    });
    expect(found.result.map((one) => one.userId)).toEqual([userId]);
    expect((await users.getUserByID({ userId })).user).toMatchObject({
      username: "lin",
      type: { case: "human", value: { profile: { givenName: "Lin", gender: Gender.FEMALE } } },
    });
    expect((await management().getHumanProfile({ userId }, of)).profile).toMatchObject(profile);
    await management().setHumanInitialPassword({ userId, password: "another long Password 2" }, of);
    await management().updateHumanProfile({ userId, firstName: "Lin", lastName: "Lee" }, of);
    const changed = (await management().getUserByID({ id: userId }, of)).user;
    expect(changed?.type.value).toMatchObject({ profile: { lastName: "Lee", gender: Gender.UNSPECIFIED } });
  });

  it("sets texts in two languages, twice without a difference", async () => {
    for (const language of ["de", "fr"]) {
      const text = { language, subject: `Hallo ${language}`, text: "{{.Code}}" };
      const set = await management().setCustomInitMessageText(text, of);
      const again = await management().setCustomInitMessageText(text, of);
      expect(again.details?.sequence).toBe(set.details?.sequence);
      const { customText } = await management().getCustomInitMessageText({ language }, of);
      expect(customText).toMatchObject({ ...{ subject: text.subject, text: text.text }, title: "", isDefault: false });
    }
    const admin = createAdminServiceClient(transport);
    expect((await admin.getSupportedLanguages({})).languages).toContain("de");
    expect((await admin.getDefaultInitMessageText({ language: "de" })).customText?.subject).not.toBe("");
  });

  it("sets login texts in ZITADEL's groups, which version 2 returns too, and takes them back", async () => {
    const text = { language: "de", loginText: { title: "Moin" }, passwordText: { nextButtonText: "Weiter so" } };
    const set = await management().setCustomLoginText(text, of);
    expect((await management().setCustomLoginText(text, of)).details?.sequence).toBe(set.details?.sequence);
    const read = async () => (await management().getCustomLoginTexts({ language: "de" }, of)).customText;
    const { language: _, ...groups } = text;
    expect(await read()).toMatchObject({ ...groups, isDefault: false });
    const settings = createSettingsServiceClient(transport);
    const level = { case: "organizationId", value: organizationId } as const;
    const { translations } = await settings.getHostedLoginTranslation({ level, locale: "de", ignoreInheritance: true });
    expect(JSON.stringify(translations)).toContain("Moin");
    await management().resetCustomLoginTextToDefault({ language: "de" }, of);
    expect((await read())?.loginText?.title ?? "").not.toBe("Moin");
  });

  it("reads back what a Terraform file sets, and applies it twice without a difference", async () => {
    const providerOptions = { isLinkingAllowed: true, isCreationAllowed: true, isAutoUpdate: true };
    const secret = { clientId: "shop", clientSecret: "s3cret" };
    const gitlab = { name: "Lab", ...secret, scopes: ["openid", "email"], providerOptions };
    const oidc = { ...gitlab, name: "Other", issuer: "https://idp.test", isIdTokenMapping: true };
    const metadata = { case: "metadataXml" as const, value: Buffer.from((await testSamlProvider()).metadata) };
    const saml = { name: "Campus", metadata, withSignedRequest: true, providerOptions };
    const ids: string[] = [];
    const { clientSecret: _, providerOptions: options, name: __, ...shown } = oidc;
    for (const [add, update, config] of [
      [
        () => management().addGitLabProvider(gitlab, of),
        (id: string) => management().updateGitLabProvider({ ...gitlab, id }, of),
        { case: "gitlab", value: { clientId: "shop", scopes: gitlab.scopes } },
      ],
      [
        () => management().addGenericOIDCProvider(oidc, of),
        (id: string) => management().updateGenericOIDCProvider({ ...oidc, id }, of),
        { case: "oidc", value: shown },
      ],
      [
        () => management().addSAMLProvider({ ...saml, federatedLogoutEnabled: true }, of),
        (id: string) => management().updateSAMLProvider({ ...saml, id, federatedLogoutEnabled: true }, of),
        { case: "saml", value: { withSignedRequest: true, federatedLogoutEnabled: true } },
      ],
      [
        () => management().addSAMLProvider({ ...saml, federatedLogoutEnabled: false }, of),
        (id: string) => management().updateSAMLProvider({ ...saml, id }, of),
        { case: "saml", value: { withSignedRequest: true, federatedLogoutEnabled: false } },
      ],
    ] as const) {
      const { id } = await add();
      // Each update changes the stored secret.
      const read = async () => ({ ...(await management().getProviderByID({ id }, of)).idp, details: undefined });
      const before = await read();
      expect(before.config).toMatchObject({ options, config });
      await update(id);
      expect(await read()).toEqual(before);
      ids.push(id);
    }
    // Those of the instance are updated by another address than those of organizations.
    const admin = createAdminServiceClient(transport);
    const { id } = await admin.addGitLabProvider(gitlab);
    await admin.updateGitLabProvider({ ...gitlab, id, name: "Laboratory" });
    expect((await admin.getProviderByID({ id })).idp).toMatchObject({ name: "Laboratory" });

    await management().addCustomLoginPolicy({ allowUsernamePassword: true, allowExternalIdp: true }, of);
    await management().addIDPToLoginPolicy({ idpId: ids[0] as string, ownerType: IDPOwnerType.IDP_OWNER_TYPE_ORG }, of);
    const type = SecondFactorType.OTP_EMAIL;
    const factors = async () => (await management().listLoginPolicySecondFactors({}, of)).result;
    if (!(await factors()).includes(type)) await management().addSecondFactorToLoginPolicy({ type }, of);
    await management().removeSecondFactorFromLoginPolicy({ type }, of);
    expect(await factors()).not.toContain(type);
    expect((await management().listLoginPolicyIDPs({}, of)).result).toMatchObject([{ idpId: ids[0] }]);
    await management().removeIDPFromLoginPolicy({ idpId: ids[0] as string }, of);
    await management().resetLoginPolicyToDefault({}, of);

    await management().addOrgDomain({ domain: "shop.moved.test" }, of);
    const named = { queries: [{ query: { case: "domainNameQuery" as const, value: { name: "shop.moved.test" } } }] };
    expect((await management().listOrgDomains(named, of)).result).toMatchObject([{ domainName: "shop.moved.test" }]);
    await management().removeOrgDomain({ domain: "shop.moved.test" }, of);
  });

  it("sets branding and policies, and takes them back", async () => {
    await management().addCustomLabelPolicy({ primaryColor: "#123456", themeMode: ThemeMode.LIGHT }, of);
    await management().activateCustomLabelPolicy({}, of);
    expect((await management().getLabelPolicy({}, of)).policy).toMatchObject({
      primaryColor: "#123456",
      themeMode: ThemeMode.LIGHT,
    });
    await management().addCustomLoginPolicy({ allowUsernamePassword: true, allowRegister: true }, of);
    const context = create(RequestContextSchema, { resourceOwner: { case: "orgId", value: organizationId } });
    const { settings } = await createSettingsServiceClient(transport).getLoginSettings({ ctx: context });
    expect(settings).toMatchObject({ allowRegister: true, resourceOwnerType: 2 });
    await management().updateCustomLoginPolicy({ allowUsernamePassword: true }, of);
    expect((await management().getLoginPolicy({}, of)).policy).toMatchObject({ allowRegister: false });
    await management().resetLoginPolicyToDefault({}, of);
    const { isDefault, policy } = await management().getLoginPolicy({}, of);
    expect([isDefault, policy?.isDefault]).toEqual([true, true]);
    await management().addCustomLockoutPolicy({ maxPasswordAttempts: 10 }, of);
    await management().addCustomPasswordComplexityPolicy({ minLength: 12n }, of);
    expect((await management().getPasswordComplexityPolicy({}, of)).policy?.minLength).toBe(12n);
  });

  it("gives a machine a key file and a token, with which both clients sign in", async () => {
    const { userId } = await management().addMachineUser({ userName: "bot", name: "Bot" }, of);
    await management().addOrgMember({ userId, roles: ["ORG_OWNER"] }, of);
    const { keyDetails } = await management().addMachineKey({ userId, type: KeyType.JSON }, of);
    const account = ServiceAccount.fromJsonString(Buffer.from(keyDetails).toString());
    const token = await account.authenticate(service.origin, { apiAccess: true });
    const node = createManagementClient(service.origin, createAccessTokenInterceptor(token));
    expect((await node.getMyOrg({})).org?.id).toBe(organizationId);
    expect((await node.listProjects({})).result.map(({ id }) => id)).toEqual([projectId]);
    expect((await management().listMachineKeys({ userId }, of)).result).toMatchObject([{ type: KeyType.JSON }]);
    const pat = await management().addPersonalAccessToken({ userId }, of);
    const { result: pats } = await management().listPersonalAccessTokens({ userId }, of);
    expect(pats.map(({ id }) => id)).toEqual([pat.tokenId]);
    const fromNode = await createAuthClient(service.origin, createAccessTokenInterceptor(pat.token)).getMyUser({});
    expect(fromNode.user?.id).toBe(userId);
    const auth = createAuthServiceClient(transportOf(pat.token));
    expect((await auth.getMyUser({})).user).toMatchObject({ id: userId, userName: "bot" });
  });

  it("reads the audit trail and the features", async () => {
    const admin = createAdminServiceClient(transport);
    const { events } = await admin.listEvents({ limit: 2, resourceOwner: organizationId, aggregateTypes: ["project"] });
    expect(events).toHaveLength(2);
    expect(events[0]).toMatchObject({
      editor: { userId: "m-root", displayName: "root" },
      aggregate: { type: { type: "project" }, resourceOwner: organizationId },
    });
    const changes = await management().listProjectChanges({ projectId, query: { asc: true, limit: 1 } }, of);
    expect(changes.result).toMatchObject([{ eventType: { key: "project.added" }, editorId: "m-root" }]);
    expect((await management().listOrgChanges({}, of)).result.length).toBeGreaterThan(0);
    expect((await admin.listEventTypes({})).eventTypes.map(({ type }) => type)).toContain("project.added");
    const { oidcTokenExchange } = await createFeatureServiceClient(transport).getInstanceFeatures({});
    expect(oidcTokenExchange).toMatchObject({ enabled: true, source: 3 });
  });
});
