/**
 * The metadata of clients by the names of the standards (RFC 7591 §2, OpenID Connect Dynamic Client Registration §2):
 * as clients register it, and as documents at client ids contain it. Each member is honoured, or refused by its name
 * if ignoring it could mislead the client; members of no standard are ignored (rule REGISTER-3). Attacks: script in
 * addresses, registrations of any size, and keys that are private or too expensive to check.
 */
import {
  type ApplicationType,
  clientAuthenticationMethods,
  type SigningAlgorithm,
  signingAlgorithms,
} from "../../protocol/client";
import { assertionAlgorithms } from "../../protocol/client-credentials";
import { deviceCode, type GrantType, grantTypesBySetting } from "../../protocol/grant-type";
import { asksToManage } from "../../protocol/management";
import { invalidClientMetadata, invalidRedirectUri, isError, type OAuthError } from "../../protocol/oauth-error";
import { sentenceOf } from "../../protocol/reason";
import { checkRedirectUri, matchFrontChannelUri } from "../../protocol/redirect-uri";
import {
  grantsOfResponse,
  isFrontChannel,
  type ResponseType,
  responseTypes,
  returnsCode,
} from "../../protocol/response-type";
import { parseScope } from "../../protocol/scope";
import { parseUrl } from "../../protocol/url";
import { line, name as nameField, webAddress } from "../fields";
import { oidcClient } from "./client";
import { readCertificateName, readSubjects } from "./metadata-identity";
import { type GivenMetadata, type MetadataReader, metadataReader } from "./metadata-reader";
import { distinctKeys } from "./public-key-set";
import { APP_TYPES, type AUTH_METHODS, type OidcSettings, RESPONSE_TYPES } from "./settings";
import { refusedMember } from "./unsupported-metadata";

/** Metadata as an app is stored. */
export interface ClientMetadata {
  name: string;
  settings: OidcSettings;
  jwks: { keys: Record<string, unknown>[] } | null;
  /** The members that settings have no place for, by their names. */
  further: Readonly<Record<string, unknown>>;
}

/** The maximum number of redirect URIs, and of those after sign-out. */
const MAX_ADDRESSES = 20;
const MAX_TRANSLATIONS = 100;

/** What a client that no administrator knows may do: sign users in, and act for them (rule REGISTER-4). */
const GRANT_TYPES: readonly GrantType[] = ["authorization_code", "implicit", "refresh_token", deviceCode];
const METHODS = clientAuthenticationMethods;
const DOCUMENT_METHODS = ["none", "private_key_jwt"] as const;

const INFORMATION = ["client_uri", "logo_uri", "tos_uri", "policy_uri"] as const;
const TRANSLATED = /^(client_name|client_uri|logo_uri|tos_uri|policy_uri)#([A-Za-z0-9-]{1,35})$/;

/**
 * Reads the metadata of a client.
 * @param document the address of the document, whose host is the name of a client that gives none
 */
