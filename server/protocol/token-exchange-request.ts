/**
 * The token exchange request (RFC 8693 §2.1). The token types below are those of rules EXCHANGE-2 and EXCHANGE-3; other
 * types are rejected before any token is verified.
 */
import { tokenExchange } from "./grant-type";
import { isTooLong, longerThan, MAX_LENGTHS } from "./lengths";
import { invalidRequest, invalidTarget, isError, type OAuthError } from "./oauth-error";
import type { Parameters } from "./parameters";
import { parseScope } from "./scope";

/** Token types of RFC 8693 §3 and of its extensions. */
export const tokenTypes = {
  accessToken: "urn:ietf:params:oauth:token-type:access_token",
  refreshToken: "urn:ietf:params:oauth:token-type:refresh_token",
  idToken: "urn:ietf:params:oauth:token-type:id_token",
  jwt: "urn:ietf:params:oauth:token-type:jwt",
  userId: "urn:service:params:oauth:token-type:user_id",
  /** An identity assertion, which the jwt-bearer grant of another authorization server takes. */
  idJag: "urn:ietf:params:oauth:token-type:id-jag",
} as const;

/** What ZITADEL calls a type, while the instance is compatible with it. */
const zitadelUserId = "urn:zitadel:params:oauth:token-type:user_id";

/** The accepted types by role of the token (rules EXCHANGE-2 and EXCHANGE-3). */
const subjectTokenTypes = [tokenTypes.accessToken, tokenTypes.idToken, tokenTypes.jwt, tokenTypes.userId] as const;
const actorTokenTypes = [tokenTypes.accessToken, tokenTypes.idToken] as const;
const assertedSubjectTypes = [tokenTypes.idToken, tokenTypes.refreshToken] as const;
const requestedTokenTypes = [tokenTypes.accessToken, tokenTypes.idToken, tokenTypes.jwt] as const;
/** Types that name a user without proving anything, so that an actor is required. */
const neededActor: readonly string[] = [tokenTypes.jwt, tokenTypes.userId];

export type SubjectTokenType = (typeof subjectTokenTypes)[number];
export type ActorTokenType = (typeof actorTokenTypes)[number];
export type RequestedTokenType = (typeof requestedTokenTypes)[number];

export interface TokenExchangeRequest {
  grantType: typeof tokenExchange;
  subject: { token: string; type: SubjectTokenType };
  actor: { token: string; type: ActorTokenType } | undefined;
  /** An access token by default. */
  requestedType: RequestedTokenType;
  /** Undefined for those of the tokens. */
  scope: string[] | undefined;
  /** Empty for that of the tokens. */
  audience: string[];
  /** Registered resources as the audience (rule EXCHANGE-5); empty without. */
  resources: readonly string[];
}

const MAX_AUDIENCES = 100;

/** A request for an identity assertion (draft-ietf-oauth-identity-assertion-authz-grant §4.3). */
export interface IdentityAssertionRequest {
  grantType: typeof tokenExchange;
  requestedType: typeof tokenTypes.idJag;
  subject: { token: string; type: (typeof assertedSubjectTypes)[number] };
  /** The issuer that the assertion is for. */
  audience: string;
  /** Undefined for all that the client may have there. */
  scope: string[] | undefined;
  resources: readonly string[];
}

/** A request for the token that an identity provider issued for the user (rule EXCHANGE-9). */
export interface ProviderTokenRequest {
  grantType: typeof tokenExchange;
  requestedType: typeof tokenTypes.accessToken;
  subject: { token: string; type: typeof tokenTypes.accessToken };
  /** The id of the provider. */
  requestedIssuer: string;
}

