/**
 * The checks of an authorization request in their order. The first that fails determines the error of a request with
 * several mistakes, and conformance tests rely on that order. Between the two lists, the authorization endpoint finds
 * the client (RFC 6749 §3.1.2.4: errors for unknown ones are shown, never redirected) and matches its redirect URI
 * (OIDC Core §3.1.2.1: exactly a registered one). After the second list it verifies the id_token_hint (OIDC Core
 * §3.1.2.2).
 */
import { checkEssentialAcr } from "./authentication-context";
import { type ClaimsRequest, parseClaimsRequest } from "./claims-request";
import type { Client } from "./client";
import { isThumbprint } from "./dpop";
import { checkLengths } from "./lengths";
import { parseMaxAge } from "./max-age";
import { checkNonce } from "./nonce";
import {
  about,
  invalidRequest,
  invalidScope,
  isError,
  type OAuthError,
  registrationNotSupported,
  requestNotSupported,
  requestUriNotSupported,
  unauthorizedClient,
} from "./oauth-error";
import { checkRepeated, type Parameters } from "./parameters";
import { checkCodeChallenge } from "./pkce";
import { type Prompt, parsePrompt } from "./prompt";
import {
  grantsOfResponse,
  parseResponseType,
  type ResponseMode,
  type ResponseType,
  resolveResponseMode,
  returnsAccessToken,
} from "./response-type";
import { parseScope, withinRegistered } from "./scope";

/** Checks of the redirect target. Their errors are shown to the user, never redirected. */
export const TARGET_CHECKS: readonly ((parameters: Parameters) => OAuthError | undefined)[] = [
  checkTargetOnce, // RFC 6749 §3.1
  checkClientId, // RFC 6749 §4.1.1: REQUIRED
  checkRedirectUriSent, // OIDC Core §3.1.2.1: REQUIRED
];

/** Checks of everything else. Their errors are redirected to the application. */
const REQUEST_CHECKS: readonly ((request: Reading) => OAuthError | undefined)[] = [
  checkOnce, // RFC 6749 §3.1: parameters are sent at most once
  checkBounds, // Choice: lengths
  checkNoRequestObject, // OIDC Core §6.1
  checkNoRequestUri, // OIDC Core §6.2
  checkNoRegistration, // OIDC Core §7.2.1
  checkResponseType, // RFC 6749 §3.1.1
  checkResponseTypeAllowed, // RFC 6749 §4.1.2.1, unauthorized_client
  checkResponseMode, // OAuth 2.0 Multiple Response Type Encoding Practices §2.1
  checkScope, // RFC 6749 §3.3, OIDC Core §3.1.2.1
  checkPkce, // RFC 7636 §4.3 and §4.4.1
  checkKeyBinding, // RFC 9449 §10
  checkNonceSent, // OIDC Core §3.2.2.1
  checkPrompt, // OIDC Core §3.1.2.1
  checkMaxAge, // OIDC Core §3.1.2.1
  checkClaims, // OIDC Core §5.5
  checkRequiredAcr, // OIDC Core §5.5.1.1
];

/** A request while it is parsed: its parameters, its client, and the results of earlier checks. */
interface Reading {
  readonly parameters: Parameters;
  readonly client: Client;
  responseType: ResponseType;
  responseMode: ResponseMode;
  scope: string[];
  prompt: Prompt[];
  maxAge: number | undefined;
  claimsRequest: ClaimsRequest | undefined;
}

/** Returns the results of the checks, or the error of the first that fails. */
export function readRequest(parameters: Parameters, client: Client): Readonly<Reading> | OAuthError {
  // Each default is replaced by the check that parses the parameter.
  const reading: Reading = {
    parameters,
    client,
    responseType: "code",
    responseMode: "query",
    scope: [],
    prompt: [],
    maxAge: undefined,
    claimsRequest: undefined,
  };
  for (const check of REQUEST_CHECKS) {
    const refusal = check(reading);
    if (refusal) return refusal;
  }
  return reading;
}

/** Rejects a repeated client_id or redirect_uri: different checks could use different values. */
function checkTargetOnce(parameters: Parameters): OAuthError | undefined {
  const repeated = parameters.repeated("client_id", "redirect_uri");
  return repeated === undefined ? undefined : about(repeated, invalidRequest(`${repeated} is repeated`));
}

function checkClientId(parameters: Parameters): OAuthError | undefined {
  const clientId = parameters.get("client_id");
  if (clientId === undefined) return about("client_id", invalidRequest("client_id is missing"));
  return checkLengths(parameters, ["client_id"]);
}

function checkRedirectUriSent(parameters: Parameters): OAuthError | undefined {
  const redirectUri = parameters.get("redirect_uri");
  const unusable = (why: string) => about("redirect_uri", invalidRequest(`redirect_uri ${why}`));
  if (redirectUri === undefined) return unusable("is missing");
  return checkLengths(parameters, ["redirect_uri"]);
}

function checkOnce({ parameters }: Reading): OAuthError | undefined {
  return about(parameters.repeated() ?? "", checkRepeated(parameters));
}

