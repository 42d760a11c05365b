// Apps as the management API returns them.
import type { Schemas } from "../../../server/api/generated/operations";

export type App = Schemas["App"];
export type OidcConfig = Schemas["OidcConfig"];
export type ApiConfig = Schemas["ApiConfig"];
export type AppSecret = Schemas["AppSecret"];
export type AppKey = Schemas["AppKey"];

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

/** Whether it authenticates with a key of its own, by an assertion or by a certificate. */
export const authenticatesWithKey = ({ oidcConfig, apiConfig }: App): boolean =>
  /_(PRIVATE_KEY_JWT|SELF_SIGNED_TLS_CLIENT_AUTH)$/.test((oidcConfig ?? apiConfig)?.authMethodType ?? "");

/** Whether it authenticates with a certificate of an authority (tls_client_auth). */
export const authenticatesByCertificateName = ({ oidcConfig, apiConfig }: App): boolean =>
  /^(OIDC|API)_AUTH_METHOD_TYPE_TLS_CLIENT_AUTH$/.test((oidcConfig ?? apiConfig)?.authMethodType ?? "");

/** Whether its keys are read from a JWKS address of the app. */
export const publishesKeys = ({ oidcConfig, apiConfig }: App): boolean => Boolean((oidcConfig ?? apiConfig)?.jwksUri);

/** The path parameters of the app's operations. */
export const appParameters = ({ projectId, id }: App) => ({ projectId, appId: id });

/** The settings that decide which redirect addresses are allowed. */
export const redirectRules = ({ appType, authMethodType, responseTypes, devMode }: OidcConfig) => ({
  appType,
  authMethodType,
  responseTypes,
  devMode,
});

/** Members of answers that requests must not contain. */
const READ_ONLY = ["clientId", "secrets", "noneCompliant", "complianceProblems", "allowedOrigins"] as const;

/** The settings without the read-only members, as the operation that replaces them expects. */
export function settingsToSend<Settings extends OidcConfig | ApiConfig>(settings: Settings) {
  const told: readonly string[] = READ_ONLY;
  const sent = Object.fromEntries(Object.entries(settings).filter(([name]) => !told.includes(name)));
  return sent as Omit<Settings, (typeof READ_ONLY)[number]>;
}