export function readClientMetadata(given: GivenMetadata, document?: URL): ClientMetadata | OAuthError {
  const source = document ? "document" : "registration";
  const refused = refusedMember(given, source);
  if (refused) return refused;
  const reader = metadataReader(given, source);
  const flow = readFlow(reader);
  const redirectUris = readAddresses(given, "redirect_uris");
  const afterSignOut = readAddresses(given, "post_logout_redirect_uris");
  const requestUris = readAddresses(given, "request_uris");
  if (isError(redirectUris)) return redirectUris;
  if (isError(requestUris)) return requestUris;
  if (isError(afterSignOut)) return afterSignOut;
  const keys = readKeys(reader, flow.authMethod);
  const applicationType = reader.oneOf("application_type", ["web", "native"]) ?? kindOf(redirectUris);
  const settings: OidcSettings = {
    redirectUris,
    ...(afterSignOut.length > 0 && { postLogoutRedirectUris: afterSignOut }),
    responseTypes: flow.responseTypes.map((type) => settingOf(RESPONSE_TYPES, type)),
    grantTypes: flow.grantTypes.map((type) => settingOf(grantTypesBySetting, type)),
    appType: settingOf(APP_TYPES, applicationType),
    authMethodType: OIDC_METHODS[flow.authMethod],
    // OIDC Core §9: the token endpoint as audience, which no member of the metadata could ask for (rule REGISTER-6).
    ...(source === "registration" && flow.authMethod === "private_key_jwt" && { legacyAssertionAudience: true }),
    ...readSigned(reader),
    ...(keys.jwksUri !== undefined && { jwksUri: keys.jwksUri }),
    ...(reader.has("backchannel_logout_uri") && { backChannelLogoutUri: reader.address("backchannel_logout_uri") }),
    ...(reader.has("frontchannel_logout_uri") && { frontChannelLogoutUri: reader.address("frontchannel_logout_uri") }),
    ...(reader.flag("frontchannel_logout_session_required") && { frontChannelLogoutSessionRequired: true }),
    ...(requestUris.length > 0 && { requestUris }),
    ...(reader.has("initiate_login_uri") && { initiateLoginUri: readInitiation(reader) }),
    ...(reader.flag("require_signed_request_object") && { requireSignedRequestObject: true }),
    ...(reader.flag("require_pushed_authorization_requests") && { requirePushedAuthorizationRequests: true }),
    ...(reader.flag("dpop_bound_access_tokens") && { dpopBoundAccessTokens: true }),
    ...(reader.flag("tls_client_certificate_bound_access_tokens") && { tlsClientCertificateBoundAccessTokens: true }),
    ...readCertificateName(reader, flow.authMethod),
    ...readSubjects(reader, document?.href),
    ...(reader.has("default_max_age") && { defaultMaxAge: readMaxAge(reader) }),
    ...(reader.flag("require_auth_time") && { requireAuthTime: true }),
  };
  if (settings.requireSignedRequestObject && !keys.jwks && !keys.jwksUri) {
    reader.refuse("require_signed_request_object", "needs jwks or jwks_uri");
  }
  const further = readFurther(reader);
  const name = readName(reader) ?? document?.host ?? hostOf(redirectUris[0]) ?? "Application";
  const wrong = reader.problem() ?? checkFlow(flow, redirectUris) ?? checkAddresses(settings, applicationType, given);
  return wrong ?? { name, settings, jwks: keys.jwks, further };
}

const OIDC_METHODS = {
  client_secret_basic: "OIDC_AUTH_METHOD_TYPE_BASIC",
  client_secret_post: "OIDC_AUTH_METHOD_TYPE_POST",
  none: "OIDC_AUTH_METHOD_TYPE_NONE",
  private_key_jwt: "OIDC_AUTH_METHOD_TYPE_PRIVATE_KEY_JWT",
  tls_client_auth: "OIDC_AUTH_METHOD_TYPE_TLS_CLIENT_AUTH",
  self_signed_tls_client_auth: "OIDC_AUTH_METHOD_TYPE_SELF_SIGNED_TLS_CLIENT_AUTH",
} as const satisfies Record<(typeof METHODS)[number], keyof typeof AUTH_METHODS>;

/** Returns the setting with this meaning; every value that is read has one. */
function settingOf<Name extends string, Value extends string>(
  settings: Readonly<Record<Name, Value>>,
  meant: string,
): Name {
  const found = Object.entries(settings).find(([, value]) => value === meant);
  if (!found) throw new Error(`no setting means ${meant}`);
  return found[0] as Name;
}

interface ClientFlow {
  authMethod: (typeof METHODS)[number];
  grantTypes: readonly GrantType[];
  responseTypes: readonly ResponseType[];
}

/** RFC 7591 §2: the defaults, each of which follows the other list if only that one is given (§2.1). */
function readFlow(reader: MetadataReader): ClientFlow {
  const isDocument = reader.source === "document";
  const method = reader.oneOf("token_endpoint_auth_method", isDocument ? DOCUMENT_METHODS : METHODS);
  const grants = reader.list("grant_types", GRANT_TYPES);
  const responses = reader.list("response_types", responseTypes);
  return {
    authMethod: method ?? (isDocument ? "none" : "client_secret_basic"),
    grantTypes: grants ?? grantsFor(responses ?? ["code"]),
    responseTypes: responses ?? (grants?.includes("authorization_code") === false ? [] : ["code"]),
  };
}