/** Longer values are rejected with invalid_request. Longer hints are ignored, as they are optional. */
const bounded = ["client_id", "redirect_uri", "state", "nonce"] as const;

function checkBounds({ parameters }: Reading): OAuthError | undefined {
  return checkLengths(parameters, bounded);
}

/**
 * Rejects the parameter instead of ignoring it, because it may contain state or nonce. This also applies to the next
 * two.
 */
function checkNoRequestObject({ parameters }: Reading): OAuthError | undefined {
  return parameters.has("request")
    ? about("request", requestNotSupported("request objects are not supported"))
    : undefined;
}

function checkNoRequestUri({ parameters }: Reading): OAuthError | undefined {
  return parameters.has("request_uri")
    ? about("request_uri", requestUriNotSupported("request_uri is not supported"))
    : undefined;
}

function checkNoRegistration({ parameters }: Reading): OAuthError | undefined {
  return parameters.has("registration")
    ? about("registration", registrationNotSupported("registration is not supported"))
    : undefined;
}

function checkResponseType(reading: Reading): OAuthError | undefined {
  const responseType = parseResponseType(reading.parameters.get("response_type"));
  if (isError(responseType)) return about("response_type", responseType);
  reading.responseType = responseType;
  return undefined;
}

/** Checks that the app is registered for the response type (rule AUTHORIZE-2). */
function checkResponseTypeAllowed({ client, responseType }: Reading): OAuthError | undefined {
  if (client.kind !== "oidc") return about("response_type", unauthorizedClient("this client cannot sign users in"));
  const hasGrants = grantsOfResponse(responseType).every((grantType) => client.grantTypes.includes(grantType));
  if (client.responseTypes.includes(responseType) && hasGrants) return undefined;
  return about("response_type", unauthorizedClient(`response_type ${responseType} is not allowed for this client`));
}

function checkResponseMode(reading: Reading): OAuthError | undefined {
  const responseMode = resolveResponseMode(reading.responseType, reading.parameters.get("response_mode"));
  if (isError(responseMode)) return about("response_mode", responseMode);
  reading.responseMode = responseMode;
  return undefined;
}

function checkScope(reading: Reading): OAuthError | undefined {
  const { origin } = reading.client;
  // Rule AUTHORIZE-3.
  const namesResource = reading.parameters.has("resource");
  const needsOpenid = origin === "administrator" && !namesResource;
  const requested = reading.parameters.get("scope") ?? (needsOpenid ? undefined : "");
  if (requested === undefined) return about("scope", invalidRequest("scope is missing"));
  const scope = parseScope(requested);
  if (isError(scope)) return about("scope", scope);
  if (needsOpenid && !scope.includes("openid")) {
    return about("scope", invalidScope("scope must contain openid"));
  }
  reading.scope = withinRegistered(scope, reading.client, namesResource);
  return undefined;
}

function checkPkce({ parameters, client, responseType }: Reading): OAuthError | undefined {
  return about("code_challenge", checkCodeChallenge(parameters, client, responseType));
}

/** Tokens in the front channel cannot be bound to a key. */
function checkKeyBinding({ parameters, client, responseType }: Reading): OAuthError | undefined {
  const isBound = client.dpopBoundAccessTokens || client.tlsClientCertificateBoundAccessTokens;
  if (isBound && returnsAccessToken(responseType)) {
    return about(
      "response_type",
      unauthorizedClient("the access tokens of this client must be bound to a key or certificate"),
    );
  }
  const jkt = parameters.get("dpop_jkt");
  if (jkt === undefined || isThumbprint(jkt)) return undefined;
  return about("dpop_jkt", invalidRequest("dpop_jkt is not the SHA-256 thumbprint of a key"));
}

function checkNonceSent({ parameters, responseType }: Reading): OAuthError | undefined {
  return about("nonce", checkNonce(parameters.get("nonce"), responseType));
}

function checkPrompt(reading: Reading): OAuthError | undefined {
  const prompt = parsePrompt(reading.parameters.get("prompt"));
  if (isError(prompt)) return about("prompt", prompt);
  reading.prompt = prompt;
  return undefined;
}

function checkMaxAge(reading: Reading): OAuthError | undefined {
  const maxAge = parseMaxAge(reading.parameters.get("max_age"));
  if (isError(maxAge)) return about("max_age", maxAge);
  reading.maxAge = maxAge ?? reading.client.defaultMaxAge; // OpenID Connect Dynamic Client Registration §2
  return undefined;
}

function checkClaims(reading: Reading): OAuthError | undefined {
  const claimsRequest = parseClaimsRequest(reading.parameters.get("claims"));
  if (isError(claimsRequest)) return about("claims", claimsRequest);
  reading.claimsRequest = claimsRequest;
  return undefined;
}

/** Rejects an essential acr that no sign-in here reaches. */
function checkRequiredAcr({ claimsRequest }: Reading): OAuthError | undefined {
  return about("claims", checkEssentialAcr(claimsRequest));
}
