/**
 * The token request (RFC 6749 §4.1.3, §4.4.2 and §6, RFC 7523 §2.1): one grant type and its parameters. Which client
 * authentication a grant accepts is the table below (Spec: Token endpoint).
 */
import { type ClientAuthenticationMethod, clientAuthenticationMethods } from "./client";
import { deviceCode, jwtBearer, tokenExchange } from "./grant-type";
import { maxLengths } from "./lengths";
import { invalidGrant, invalidRequest, isError, type OAuthError, unsupportedGrantType } from "./oauth-error";
import { checkRepeated, type Parameters } from "./parameters";
import { checkKnownScopes, parseScope } from "./scope";
import { parseTokenExchange, type TokenExchangeRequest } from "./token-exchange-request";

export interface AuthorizationCodeRequest {
  grantType: "authorization_code";
  code: string;
  redirectUri: string;
  codeVerifier?: string;
}

export interface RefreshTokenRequest {
  grantType: "refresh_token";
  refreshToken: string;
  /** Without it the original scopes are reused. */
  scope?: string[];
}

export interface ClientCredentialsRequest {
  grantType: "client_credentials";
  scope: string[];
}

export interface JwtBearerRequest {
  grantType: typeof jwtBearer;
  assertion: string;
  scope: string[];
}

export interface DeviceCodeRequest {
  grantType: typeof deviceCode;
  deviceCode: string;
}

export type TokenRequest =
  | AuthorizationCodeRequest
  | RefreshTokenRequest
  | ClientCredentialsRequest
  | JwtBearerRequest
  | TokenExchangeRequest
  | DeviceCodeRequest;

export type TokenGrantType = TokenRequest["grantType"];

const methods: Record<TokenGrantType, readonly ClientAuthenticationMethod[]> = {
  authorization_code: clientAuthenticationMethods,
  refresh_token: clientAuthenticationMethods,
  client_credentials: ["client_secret_basic", "client_secret_post"], // RFC 6749 §4.4: confidential clients only
  [tokenExchange]: clientAuthenticationMethods,
  [deviceCode]: clientAuthenticationMethods, // RFC 8628 §3.4
  [jwtBearer]: [], // the assertion itself says who asks, RFC 7521 §4.1
};

/** The client authentication methods a grant accepts; none for the JWT profile, which authenticates no client. */
export function acceptedMethods(grantType: TokenGrantType): readonly ClientAuthenticationMethod[] {
  return methods[grantType];
}

/** Whether a grant_type is one of ours, switched on or not. */
export function isGrantType(text: string | undefined): text is TokenGrantType {
  return text !== undefined && Object.hasOwn(methods, text);
}

/** @param switchedOn the optional grant types that are enabled: token exchange is a feature */
export function parseTokenRequest(
  form: Parameters,
  switchedOn: readonly TokenGrantType[] = [],
): TokenRequest | OAuthError {
  const repeated = checkRepeated(form); // RFC 6749 §3.2
  if (repeated) return repeated;
  const grantType = form.get("grant_type");
  switch (grantType) {
    case undefined:
      return invalidRequest("grant_type is missing");
    case "authorization_code":
      return parseCode(form);
    case "refresh_token":
      return parseRefresh(form);
    case "client_credentials": {
      const scope = parseNewScope(form);
      return isError(scope) ? scope : { grantType, scope };
    }
    case jwtBearer:
      return parseJwtBearer(form);
    case tokenExchange:
      if (switchedOn.includes(tokenExchange)) return parseTokenExchange(form);
      return unsupportedGrantType("token exchange is not switched on; PUT /v2/features/instance switches it on");
    case deviceCode:
      return parseDeviceCode(form);
    default:
      return unsupportedGrantType("grant_type is not supported");
  }
}

/** RFC 8628 §3.4. */
function parseDeviceCode(form: Parameters): DeviceCodeRequest | OAuthError {
  const code = form.get("device_code");
  if (code === undefined) return invalidRequest("device_code is missing");
  if (code.length > maxLengths.code) return invalidGrant("the device code is not valid");
  return { grantType: deviceCode, deviceCode: code };
}

/** RFC 6749 §4.1.3. redirect_uri is always required, because the authorization request always has one. */
function parseCode(form: Parameters): AuthorizationCodeRequest | OAuthError {
  const code = form.get("code");
  if (code === undefined) return invalidRequest("code is missing");
  const redirectUri = form.get("redirect_uri");
  if (redirectUri === undefined) return invalidRequest("redirect_uri is missing");
  if (code.length > maxLengths.code) return invalidGrant("the code is not valid");
  if (redirectUri.length > maxLengths.redirect_uri) {
    return invalidGrant("redirect_uri differs from the one of the authorization request");
  }
  return { grantType: "authorization_code", code, redirectUri, codeVerifier: form.get("code_verifier") };
}

/** RFC 6749 §6. */
function parseRefresh(form: Parameters): RefreshTokenRequest | OAuthError {
  const refreshToken = form.get("refresh_token");
  if (refreshToken === undefined) return invalidRequest("refresh_token is missing");
  if (refreshToken.length > maxLengths.code) return invalidGrant("the refresh token is not valid");
  if (!form.has("scope")) return { grantType: "refresh_token", refreshToken };
  const scope = parseScope(form.get("scope"));
  return isError(scope) ? scope : { grantType: "refresh_token", refreshToken, scope };
}

/** RFC 7523 §2.1. */
function parseJwtBearer(form: Parameters): JwtBearerRequest | OAuthError {
  const assertion = form.get("assertion");
  if (assertion === undefined) return invalidRequest("assertion is missing");
  if (assertion.length > maxLengths.assertion) return invalidGrant("the assertion is too long");
  const scope = parseNewScope(form);
  return isError(scope) ? scope : { grantType: jwtBearer, assertion, scope };
}

/** Scopes not yet checked by an authorization request. Spec: Token endpoint errors: an unknown one is invalid_scope. */
function parseNewScope(form: Parameters): string[] | OAuthError {
  const scope = parseScope(form.get("scope"));
  return isError(scope) ? scope : (checkKnownScopes(scope) ?? scope);
}
