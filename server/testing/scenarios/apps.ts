/** An app with sign-in and an API, from registration to removal, with their secrets and keys. */
import type { Memory, Step } from "./step";

const projectId = "p1";
const parameters = ({ appId = "" }: Memory) => ({ projectId, appId });
const api = ({ apiId = "" }: Memory) => ({ projectId, appId: apiId });

export const appSteps: Step[] = [
  {
    operation: "CheckRedirectUri",
    body: { uri: "http://shop.test/callback", appType: "OIDC_APP_TYPE_USER_AGENT" },
  },
  { operation: "CheckAuthorizeUrl", body: { url: "http://localhost:8080/oauth/v2/authorize?client_id=web" } },
  { operation: "CheckAppSettings", body: { grantTypes: ["OIDC_GRANT_TYPE_IMPLICIT"] } },
  {
    operation: "AddOIDCApp",
    as: "colleague",
    parameters: { projectId },
    body: {
      name: "Shop",
      redirectUris: ["https://shop.test/callback"],
      grantTypes: ["OIDC_GRANT_TYPE_AUTHORIZATION_CODE", "OIDC_GRANT_TYPE_REFRESH_TOKEN"],
      idTokenUserinfoAssertion: true,
      accessTokenLifetime: "10m",
    },
    keep: ({ appId }, memory) => Object.assign(memory, { appId }),
  },
  {
    operation: "AddAPIApp",
    parameters: { projectId },
    body: { name: "Orders", authMethodType: "API_AUTH_METHOD_TYPE_BASIC" },
    keep: ({ appId }, memory) => Object.assign(memory, { apiId: appId }),
  },
  { operation: "GetAppByID", parameters },
  { operation: "GetAppByID", parameters: api },
  { operation: "ListApps", parameters: { projectId } },
  {
    operation: "ListOrganizationApps",
    as: "colleague",
    body: { query: { limit: 2 }, queries: [{ stateQuery: { state: "APP_STATE_ACTIVE" } }] },
  },
  { operation: "GetLatestAppSignIn", parameters },
  { operation: "RedeemPlaygroundCode", parameters, body: { code: "nobody's" } },
  { operation: "UpdateApp", parameters, body: { name: "Shop of everything" } },
  {
    operation: "UpdateOIDCAppConfig",
    parameters,
    body: {
      redirectUris: ["https://shop.test/cb"],
      devMode: true,
      backChannelLogoutUri: "https://shop.test/bye",
      initiateLoginUri: "https://shop.test/sign-in",
    },
  },
  {
    operation: "UpdateAPIAppConfig",
    parameters: api,
    body: { authMethodType: "API_AUTH_METHOD_TYPE_BASIC", legacyAssertionAudience: true },
  },
  {
    operation: "RegenerateOIDCClientSecret",
    parameters,
    keep: ({ secretId }, memory) => Object.assign(memory, { secretId }),
  },
  { operation: "RegenerateAPIClientSecret", parameters: api, body: { keepOthers: false } },
  { operation: "AddOIDCClientSecret", parameters, body: { expiresAt: "2040-01-01T00:00:00Z" } },
  { operation: "AddAPIClientSecret", parameters: api },
  {
    operation: "RemoveAppSecret",
    parameters: (memory) => ({ ...parameters(memory), secretId: memory.secretId ?? "" }),
  },
  {
    operation: "AddAppKey",
    parameters,
    body: { type: "KEY_TYPE_JSON", expirationDate: "2040-01-01T00:00:00Z" },
    keep: ({ id }, memory) => Object.assign(memory, { keyId: id }),
  },
  { operation: "ListAppKeys", parameters },
  { operation: "GetAppKey", parameters: (memory) => ({ ...parameters(memory), keyId: memory.keyId ?? "" }) },
  { operation: "RemoveAppKey", parameters: (memory) => ({ ...parameters(memory), keyId: memory.keyId ?? "" }) },
  { operation: "DeactivateApp", parameters },
  { operation: "ReactivateApp", parameters },
  { operation: "RemoveApp", parameters },
  {
    operation: "SetClientDecision",
    body: { kind: "CLIENT_DECISION_KIND_HOST", value: "agent.example.com", decision: "CLIENT_DECISION_ALLOW" },
    keep: ({ id }, memory) => Object.assign(memory, { decisionId: id }),
  },
  {
    operation: "ListClientDecisions",
    body: {
      queries: [
        { kindQuery: { kind: "CLIENT_DECISION_KIND_HOST" } },
        { decisionQuery: { decision: "CLIENT_DECISION_ALLOW" } },
      ],
    },
  },
  { operation: "RemoveClientDecision", parameters: ({ decisionId = "" }) => ({ decisionId }) },
];
