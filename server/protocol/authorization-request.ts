/**
 * The authorization request (RFC 6749 §4.1.1 and §4.2.1, OIDC Core §3.1.2.1). Two steps, because errors go two ways:
 * readRedirectTarget says where an answer could go, and until the caller has matched that against the client, errors
 * are shown to the person; after that, parseAuthorizationRequest's errors are redirected. Attacks: open redirector,
 * and requests that mean one thing to one check and another to the next; hence one order of checks, in one list
 * (authorization-checks).
 */
import { readRequest, TARGET_CHECKS } from "./authorization-checks";
import type { ClaimsRequest } from "./claims-request";
import type { Client } from "./client";
import { isTooLong, MAX_LENGTHS } from "./lengths";
import { isError, type OAuthError } from "./oauth-error";
import type { Parameters, UnreadableParameters } from "./parameters";
import { grantedScope, type TargetProject } from "./project-scope";
import type { Prompt } from "./prompt";
import type { ResponseMode, ResponseType } from "./response-type";
import { parseScope } from "./scope";
import { parseUiLocales } from "./ui-locales";

/** A request that passed every check; JSON-serialisable, as it travels sealed through the login pages. */
export interface AuthorizationRequest {
  clientId: string;
  redirectUri: string;
  responseType: ResponseType;
  responseMode: ResponseMode;
  /** What can be granted of the requested scope, in the order asked; contains `openid`. */
  scope: string[];
  state?: string;
  nonce?: string;
  /** S256. */
  codeChallenge?: string;
  prompt: Prompt[];
  /** Seconds. */
  maxAge?: number;
  /** Canonical BCP 47 tags, the most wanted first. */
  uiLocales: string[];
  /** Has the form of a JWT; not verified yet. */
  idTokenHint?: string;
  loginHint?: string;
  claimsRequest?: ClaimsRequest;
  acrValues: string[];
}

/** Where an answer would go, if client and address turn out to belong together. */
export interface RedirectTarget {
  clientId: string;
  redirectUri: string;
  /** Left out when it is repeated or too long (rule AUTHORIZE-13), since no value is then certain to be the client's. */
  state?: string;
  /** How an error is sent, whatever else is wrong. */
  responseMode: ResponseMode;
}

const MAX_ACR_VALUES = 20;
const MAX_ACR_VALUE_LENGTH = 100;

/**
 * Errors of this function are shown, never redirected (rule AUTHORIZE-1). A request of which
 * another part cannot be read has a target all the same: its refusal belongs to the application.
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
 * The mode of an error response when the request may not have been understood: form_post where asked for, fragment
 * where tokens were asked for (an error in the query would be missed there), else query.
 */
export function errorResponseMode(parameters: Parameters): ResponseMode {
  const mode = parameters.get("response_mode") ?? responseModeOfObject(parameters.get("request"));
  if (mode === "form_post") return mode;
  const words = parameters.all("response_type").flatMap((type) => type.split(" "));
  return mode === "fragment" || words.includes("token") || words.includes("id_token") ? "fragment" : "query";
}

/**
 * How a request object wants to be answered (OIDC Core §6.1). Request objects are refused, and nothing else of one is
 * read; but an application that put its response_mode there waits for the refusal in that mode (rule AUTHORIZE-9). The
 * signature is not checked: whoever can send the object could send the parameter as well.
 */
function responseModeOfObject(object: string | undefined): unknown {
  if (object === undefined) return undefined;
  try {
    const payload: unknown = JSON.parse(Buffer.from(object.split(".")[1] ?? "", "base64url").toString());
    return (payload as { response_mode?: unknown } | null)?.response_mode;
  } catch {
    return undefined; // not a JWT, or encrypted
  }
}

/**
 * Everything but client_id and redirect_uri, which the caller has matched.
 * @param targets the projects that the scope is about
 */
export function parseAuthorizationRequest(
  parameters: Parameters,
  client: Client,
  targets: readonly TargetProject[],
): AuthorizationRequest | OAuthError {
  const read = readRequest(parameters, client);
  if (isError(read)) return read;
  const { responseType, responseMode, scope, prompt, maxAge, claimsRequest } = read;
  return {
    clientId: client.clientId,
    redirectUri: parameters.get("redirect_uri") ?? "",
    responseType,
    responseMode,
    scope: grantedScope(scope, client, responseType, targets),
    state: parameters.get("state"),
    nonce: parameters.get("nonce"),
    codeChallenge: responseType === "code" ? parameters.get("code_challenge") : undefined,
    prompt,
    maxAge,
    uiLocales: parseUiLocales(parameters.get("ui_locales")),
    idTokenHint: readIdTokenHint(parameters.get("id_token_hint")),
    loginHint: parseLoginHint(parameters.get("login_hint")),
    claimsRequest,
    acrValues: readAcrValues(parameters.get("acr_values")),
  };
}

/** The scopes sent, before the request is checked; none where they cannot be read. */
export function requestedScope(parameters: Parameters): string[] {
  const scope = parseScope(parameters.get("scope"));
  return isError(scope) ? [] : scope;
}

/** Dropped unless it is three base64url parts, the form of a signed JWT (RFC 7515 §3.1). */
function readIdTokenHint(raw: string | undefined): string | undefined {
  return raw !== undefined && raw.length <= MAX_LENGTHS.id_token_hint && /^[\w-]+\.[\w-]+\.[\w-]+$/.test(raw)
    ? raw
    : undefined;
}

/**
 * A hint with control, bidirectional or invisible characters is dropped: they could change how the page around it
 * reads.
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