function grantsFor(types: readonly ResponseType[]): readonly GrantType[] {
  return [...new Set(types.flatMap(grantsOfResponse))];
}

function checkFlow({ grantTypes, responseTypes: types }: ClientFlow, uris: readonly string[]): OAuthError | undefined {
  if (types.some(returnsCode) !== grantTypes.includes("authorization_code")) {
    return invalidClientMetadata("response_types and grant_types contradict each other: code needs authorization_code");
  }
  if (types.some(isFrontChannel) !== grantTypes.includes("implicit")) {
    return invalidClientMetadata("response_types and grant_types contradict each other: id_token needs implicit");
  }
  if (grantTypes.length === 0) return invalidClientMetadata("grant_types has no grant of this service");
  return types.length > 0 && uris.length === 0 ? invalidRedirectUri("redirect_uris is missing") : undefined;
}

function readAddresses(given: GivenMetadata, member: string): string[] | OAuthError {
  const list = given[member] ?? [];
  const wrong = member === "redirect_uris" ? invalidRedirectUri : invalidClientMetadata;
  if (!Array.isArray(list) || !list.every((uri) => typeof uri === "string"))
    return wrong(`${member} must be an array of addresses`);
  if (list.length > MAX_ADDRESSES) return wrong(`${member} has more than ${MAX_ADDRESSES} addresses`);
  return new Set(list).size === list.length ? list : wrong(`${member} has an address twice`);
}

/**
 * Applies the rules that also apply when an address is used; OpenID Connect Dynamic Client Registration §2 adds one.
 */
function checkAddresses(settings: OidcSettings, type: ApplicationType, given: GivenMetadata): OAuthError | undefined {
  const rules = oidcClient(settings);
  const isImplicitWeb = type === "web" && given.application_type === "web" && rules.grantTypes.includes("implicit");
  for (const [index, uri] of rules.redirectUris.entries()) {
    const reason = checkRedirectUri(uri, rules);
    if (reason) return invalidRedirectUri(`redirect_uris[${index}] ${sentenceOf(reason)}`);
    if (isImplicitWeb && !/^https:\/\/(?!localhost[:/])/i.test(uri)) {
      return invalidRedirectUri(`redirect_uris[${index}] must use https and not localhost for the implicit grant`);
    }
  }
  if (rules.sector === "") {
    return invalidClientMetadata("sector_identifier_uri is required, because the redirect URIs do not have one host");
  }
  const { frontChannelLogoutUri } = rules;
  if (frontChannelLogoutUri !== undefined && !matchFrontChannelUri(rules, frontChannelLogoutUri)) {
    return invalidClientMetadata("frontchannel_logout_uri must have the origin of a redirect URI");
  }
  for (const [index, uri] of rules.requestUris.entries()) {
    const isSafe = webAddress.safeParse(uri).success && parseUrl(uri)?.protocol === "https:";
    if (!isSafe) return invalidClientMetadata(`request_uris[${index}] must use https and have at most 2000 characters`);
  }
  for (const [index, uri] of rules.postLogoutRedirectUris.entries()) {
    const reason = checkRedirectUri(uri, rules);
    if (reason) return invalidClientMetadata(`post_logout_redirect_uris[${index}] ${sentenceOf(reason)}`);
  }
  return undefined;
}

/** An application with only loopback addresses or schemes of its own is a native one, even if it does not say so. */
function kindOf(uris: readonly string[]): "web" | "native" {
  const isLocal = (uri: string) => /^http:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?:[:/?]|$)/.test(uri);
  return uris.some((uri) => isLocal(uri) || !/^https?:/i.test(uri)) ? "native" : "web";
}

function readKeys(reader: MetadataReader, method: string): { jwks: ClientMetadata["jwks"]; jwksUri?: string } {
  const jwksUri = reader.address("jwks_uri");
  if (jwksUri !== undefined && !jwksUri.startsWith("https:")) reader.refuse("jwks_uri", "must use https");
  const needsKeys = method === "private_key_jwt" || method === "self_signed_tls_client_auth";
  if (!reader.has("jwks")) {
    if (needsKeys && jwksUri === undefined) reader.refuse("jwks", `or jwks_uri is required with ${method}`);
    return { jwks: null, jwksUri };
  }
  if (jwksUri !== undefined) reader.refuse("jwks", "and jwks_uri exclude each other");
  const { success, data } = distinctKeys.safeParse(reader.given.jwks);
  const isUsable = success && !(needsKeys && data.keys.length === 0);
  if (!isUsable) reader.refuse("jwks", "must be a set of public keys for signatures, each with its own kid");
  return { jwks: success ? data : null };
}

