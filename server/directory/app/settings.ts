/**
 * The settings of an app in the terms of the management API, validated when written and when read. One schema serves
 * the bootstrap file, the APIs and the stored row.
 */
import { z } from "zod";
import { signingAlgorithms } from "../../protocol/client";
import { grantTypeSettings } from "../../protocol/grant-type";
import { issue } from "../../protocol/reason";
import { parseUrl } from "../../protocol/url";
import { durationText, line, strict, webAddress } from "../fields";

export const RESPONSE_TYPES = {
  OIDC_RESPONSE_TYPE_CODE: "code",
  OIDC_RESPONSE_TYPE_ID_TOKEN: "id_token",
  OIDC_RESPONSE_TYPE_ID_TOKEN_TOKEN: "id_token token",
  OIDC_RESPONSE_TYPE_CODE_ID_TOKEN: "code id_token",
  OIDC_RESPONSE_TYPE_CODE_TOKEN: "code token",
  OIDC_RESPONSE_TYPE_CODE_ID_TOKEN_TOKEN: "code id_token token",
} as const;

export const APP_TYPES = {
  OIDC_APP_TYPE_WEB: "web",
  OIDC_APP_TYPE_USER_AGENT: "user_agent",
  OIDC_APP_TYPE_NATIVE: "native",
} as const;

export const AUTH_METHODS = {
  OIDC_AUTH_METHOD_TYPE_BASIC: "client_secret_basic",
  OIDC_AUTH_METHOD_TYPE_POST: "client_secret_post",
  OIDC_AUTH_METHOD_TYPE_NONE: "none",
  OIDC_AUTH_METHOD_TYPE_PRIVATE_KEY_JWT: "private_key_jwt",
  OIDC_AUTH_METHOD_TYPE_TLS_CLIENT_AUTH: "tls_client_auth",
  OIDC_AUTH_METHOD_TYPE_SELF_SIGNED_TLS_CLIENT_AUTH: "self_signed_tls_client_auth",
  API_AUTH_METHOD_TYPE_BASIC: "client_secret_basic",
  API_AUTH_METHOD_TYPE_PRIVATE_KEY_JWT: "private_key_jwt",
  API_AUTH_METHOD_TYPE_TLS_CLIENT_AUTH: "tls_client_auth",
  API_AUTH_METHOD_TYPE_SELF_SIGNED_TLS_CLIENT_AUTH: "self_signed_tls_client_auth",
} as const;

/** Security profiles, each with all of the settings that it fixes; see `protocol/fapi.ts`. */
export const PROFILES = {
  PROFILE_NONE: undefined,
  PROFILE_FAPI2: "fapi2",
  PROFILE_FAPI2_MESSAGE_SIGNING: "fapi2-message-signing",
} as const;

/** Whether all clients see the same `sub` of a user (OIDC Core §8). */
export const SUBJECT_TYPES = { SUBJECT_TYPE_PUBLIC: "public", SUBJECT_TYPE_PAIRWISE: "pairwise" } as const;

/** Which organizations a request of the app may name: see `oidc/named-organization.ts`. */
export const ALLOWED_ORGANIZATIONS = {
  APP_ORGANIZATIONS_OWN_AND_GRANTED: "own-and-granted",
  APP_ORGANIZATIONS_ALL: "all",
} as const;

const names = <Words extends Record<string, string | undefined>>(words: Words) =>
  Object.keys(words) as (keyof Words & string)[];
const oneOf = <Word extends string>(words: readonly Word[]) =>
  z.enum(words, { error: issue("one_of", { values: words.join(", ") }) });

/** Checks only the length; addresses.ts checks the address against the other settings. */
const address = line(2_048);
const origin = webAddress.refine((value) => parseUrl(value)?.origin === value, {
  error: issue("origin"),
});
const switchedOff = z.boolean();

const lifetimes = {
  accessTokenLifetime: durationText(),
  idTokenLifetime: durationText(),
  refreshTokenIdleLifetime: durationText(),
  refreshTokenLifetime: durationText(),
  /** With 0s, a refresh token works once, without a grace period for repeats. */
  refreshGrace: durationText(0),
};

