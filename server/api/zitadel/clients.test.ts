import { create } from "@bufbuild/protobuf";
import { createServerTransport } from "@zitadel/client/node";
import { createAdminServiceClient, createAuthServiceClient, createManagementServiceClient } from "@zitadel/client/v1";
import { createFeatureServiceClient, createSettingsServiceClient, createUserServiceClient } from "@zitadel/client/v2";
import { createAccessTokenInterceptor, createManagementClient } from "@zitadel/node/dist/api/index.js";
import { ServiceAccount } from "@zitadel/node/dist/credentials/index.js";
import { OIDCAppType, OIDCAuthMethodType, OIDCGrantType, OIDCResponseType } from "@zitadel/proto/zitadel/app_pb.js";
import { KeyType } from "@zitadel/proto/zitadel/auth_n_key_pb.js";
import { RequestContextSchema } from "@zitadel/proto/zitadel/object/v2/object_pb.js";
import { ThemeMode } from "@zitadel/proto/zitadel/policy_pb.js";
import { Gender } from "@zitadel/proto/zitadel/user_pb.js";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ServiceOnAPort } from "../../testing/on-a-port";
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
    const pat = await management().addPersonalAccessToken({ userId }, of);
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