function readName(reader: MetadataReader): string | undefined {
  if (!reader.has("client_name")) return undefined;
  const { success, data } = nameField.safeParse(reader.given.client_name);
  return success ? data : reader.refuse("client_name", "must be a text of 1 to 200 characters");
}

/** Reads what settings of apps have no place for. */
function readFurther(reader: MetadataReader): Record<string, unknown> {
  const further: Record<string, unknown> = {};
  const keep = (member: string, value: unknown) => {
    if (value !== undefined) further[member] = value;
  };
  for (const member of INFORMATION) keep(member, reader.address(member));
  for (const member of ["software_id", "software_version"]) keep(member, reader.text(member));
  for (const member of ["token_endpoint_auth_signing_alg", "request_object_signing_alg"]) {
    keep(member, reader.oneOf(member, assertionAlgorithms));
  }
  // Every logout token has sid, whatever a client registers.
  keep("backchannel_logout_session_required", reader.flag("backchannel_logout_session_required"));
  keep("contacts", readContacts(reader));
  keep("scope", readScope(reader));
  const translations = Object.keys(reader.given).filter((member) => TRANSLATED.test(member));
  if (translations.length > MAX_TRANSLATIONS) reader.refuse("client_name", "has too many translations");
  for (const member of translations)
    keep(member, member.startsWith("client_name") ? reader.text(member) : reader.address(member));
  return further;
}

/** The algorithms of what the service signs for the client; a setting for each. */
const SIGNED = {
  id_token_signed_response_alg: "idTokenSignedResponseAlg",
  userinfo_signed_response_alg: "userinfoSignedResponseAlg",
  authorization_signed_response_alg: "authorizationSignedResponseAlg",
  introspection_signed_response_alg: "introspectionSignedResponseAlg",
} as const satisfies Record<string, keyof OidcSettings>;

function readSigned(reader: MetadataReader): OidcSettings {
  const chosen = Object.entries(SIGNED).map(([member, setting]) => [
    setting,
    reader.oneOf<SigningAlgorithm>(member, signingAlgorithms),
  ]);
  return Object.fromEntries(chosen.filter(([, algorithm]) => algorithm !== undefined));
}

/** Ten years at most, like every duration. */
function readMaxAge(reader: MetadataReader): string | undefined {
  const age = reader.given.default_max_age;
  const isAge = typeof age === "number" && Number.isInteger(age) && age >= 0 && age <= 315_360_000;
  return isAge ? `${age}s` : reader.refuse("default_max_age", "must be a whole number of seconds, ten years at most");
}

function readInitiation(reader: MetadataReader): string | undefined {
  const uri = reader.address("initiate_login_uri");
  return uri === undefined || uri.startsWith("https:") ? uri : reader.refuse("initiate_login_uri", "must use https");
}

function readContacts(reader: MetadataReader): string[] | undefined {
  if (!reader.has("contacts")) return undefined;
  const { contacts } = reader.given;
  const isList = Array.isArray(contacts) && contacts.length <= MAX_ADDRESSES;
  if (!isList || !contacts.every((one) => line(254).safeParse(one).success))
    return reader.refuse("contacts", "must be an array of texts");
  return contacts as string[];
}

function readScope(reader: MetadataReader): string | undefined {
  if (!reader.has("scope")) return undefined;
  const { scope } = reader.given;
  const parsed = typeof scope === "string" ? parseScope(scope) : undefined;
  if (!parsed || isError(parsed)) return reader.refuse("scope", "must be scopes with spaces between them");
  if (asksToManage(parsed)) return reader.refuse("scope", "must not have the management APIs as audience");
  return parsed.join(" ");
}

const hostOf = (uri: string | undefined): string | undefined => {
  const url = uri === undefined ? undefined : parseUrl(uri);
  return url && (url.host || url.protocol.slice(0, -1));
};
