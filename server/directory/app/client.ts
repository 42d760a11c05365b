/** Converts an app to a client: settings of the management API are translated into the terms of the standards. */

import { parseDuration } from "../../config/value-parsers";
import type { Client, ConnectedServer } from "../../protocol/client";
import type { CertificateName } from "../../protocol/client-certificate";
import { underProfile } from "../../protocol/fapi";
import { grantTypesBySetting } from "../../protocol/grant-type";
import { sectorOf } from "../../protocol/sector";
import type { ActiveApp } from "../../storage/app/app";
import {
  ALLOWED_ORGANIZATIONS,
  APP_TYPES,
  AUTH_METHODS,
  apiSettings,
  type certificateNames,
  OIDC_DEFAULTS,
  type OidcSettings,
  oidcSettings,
  PROFILES,
  RESPONSE_TYPES,
} from "./settings";

/** Converts a stored app to a client. Throws if the stored settings are invalid, because a guess would be unsafe. */
export function toClient(app: ActiveApp): Client {
  const identity = {
    clientId: app.clientId,
    appId: app.id,
    appName: app.name,
    projectId: app.projectId,
    organizationId: app.organizationId,
    organizationName: app.organizationName,
    standing: app.isTrusted ? ("trusted" as const) : ("registered" as const),
    origin: app.origin ?? ("administrator" as const),
    mayManage: app.mayManage,
    kind: app.kind,
    secrets: app.secrets,
    jwks: allKeys(app),
    rolesClaim: app.rolesClaim ?? undefined,
    project: {
      roleAssertion: app.projectRoleAssertion,
      roleCheck: app.projectRoleCheck,
      organizationCheck: app.hasProjectCheck,
      keepsLook: app.privateLabelingSetting === "PRIVATE_LABELING_SETTING_ENFORCE_PROJECT_RESOURCE_OWNER_POLICY",
    },
  };
  if (app.kind === "oidc") {
    const client = { ...identity, ...oidcClient(oidcSettings.parse(app.settings)), ...registeredLimits(app) };
    // The management APIs name users by their own ids.
    return { ...client, mayManage: app.mayManage && client.sector === undefined };
  }
  const settings = apiSettings.parse(app.settings);
  const { authMethodType = "API_AUTH_METHOD_TYPE_BASIC", jwksUri } = settings;
  const { legacyAssertionAudience = false, allowAssertionReuse = false } = settings;
  // An API only introspects tokens and never receives any, so it may use no flow and no grant.
  return {
    ...identity,
    ...oidcClient({ responseTypes: [], grantTypes: [] }),
    authenticationMethod: AUTH_METHODS[authMethodType],
    certificateName: certificateNameOf(settings),
    legacyAssertionAudience,
    allowAssertionReuse,
    introspectionSigningAlgorithm: settings.introspectionSignedResponseAlg ?? "RS256",
    jwksUri,
    devMode: true, // An API has no such setting; a service on loopback is in development.
  };
}

/** What a client that registered itself may not exceed. */
function registeredLimits({ origin, usedAt, metadata }: ActiveApp) {
  if (origin === null) return {};
  const { scope, token_endpoint_auth_signing_alg: algorithm, request_object_signing_alg: signing } = metadata ?? {};
  return {
    usedAt,
    selfDescription: metadata ?? {},
    registeredScopes: typeof scope === "string" ? scope.split(" ") : undefined,
    assertionAlgorithm: typeof algorithm === "string" ? algorithm : undefined,
    requestObjectAlgorithm: typeof signing === "string" ? signing : undefined,
  };
}

/** Returns the keys of the key set and those added individually. */
function allKeys({ jwks, keys }: ActiveApp): Client["jwks"] {
  const set = jwks as Client["jwks"];
  return keys.length === 0 ? set : { keys: [...(set?.keys ?? []), ...keys] };
}

type FromSettings = Omit<
  Client,
  | "clientId"
  | "appId"
  | "appName"
  | "projectId"
  | "organizationId"
  | "organizationName"
  | "standing"
  | "origin"
  | "mayManage"
  | "kind"
  | "secrets"
  | "jwks"
  | "rolesClaim"
  | "project"
>;