/** Settings of apps that sign assertions: which audience is accepted, and where their keys are published. */
const assertionShape = {
  legacyAssertionAudience: switchedOff,
  /** Client assertions need no `jti`, and work until they expire: weaker than RFC 7523 §3 recommends. */
  allowAssertionReuse: switchedOff,
  jwksUri: webAddress,
};

/** The name in the certificate of an app with tls_client_auth: one of these (RFC 8705 §2.1.2). */
export const certificateNames = {
  tlsClientAuthSubjectDn: line(1_000),
  tlsClientAuthSanDns: line(255),
  tlsClientAuthSanUri: line(2_048),
  tlsClientAuthSanIp: line(45),
  tlsClientAuthSanEmail: line(254),
};

/**
 * An authorization server for which the app gets identity assertions (ID-JAG), with the most that it may ask for there.
 */
const connectedServer = strict({
  issuer: webAddress,
  /** The client id of the app at that server. */
  clientId: line(500),
  scopes: z
    .array(z.string().regex(/^[\x21\x23-\x5b\x5d-\x7e]{1,200}$/, { error: issue("scope_characters", { n: 200 }) }))
    .max(50)
    .optional(),
  resources: z.array(webAddress).max(50).optional(),
  /** Whether that server sees the user by the id, or by the subject of the sector that its host names. */
  subjectType: oneOf(names(SUBJECT_TYPES)).optional(),
}).meta({ id: "ConnectedAuthorizationServer" });

/** Whose pages its users sign in on: ours, or those below an address, which answer by the session API. */
const loginVersion = strict({
  loginV1: strict({}).optional(),
  loginV2: strict({ baseUri: webAddress.optional() }).optional(),
}).refine(({ loginV1, loginV2 }) => (loginV1 === undefined) !== (loginV2 === undefined), {
  error: issue("one_query"),
});

export const oidcSettingsShape = {
  redirectUris: z.array(address).max(100),
  postLogoutRedirectUris: z.array(address).max(100),
  responseTypes: z.array(oneOf(names(RESPONSE_TYPES))).max(10),
  grantTypes: z.array(oneOf(grantTypeSettings)).max(10),
  appType: oneOf(names(APP_TYPES)),
  authMethodType: oneOf([
    "OIDC_AUTH_METHOD_TYPE_BASIC",
    "OIDC_AUTH_METHOD_TYPE_POST",
    "OIDC_AUTH_METHOD_TYPE_NONE",
    "OIDC_AUTH_METHOD_TYPE_PRIVATE_KEY_JWT",
    "OIDC_AUTH_METHOD_TYPE_TLS_CLIENT_AUTH",
    "OIDC_AUTH_METHOD_TYPE_SELF_SIGNED_TLS_CLIENT_AUTH",
  ]),
  version: oneOf(["OIDC_VERSION_1_0"]),
  accessTokenType: oneOf(["OIDC_TOKEN_TYPE_BEARER", "OIDC_TOKEN_TYPE_JWT"]),
  accessTokenRoleAssertion: switchedOff,
  idTokenRoleAssertion: switchedOff,
  idTokenUserinfoAssertion: switchedOff,
  /** The metadata field id_token_signed_response_alg of OpenID Connect Dynamic Client Registration §2. */
  idTokenSignedResponseAlg: oneOf(signingAlgorithms),
  /** The former name of the one above, which prevails. */
  idTokenSigningAlgorithm: oneOf(signingAlgorithms),
  profile: oneOf(names(PROFILES)),
  requireSignedRequestObject: switchedOff,
  /** Where the app publishes request objects (RFC 9101 §5.2). */
  requestUris: z.array(webAddress).max(20),
  /** The metadata fields of JARM §3, OpenID Connect Dynamic Client Registration §2 and RFC 9701 §6. */
  authorizationSignedResponseAlg: oneOf(signingAlgorithms),
  userinfoSignedResponseAlg: oneOf(signingAlgorithms),
  introspectionSignedResponseAlg: oneOf(signingAlgorithms),
  subjectType: oneOf(names(SUBJECT_TYPES)),
  /** The list of redirect URIs of a sector, whose host names the sector (OIDC Core §8.1). */
  sectorIdentifierUri: webAddress,
  /** The metadata fields default_max_age and require_auth_time of OpenID Connect Dynamic Client Registration §2. */
  defaultMaxAge: durationText(0),
  /** Every ID token has auth_time, so this only says that the app relies on it. */
  requireAuthTime: switchedOff,
  devMode: switchedOff,
  /** A third party's app: users are asked for their consent (ASVS 10.7.1). */
  isThirdParty: switchedOff,
  allowedOrganizations: oneOf(names(ALLOWED_ORGANIZATIONS)),
  /** The tolerated difference of the app's clock: 0s to 5s. */
  clockSkew: z.string().regex(/^[0-5]s$/, { error: issue("duration_seconds") }),
  additionalOrigins: z.array(origin).max(100),
  backChannelLogoutUri: webAddress,
  /** The page that clears the app's session in the browser (OpenID Connect Front-Channel Logout 1.0 §2). */
  frontChannelLogoutUri: webAddress,
  frontChannelLogoutSessionRequired: switchedOff,
  /** Where the app starts a sign-in by itself (OpenID Connect Core §4). */
  initiateLoginUri: webAddress,
  loginVersion,
  connectedAuthorizationServers: z.array(connectedServer).max(20),
  /** Stored for clients of ZITADEL: there is no such page here. */
  skipNativeAppSuccessPage: switchedOff,
  ...assertionShape,
  /** Authorization requests of the app are accepted only if they were pushed (RFC 9126). */
  requirePushedAuthorizationRequests: switchedOff,
  /** Access tokens of the app are issued only with a DPoP proof, and are bound to its key (RFC 9449 §5.2). */
  dpopBoundAccessTokens: switchedOff,
  ...certificateNames,
  /** Access tokens of the app are issued only with its certificate, and are bound to it (RFC 8705 §3). */
  tlsClientCertificateBoundAccessTokens: switchedOff,
  /** DPoP proofs of the app at the token endpoint need a nonce (RFC 9449 §8). */
  dpopRequireNonce: switchedOff,
  /** The `typ` of JWT access tokens: the one of RFC 9068 §2.1, or the one that older verifiers expect. */
  accessTokenJwtType: oneOf(["at+jwt", "JWT"]),
  ...lifetimes,
};

