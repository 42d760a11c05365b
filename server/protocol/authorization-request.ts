/**
 * The authorization request (RFC 6749 §4.1.1, §4.2.1, OIDC Core §3.1.2.1). It is parsed in two steps, because errors go
 * two ways. readRedirectTarget returns where a response could go. Until the caller has matched that against the client,
 * errors are shown to the user; after that, errors of parseAuthorizationRequest are redirected. Attacks: open
 * redirector, and requests that two checks interpret differently; hence there is one list of checks in one order
 * (authorization-checks).
 */
import { readRequest, TARGET_CHECKS } from "./authorization-checks";
import type { ClaimsRequest } from "./claims-request";
import type { Client } from "./client";
import { isTooLong, MAX_LENGTHS } from "./lengths";
import { about, isError, type OAuthError } from "./oauth-error";
import type { Parameters, UnreadableParameters } from "./parameters";
import { grantedScope, type TargetProject } from "./project-scope";
import type { Prompt } from "./prompt";
import { checkOneProject, meaningfulTo, type Resource } from "./resource";
import { type ResponseMode, type ResponseType, returnsAccessToken, returnsCode } from "./response-type";
import { parseScope } from "./scope";
import { parseUiLocales } from "./ui-locales";

/** A request that passed every check. JSON-serializable, as it travels sealed through the login pages. */
export interface AuthorizationRequest {
  clientId: string;
  redirectUri: string;
  responseType: ResponseType;
  responseMode: ResponseMode;
  /** The part of the requested scope that can be granted, in the order requested; contains `openid`. */
  scope: string[];
  state?: string;
  nonce?: string;
  /** The S256 challenge. */
  codeChallenge?: string;
  prompt: Prompt[];
  /** The maximum age in seconds. */
  maxAge?: number;
  /** Canonical BCP 47 tags, most preferred first. */
  uiLocales: string[];
  /** Has the form of a JWT; not verified yet. */
  idTokenHint?: string;
  loginHint?: string;
  claimsRequest?: ClaimsRequest;
  acrValues: string[];
  /** The thumbprint of the key that the code is bound to (RFC 9449 §10). */
  dpopJkt?: string;
  /** The resources that its access tokens are for (RFC 8707); undefined for the audience of the scope. */
  resources?: string[];
  /** The random part of its request_uri, if it was pushed (RFC 9126). */
  pushed?: string;
}

/** Where a response would go, if client and redirect URI belong together. */
export interface RedirectTarget {
  clientId: string;
  redirectUri: string;
  /** Undefined if it is repeated or too long (rule AUTHORIZE-13), since no value is then certain to be the client's. */
  state?: string;
  /** How an error is sent, whatever else is wrong. */
  responseMode: ResponseMode;
}

const MAX_ACR_VALUES = 20;
const MAX_ACR_VALUE_LENGTH = 100;

/**
 * Returns the redirect target. Its errors are shown, never redirected (rule AUTHORIZE-1). A request with another
 * unreadable part still has a target: the application gets the error.
 */
export function readRedirectTarget(parameters: Parameters | UnreadableParameters): RedirectTarget | OAuthError {
  if (isError(parameters)) {
    const target = parameters.readable && readRedirectTarget(parameters.readable);
    return target && !isError(target) ? target : parameters;
  }
  for (const check of TARGET_CHECKS) {
    const refusal = check(parameters);
    if (refusal) return refusal;
  }
  const state = parameters.repeated("state") === undefined ? parameters.get("state") : undefined;
  return {
    clientId: parameters.get("client_id") ?? "",
    redirectUri: parameters.get("redirect_uri") ?? "",
    state: isTooLong("state", state) ? undefined : state,
    responseMode: errorResponseMode(parameters),
  };
}

/**
 * Returns the mode of an error response if the request may not have been understood: form_post if requested, fragment
 * if tokens were requested (the client would not see an error in the query), else query. It is signed only if the
 * client may ask for that (`signResponse`).
 */