/** Returns the settings of an OIDC app with defaults filled in. */
export function oidcClient(given: OidcSettings): FromSettings {
  const settings = { ...OIDC_DEFAULTS, ...given };
  return underProfile({
    applicationType: APP_TYPES[settings.appType],
    redirectUris: settings.redirectUris,
    postLogoutRedirectUris: settings.postLogoutRedirectUris,
    responseTypes: settings.responseTypes.map((type) => RESPONSE_TYPES[type]),
    grantTypes: settings.grantTypes.map((type) => grantTypesBySetting[type]),
    authenticationMethod: AUTH_METHODS[settings.authMethodType],
    accessTokenFormat: settings.accessTokenType === "OIDC_TOKEN_TYPE_JWT" ? "jwt" : "opaque",
    idTokenUserinfoAssertion: settings.idTokenUserinfoAssertion,
    idTokenRoleAssertion: settings.idTokenRoleAssertion ?? false,
    accessTokenRoleAssertion: settings.accessTokenRoleAssertion ?? false,
    idTokenSigningAlgorithm: settings.idTokenSignedResponseAlg ?? settings.idTokenSigningAlgorithm ?? "RS256",
    clockSkew: milliseconds(given.clockSkew),
    additionalOrigins: settings.additionalOrigins ?? [],
    backChannelLogoutUri: settings.backChannelLogoutUri,
    frontChannelLogoutUri: settings.frontChannelLogoutUri,
    frontChannelLogoutSessionRequired: settings.frontChannelLogoutSessionRequired,
    initiateLoginUri: settings.initiateLoginUri,
    loginBaseUri: settings.loginVersion?.loginV2?.baseUri,
    defaultMaxAge: seconds(given.defaultMaxAge),
    sector: settings.subjectType === "SUBJECT_TYPE_PAIRWISE" ? (sectorOf(given) ?? "") : undefined,
    devMode: settings.devMode,
    isThirdParty: settings.isThirdParty ?? false,
    allowedOrganizations: ALLOWED_ORGANIZATIONS[settings.allowedOrganizations ?? "APP_ORGANIZATIONS_OWN_AND_GRANTED"],
    legacyAssertionAudience: settings.legacyAssertionAudience,
    allowAssertionReuse: settings.allowAssertionReuse,
    requirePushedAuthorizationRequests: settings.requirePushedAuthorizationRequests,
    dpopBoundAccessTokens: settings.dpopBoundAccessTokens,
    tlsClientCertificateBoundAccessTokens: settings.tlsClientCertificateBoundAccessTokens,
    certificateName: certificateNameOf(given),
    dpopRequireNonce: settings.dpopRequireNonce,
    requireSignedRequestObject: settings.requireSignedRequestObject,
    requestUris: settings.requestUris,
    connectedServers: settings.connectedAuthorizationServers.map(connectedTo),
    authorizationSigningAlgorithm: settings.authorizationSignedResponseAlg ?? "RS256",
    userinfoSigningAlgorithm: settings.userinfoSignedResponseAlg,
    introspectionSigningAlgorithm: settings.introspectionSignedResponseAlg ?? "RS256",
    profile: PROFILES[settings.profile ?? "PROFILE_NONE"],
    jwksUri: settings.jwksUri,
    accessTokenJwtType: settings.accessTokenJwtType ?? "at+jwt",
    lifetimes: {
      accessToken: milliseconds(given.accessTokenLifetime),
      idToken: milliseconds(given.idTokenLifetime),
      refreshTokenIdle: milliseconds(given.refreshTokenIdleLifetime),
      refreshToken: milliseconds(given.refreshTokenLifetime),
      refreshGrace: milliseconds(given.refreshGrace),
    },
  });
}

function connectedTo(server: NonNullable<OidcSettings["connectedAuthorizationServers"]>[number]): ConnectedServer {
  const { issuer, clientId, scopes = [], resources = [], subjectType } = server;
  // The host names the sector of the app by which that server signs in its users: it is the host of its redirect URI.
  const sector = subjectType === "SUBJECT_TYPE_PAIRWISE" ? sectorOf({ redirectUris: [issuer] }) : undefined;
  return { issuer, clientId, scopes, resources, sector };
}

const seconds = (text: string | undefined) =>
  text === undefined ? undefined : Math.floor((parseDuration(text) ?? 0) / 1000);

/** Returns the name of a certificate; undefined unless exactly one is set (RFC 8705 §2.1.2). */
function certificateNameOf(given: Pick<OidcSettings, keyof typeof certificateNames>): CertificateName | undefined {
  const names = [
    { kind: "subjectDn", value: given.tlsClientAuthSubjectDn },
    { kind: "sanDns", value: given.tlsClientAuthSanDns },
    { kind: "sanUri", value: given.tlsClientAuthSanUri },
    { kind: "sanIp", value: given.tlsClientAuthSanIp },
    { kind: "sanEmail", value: given.tlsClientAuthSanEmail },
  ] as const;
  const [name, another] = names.flatMap(({ kind, value }) => (value === undefined ? [] : [{ kind, value }]));
  return another === undefined ? name : undefined;
}

const milliseconds = (text: string | undefined) => (text === undefined ? undefined : parseDuration(text));