/** Parses the request. Repeated parameters were rejected before, except `audience` (RFC 8693 §2.1). */
export function parseTokenExchange(
  form: Parameters,
): TokenExchangeRequest | IdentityAssertionRequest | ProviderTokenRequest | OAuthError {
  if (form.has("requested_issuer")) return parseProviderToken(form);
  if (form.get("requested_token_type") === tokenTypes.idJag) return parseIdentityAssertion(form);
  const subject = parseToken(form, "subject", subjectTokenTypes);
  if (isError(subject)) return subject;
  if (!subject) return invalidRequest("subject_token is missing");
  const actor = parseToken(form, "actor", actorTokenTypes);
  if (isError(actor)) return actor;
  if (!actor && neededActor.includes(subject.type)) {
    return invalidRequest("this subject_token_type is accepted only together with actor_token");
  }
  const requestedType = form.get("requested_token_type") ?? tokenTypes.accessToken;
  if (!isOneOf(requestedTokenTypes, requestedType)) return invalidRequest("requested_token_type cannot be issued");
  const scope = parseExchangedScope(form);
  if (isError(scope)) return scope;
  const audience = parseAudience(form);
  if (isError(audience)) return audience;
  const resources = form.all("resource");
  if (resources.length > 0 && audience.length > 0) return invalidTarget("name either resources or audiences");
  return { grantType: tokenExchange, subject, actor, requestedType, scope, audience, resources };
}

function parseIdentityAssertion(form: Parameters): IdentityAssertionRequest | OAuthError {
  const subject = parseToken(form, "subject", assertedSubjectTypes);
  if (isError(subject)) return subject;
  if (!subject) return invalidRequest("subject_token is missing");
  if (form.has("actor_token")) return invalidRequest("an identity assertion has no actor");
  const scope = parseExchangedScope(form);
  if (isError(scope)) return scope;
  const [audience, another] = form.all("audience");
  if (audience === undefined || another !== undefined) {
    return invalidRequest("audience must be the issuer of one authorization server");
  }
  const requestedType = tokenTypes.idJag;
  return { grantType: tokenExchange, requestedType, subject, audience, scope, resources: form.all("resource") };
}

/** Choice: `requested_issuer` names the provider, as in Keycloak; RFC 8693 has no parameter for that. */
function parseProviderToken(form: Parameters): ProviderTokenRequest | OAuthError {
  const requestedIssuer = form.get("requested_issuer") ?? "";
  const requestedType = tokenTypes.accessToken;
  const subject = parseToken(form, "subject", [requestedType]);
  if (isError(subject)) return subject;
  if (!subject) return invalidRequest("subject_token is missing");
  if ((form.get("requested_token_type") ?? requestedType) !== requestedType) {
    return invalidRequest("of an identity provider only its access_token can be issued");
  }
  const [other] = ["actor_token", "scope", "audience", "resource"].filter((name) => form.has(name));
  if (other !== undefined) return invalidRequest(`requested_issuer and ${other} cannot be combined`);
  return { grantType: tokenExchange, requestedType, subject, requestedIssuer };
}

/** Parses `subject_token` or `actor_token` with its type: both or none (RFC 8693 §2.1). */
function parseToken<Type extends string>(
  form: Parameters,
  party: "subject" | "actor",
  types: readonly Type[],
): { token: string; type: Type } | undefined | OAuthError {
  const token = form.get(`${party}_token`);
  const sent = form.get(`${party}_token_type`);
  const type = sent === zitadelUserId ? tokenTypes.userId : sent;
  if (token === undefined) {
    return type === undefined ? undefined : invalidRequest(`${party}_token_type is sent without ${party}_token`);
  }
  if (type === undefined) return invalidRequest(`${party}_token_type is missing`);
  if (!isOneOf(types, type)) return invalidRequest(`${party}_token_type is not accepted`);
  if (isTooLong("assertion", token)) return invalidRequest(longerThan(`${party}_token`, MAX_LENGTHS.assertion));
  return { token, type };
}

function parseExchangedScope(form: Parameters): string[] | undefined | OAuthError {
  const scope = parseScope(form.get("scope"));
  if (isError(scope)) return scope;
  return scope.length === 0 ? undefined : scope; // checked against the tokens' scopes later
}

/** Parses the audience. Choice: a value with spaces is read as several audiences, as none of ours contains a space. */
function parseAudience(form: Parameters): string[] | OAuthError {
  const audience = [...new Set(form.all("audience").flatMap((value) => value.split(" ")))].filter((one) => one !== "");
  return audience.length > MAX_AUDIENCES ? invalidTarget(`there are more than ${MAX_AUDIENCES} audiences`) : audience;
}

function isOneOf<Type extends string>(types: readonly Type[], type: string): type is Type {
  return (types as readonly string[]).includes(type);
}