export function errorResponseMode(parameters: Parameters): ResponseMode {
  const mode = parameters.get("response_mode") ?? responseModeOfObject(parameters.get("request")) ?? "";
  const signed = /(^|\.)jwt$/.test(mode) ? ".jwt" : "";
  if (/^form_post(\.jwt)?$/.test(mode)) return `form_post${signed}`;
  const words = parameters.all("response_type").flatMap((type) => type.split(" "));
  const isFragment = /^fragment(\.jwt)?$/.test(mode) || words.includes("token") || words.includes("id_token");
  return `${isFragment ? "fragment" : "query"}${signed}`;
}

/**
 * Returns the response_mode of a request object (OIDC Core §6.1). Request objects are rejected, and nothing else of one
 * is read; but an application that put its response_mode there expects the error in that mode (rule AUTHORIZE-9). The
 * signature is not checked: anyone who can send the object could also send the parameter.
 */
function responseModeOfObject(object: string | undefined): string | undefined {
  if (object === undefined) return undefined;
  try {
    const payload: unknown = JSON.parse(Buffer.from(object.split(".")[1] ?? "", "base64url").toString());
    const mode = (payload as { response_mode?: unknown } | null)?.response_mode;
    return typeof mode === "string" ? mode : undefined;
  } catch {
    return undefined; // not a JWT, or encrypted
  }
}

/** What a request is about, as far as it is registered. */
export interface RequestTargets {
  /** The projects that the scope names. */
  projects: readonly TargetProject[];
  /** Those of the parameter `resource`, or its error. */
  resources: Resource[] | OAuthError;
}

/**
 * Parses everything except client_id and redirect_uri, which the caller has matched.
 */
export function parseAuthorizationRequest(
  parameters: Parameters,
  client: Client,
  { projects, resources }: RequestTargets,
): AuthorizationRequest | OAuthError {
  const read = readRequest(parameters, client);
  if (isError(read)) return read;
  if (isError(resources)) return about("resource", resources);
  const { responseType, responseMode, scope, prompt, maxAge, claimsRequest } = read;
  // A token from here cannot be narrowed later.
  const mixed =
    responseType === "id_token" || returnsAccessToken(responseType) ? checkOneProject(resources) : undefined;
  if (mixed) return about("resource", mixed);
  return {
    clientId: client.clientId,
    redirectUri: parameters.get("redirect_uri") ?? "",
    responseType,
    responseMode,
    scope: grantedScope(meaningfulTo(scope, client, { projects, resources }), client, responseType),
    resources: resources.length === 0 ? undefined : resources.map(({ uri }) => uri),
    state: parameters.get("state"),
    nonce: parameters.get("nonce"),
    codeChallenge: returnsCode(responseType) ? parameters.get("code_challenge") : undefined,
    dpopJkt: returnsCode(responseType) ? parameters.get("dpop_jkt") : undefined,
    prompt,
    maxAge,
    uiLocales: parseUiLocales(parameters.get("ui_locales")),
    idTokenHint: readIdTokenHint(parameters.get("id_token_hint")),
    loginHint: parseLoginHint(parameters.get("login_hint")),
    claimsRequest,
    acrValues: readAcrValues(parameters.get("acr_values")),
  };
}

/** Returns the requested scopes before the request is checked; empty if they cannot be parsed. */
export function requestedScope(parameters: Parameters): string[] {
  const scope = parseScope(parameters.get("scope"));
  return isError(scope) ? [] : scope;
}

/** Returns the hint if it has three base64url parts, the form of a signed JWT (RFC 7515 §3.1), else undefined. */
function readIdTokenHint(raw: string | undefined): string | undefined {
  return raw !== undefined && raw.length <= MAX_LENGTHS.id_token_hint && /^[\w-]+\.[\w-]+\.[\w-]+$/.test(raw)
    ? raw
    : undefined;
}

/**
 * Returns the hint, or undefined if it contains control, bidirectional or invisible characters: they could change how
 * the page around it reads.
 */
export function parseLoginHint(raw: string | undefined): string | undefined {
  const hint = raw?.trim();
  return hint && hint.length <= MAX_LENGTHS.login_hint && !/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u.test(hint)
    ? hint
    : undefined;
}

function readAcrValues(raw: string | undefined): string[] {
  const values = (raw ?? "").split(" ").filter((value) => value !== "" && value.length <= MAX_ACR_VALUE_LENGTH);
  return [...new Set(values)].slice(0, MAX_ACR_VALUES);
}