export const apiSettingsShape = {
  authMethodType: oneOf([
    "API_AUTH_METHOD_TYPE_BASIC",
    "API_AUTH_METHOD_TYPE_PRIVATE_KEY_JWT",
    "API_AUTH_METHOD_TYPE_TLS_CLIENT_AUTH",
    "API_AUTH_METHOD_TYPE_SELF_SIGNED_TLS_CLIENT_AUTH",
  ]),
  ...assertionShape,
  ...certificateNames,
  introspectionSignedResponseAlg: oneOf(signingAlgorithms),
};

/** The stored settings: only what was set; the rest has its default. */
export const oidcSettings = strict(oidcSettingsShape).partial();
export const apiSettings = strict(apiSettingsShape).partial();

export type OidcSettings = z.output<typeof oidcSettings>;
export type ApiSettings = z.output<typeof apiSettings>;

export const OIDC_DEFAULTS = {
  redirectUris: [],
  postLogoutRedirectUris: [],
  responseTypes: ["OIDC_RESPONSE_TYPE_CODE"],
  grantTypes: ["OIDC_GRANT_TYPE_AUTHORIZATION_CODE"],
  appType: "OIDC_APP_TYPE_WEB",
  authMethodType: "OIDC_AUTH_METHOD_TYPE_BASIC",
  accessTokenType: "OIDC_TOKEN_TYPE_BEARER",
  idTokenUserinfoAssertion: false,
  subjectType: "SUBJECT_TYPE_PUBLIC",
  requireAuthTime: false,
  frontChannelLogoutSessionRequired: false,
  devMode: false,
  legacyAssertionAudience: false,
  allowAssertionReuse: false,
  requirePushedAuthorizationRequests: false,
  dpopBoundAccessTokens: false,
  tlsClientCertificateBoundAccessTokens: false,
  dpopRequireNonce: false,
  requireSignedRequestObject: false,
  requestUris: [],
  connectedAuthorizationServers: [],
} as const satisfies OidcSettings;

/** A public JSON Web Key Set; public-key.ts checks the keys themselves. */
export const keySetSchema = strict({ keys: z.array(z.record(z.string(), z.unknown())).max(50) });
