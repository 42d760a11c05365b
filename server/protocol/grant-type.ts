/**
 * The grant types (RFC 6749 §4, §6; those of later RFCs are URNs): their names in the protocol and in the settings of
 * an app, and the parsers of their parameters at the token endpoint. The grants are implemented in oidc/grants.
 */
import { isTooLong, longerThan, MAX_LENGTHS } from "./lengths";
import { invalidGrant, invalidRequest, isError, type OAuthError } from "./oauth-error";
import type { Parameters } from "./parameters";
import { parseScope } from "./scope";

/** RFC 7523 §2.1. */
export const jwtBearer = "urn:ietf:params:oauth:grant-type:jwt-bearer";
/** RFC 8693 §2.1. */
export const tokenExchange = "urn:ietf:params:oauth:grant-type:token-exchange";
/** RFC 8628 §3.4. */
export const deviceCode = "urn:ietf:params:oauth:grant-type:device_code";

/**
 * The grant types in the order in which they are listed. Those without a setting are for machines; apps cannot be
 * registered for them.
 */
const rows = [
  { name: "authorization_code", setting: "OIDC_GRANT_TYPE_AUTHORIZATION_CODE" },
  { name: "implicit", setting: "OIDC_GRANT_TYPE_IMPLICIT" }, // at the authorization endpoint only
  { name: "refresh_token", setting: "OIDC_GRANT_TYPE_REFRESH_TOKEN" },
  { name: "client_credentials", setting: "OIDC_GRANT_TYPE_CLIENT_CREDENTIALS" },
  { name: jwtBearer, setting: undefined },
  { name: deviceCode, setting: "OIDC_GRANT_TYPE_DEVICE_CODE" },
  { name: tokenExchange, setting: "OIDC_GRANT_TYPE_TOKEN_EXCHANGE" },
] as const;

export type GrantType = (typeof rows)[number]["name"];
export type GrantTypeSetting = NonNullable<(typeof rows)[number]["setting"]>;
/** The grant types of the token endpoint. */
export type TokenGrantType = Exclude<GrantType, "implicit">;

export const grantTypes: readonly GrantType[] = rows.map(({ name }) => name);

/** The names in an app's settings. */
export const grantTypeSettings: readonly GrantTypeSetting[] = rows.flatMap(({ setting }) => setting ?? []);

/** The grant types that an app can be registered for, by their names in its settings. */
export const grantTypesBySetting = Object.fromEntries(
  rows.flatMap(({ name, setting }) => (setting === undefined ? [] : [[setting, name]])),
) as Readonly<Record<GrantTypeSetting, GrantType>>;

export interface AuthorizationCodeRequest {
  grantType: "authorization_code";
  code: string;
  redirectUri: string;
  codeVerifier?: string;
  /** The resources that the token is for (RFC 8707 §2.2), of those that were granted; empty for all. */
  resources: readonly string[];
}

export interface RefreshTokenRequest {
  grantType: "refresh_token";
  refreshToken: string;
  /** Without it the original scopes are reused. */
  scope?: string[];
  resources: readonly string[];
}

export interface ClientCredentialsRequest {
  grantType: "client_credentials";
  scope: string[];
  resources: readonly string[];
}

export interface JwtBearerRequest {
  grantType: typeof jwtBearer;
  assertion: string;
  scope: string[];
  resources: readonly string[];
}

export interface DeviceCodeRequest {
  grantType: typeof deviceCode;
  deviceCode: string;
  resources: readonly string[];
}

/** Parses the parameters of RFC 8628 §3.4. */
export function parseDeviceCode(form: Parameters): DeviceCodeRequest | OAuthError {
  const code = form.get("device_code");
  if (code === undefined) return invalidRequest("device_code is missing");
  if (isTooLong("code", code)) return invalidGrant("the device code is not valid");
  return { grantType: deviceCode, deviceCode: code, resources: form.all("resource") };
}

/**
 * Parses the parameters of RFC 6749 §4.1.3. redirect_uri is required, because the authorization request always has one.
 */
export function parseCode(form: Parameters): AuthorizationCodeRequest | OAuthError {
  const code = form.get("code");
  if (code === undefined) return invalidRequest("code is missing");
  const redirectUri = form.get("redirect_uri");
  if (redirectUri === undefined) return invalidRequest("redirect_uri is missing");
  if (isTooLong("code", code)) return invalidGrant("the code is not valid");
  if (isTooLong("redirect_uri", redirectUri)) {
    return invalidGrant("redirect_uri differs from the one of the authorization request");
  }
  const resources = form.all("resource");
  return { grantType: "authorization_code", code, redirectUri, codeVerifier: form.get("code_verifier"), resources };
}

/** Parses the parameters of RFC 6749 §6. */
export function parseRefresh(form: Parameters): RefreshTokenRequest | OAuthError {
  const refreshToken = form.get("refresh_token");
  if (refreshToken === undefined) return invalidRequest("refresh_token is missing");
  if (isTooLong("code", refreshToken)) return invalidGrant("the refresh token is not valid");
  const request = { grantType: "refresh_token", refreshToken, resources: form.all("resource") } as const;
  if (!form.has("scope")) return request;
  const scope = parseScope(form.get("scope"));
  return isError(scope) ? scope : { ...request, scope };
}

/** Parses the parameters of RFC 6749 §4.4.2. */
export function parseClientCredentialsGrant(form: Parameters): ClientCredentialsRequest | OAuthError {
  const scope = parseScope(form.get("scope"));
  return isError(scope) ? scope : { grantType: "client_credentials", scope, resources: form.all("resource") };
}

/** Parses the parameters of RFC 7523 §2.1. */
export function parseJwtBearer(form: Parameters): JwtBearerRequest | OAuthError {
  const assertion = form.get("assertion");
  if (assertion === undefined) return invalidRequest("assertion is missing");
  if (isTooLong("assertion", assertion)) return invalidGrant(longerThan("the assertion", MAX_LENGTHS.assertion));
  const scope = parseScope(form.get("scope"));
  return isError(scope) ? scope : { grantType: jwtBearer, assertion, scope, resources: form.all("resource") };
}
