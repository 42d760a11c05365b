// Apps as the management API returns them.

export interface AppSecret {
  id: string;
  creationDate: string;
  lastUsedDate?: string;
}

export interface ComplianceProblem {
  key: string;
  /** In English; the console translates the keys it knows. */
  localizedMessage: string;
}

export interface OidcConfig {
  clientId: string;
  redirectUris: readonly string[];
  postLogoutRedirectUris: readonly string[];
  responseTypes: readonly string[];
  grantTypes: readonly string[];
  appType: "OIDC_APP_TYPE_WEB" | "OIDC_APP_TYPE_USER_AGENT" | "OIDC_APP_TYPE_NATIVE";
  authMethodType: string;
  devMode: boolean;
  accessTokenType: string;
  accessTokenJwtType: "at+jwt" | "JWT";
  legacyAssertionAudience: boolean;
  jwksUri?: string;
  accessTokenRoleAssertion: boolean;
  idTokenRoleAssertion: boolean;
  idTokenUserinfoAssertion: boolean;
  isThirdParty: boolean;
  trusted: boolean;
  allowManagementApi: boolean;
  additionalOrigins: readonly string[];
  backChannelLogoutUri?: string;
  accessTokenLifetime?: string;
  idTokenLifetime?: string;
  refreshTokenIdleLifetime?: string;
  refreshTokenLifetime?: string;
  secrets: readonly AppSecret[];
  noneCompliant: boolean;
  complianceProblems: readonly ComplianceProblem[];
}

export interface ApiConfig {
  clientId: string;
  authMethodType: string;
  legacyAssertionAudience: boolean;
  jwksUri?: string;
  secrets: readonly AppSecret[];
}

export interface App {
  id: string;
  projectId: string;
  projectName: string;
  name: string;
  state: "APP_STATE_ACTIVE" | "APP_STATE_INACTIVE";
  details: { creationDate: string; changeDate: string };
  oidcConfig?: OidcConfig;
  apiConfig?: ApiConfig;
}

export interface AppKey {
  id: string;
  creationDate: string;
  expirationDate?: string;
  algorithm: string;
}

export const clientIdOf = ({ oidcConfig, apiConfig }: App): string => (oidcConfig ?? apiConfig)?.clientId ?? "";

/** The scope that puts the app's project into the audience of a token (rule AUDIENCE-1). */
export const audienceScopeOf = ({ projectId }: App): string => `urn:service:iam:org:project:id:${projectId}:aud`;

const WITH_SECRET: ReadonlySet<string> = new Set([
  "OIDC_AUTH_METHOD_TYPE_BASIC",
  "OIDC_AUTH_METHOD_TYPE_POST",
  "API_AUTH_METHOD_TYPE_BASIC",
]);

/** Whether the app authenticates with a secret at all. */
export const hasSecret = ({ oidcConfig, apiConfig }: App): boolean =>
  WITH_SECRET.has((oidcConfig ?? apiConfig)?.authMethodType ?? "");

/** Whether it authenticates with a key (private_key_jwt). */
export const hasKeys = ({ oidcConfig, apiConfig }: App): boolean =>
  (oidcConfig ?? apiConfig)?.authMethodType.endsWith("_PRIVATE_KEY_JWT") ?? false;

/** Whether its keys are read from an address of its own. */
export const publishesKeys = ({ oidcConfig, apiConfig }: App): boolean => Boolean((oidcConfig ?? apiConfig)?.jwksUri);

/** Members of answers that requests must not contain. */
const TOLD: ReadonlySet<string> = new Set([
  "clientId",
  "secrets",
  "noneCompliant",
  "complianceProblems",
  "allowedOrigins",
]);

/** The settings for the operation that replaces them. */
export function settingsToSend(settings: OidcConfig | ApiConfig): Record<string, unknown> {
  return Object.fromEntries(Object.entries(settings).filter(([name]) => !TOLD.has(name)));
}
