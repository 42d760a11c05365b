// Signs in like an application and records every request and response. It uses the library oauth4webapi, so it shows
// what real applications see. The callback finds the attempt by `state`; its secrets are stored in this tab.
import * as oauth from "oauth4webapi";
import { RedeemPlaygroundCode } from "../../../shared/generated/operations";
import { callOperation } from "../calls/call";
import { type App, appParameters, clientIdOf } from "./app";

export interface PlaygroundApp {
  appId: string;
  projectId: string;
  organizationId: string;
  name: string;
  clientId: string;
  /** The registered method, such as OIDC_AUTH_METHOD_TYPE_BASIC. */
  authMethodType: string;
  /** Whether the visitor may change the app, and so does not need its secret or key. */
  mayWrite: boolean;
}

/** Returns how an app authenticates: the playground has neither a secret nor a key. */
export function proofOf({ authMethodType }: Pick<PlaygroundApp, "authMethodType">): "none" | "secret" | "key" {
  if (authMethodType === "OIDC_AUTH_METHOD_TYPE_NONE") return "none";
  return /_(PRIVATE_KEY_JWT|TLS_CLIENT_AUTH)$/.test(authMethodType) ? "key" : "secret";
}

/** Returns what the visitor has to provide; nothing if the console authenticates in place of the app. */
export const needed = (app: PlaygroundApp): "nothing" | "secret" | "manager" => {
  const proof = proofOf(app);
  if (proof === "none" || app.mayWrite) return "nothing";
  return proof === "key" ? "manager" : "secret";
};

export interface AuthorizationAttempt {
  issuer: string;
  app: PlaygroundApp;
  redirectUri: string;
  responseType: string;
  /** The parameters of the authorization request as sent. */
  parameters: Readonly<Record<string, string>>;
  codeVerifier: string;
}

export interface Exchange {
  /** Determines the heading. */
  what: "token" | "userinfo" | "refresh";
  method: string;
  url: string;
  /** The sent parameters, without the app's credentials. */
  parameters: Readonly<Record<string, string>>;
  status: number;
  /** The response as JSON or text. */
  answer: unknown;
  /** Whether the console sent the request in place of the app. */
  isStoodIn?: boolean;
}

const keyOf = (state: string) => `playground:${state}`;

/** The redirect URI of the playground, which the app must have registered. */
export const callbackAddress = (issuer: string): string => `${issuer}/console/playground/callback`;

const RESPONSE_TYPES: Readonly<Record<string, string>> = {
  OIDC_RESPONSE_TYPE_CODE: "code",
  OIDC_RESPONSE_TYPE_ID_TOKEN: "id_token",
  OIDC_RESPONSE_TYPE_ID_TOKEN_TOKEN: "id_token token",
  OIDC_RESPONSE_TYPE_CODE_ID_TOKEN: "code id_token",
  OIDC_RESPONSE_TYPE_CODE_TOKEN: "code token",
  OIDC_RESPONSE_TYPE_CODE_ID_TOKEN_TOKEN: "code id_token token",
};

/** Returns the response types that the app is registered for, as they are sent. */
export const responseTypesOf = ({ oidcConfig }: App): string[] =>
  (oidcConfig?.responseTypes ?? []).map((name) => RESPONSE_TYPES[name] ?? name);

/** Returns the data of an app that are needed while the browser is away from the console. */
export function playgroundApp(
  app: App,
  { organizationId, mayWrite }: { organizationId: string; mayWrite: boolean },
): PlaygroundApp {
  const { name, oidcConfig } = app;
  const { authMethodType = "" } = oidcConfig ?? {};
  return { ...appParameters(app), organizationId, name, clientId: clientIdOf(app), authMethodType, mayWrite };
}

/** Stores the attempt and goes to the sign-in page. */
export function begin(attempt: AuthorizationAttempt): void {
  remember(attempt);
  location.assign(authorizationAddress(attempt));
}

export const authorizationAddress = ({ issuer, parameters }: AuthorizationAttempt): string =>
  `${issuer}/oauth/v2/authorize?${new URLSearchParams(parameters)}`;

/** Stores the attempt in this tab until the browser comes back. */
function remember(attempt: AuthorizationAttempt): void {
  sessionStorage.setItem(keyOf(attempt.parameters.state ?? ""), JSON.stringify(attempt));
}

/** Returns the attempt that a response belongs to; undefined if it was not started in this tab. */
export function recall(state: string | null): AuthorizationAttempt | undefined {
  const kept = state === null ? null : sessionStorage.getItem(keyOf(state));
  return kept === null ? undefined : (JSON.parse(kept) as AuthorizationAttempt);
}

/** Returns the parameters of the authorization response: in the query for a code, else in the fragment. */
export function arrivedWith(address: URL): URLSearchParams {
  return address.hash.length > 1 ? new URLSearchParams(address.hash.slice(1)) : address.searchParams;
}

/**
 * Exchanges the code, calls userinfo, and reports each request and response as soon as it is complete.
 * @param secret if undefined, the console authenticates in place of an app that has a secret or a key
 */
export async function exchangeCode(
  attempt: AuthorizationAttempt,
  arrived: URLSearchParams,
  secret: string | undefined,
  onExchange: (exchange: Exchange) => void,
): Promise<void> {
  const { server, client, options } = await parties(attempt, onExchange);
  const answered = oauth.validateAuthResponse(server, client, codePart(arrived), attempt.parameters.state);
  const isStoodIn = secret === undefined && proofOf(attempt.app) !== "none";
  const response = isStoodIn
    ? await standIn(attempt, answered.get("code") ?? "", onExchange)
    : await oauth.authorizationCodeGrantRequest(
        server,
        client,
        authenticationOf(attempt.app, secret ?? ""),
        answered,
        attempt.redirectUri,
        attempt.codeVerifier,
        options("token"),
      );
  const tokens = await oauth.processAuthorizationCodeResponse(server, client, response, {
    expectedNonce: attempt.parameters.nonce,
    requireIdToken: true,
  });
  await oauth.validateApplicationLevelSignature(server, response, options());
  await askWho(attempt, tokens.access_token, onExchange);
}

/** The parameters of a hybrid response without its tokens, which oauth4webapi refuses beside a code. */
function codePart(arrived: URLSearchParams): URLSearchParams {
  const tokens = ["id_token", "access_token", "token_type", "expires_in", "scope"];
  return new URLSearchParams([...arrived].filter(([name]) => !tokens.includes(name)));
}

/**
 * Lets the console exchange the code, because the visitor may change the app.
 * @returns the response that the app would get
 */
async function standIn(
  attempt: AuthorizationAttempt,
  code: string,
  onExchange: (exchange: Exchange) => void,
): Promise<Response> {
  const { app, issuer, redirectUri, codeVerifier } = attempt;
  const { projectId, appId, organizationId } = app;
  const at = { projectId, appId };
  const answer = await callOperation(RedeemPlaygroundCode, { at, body: { code, codeVerifier }, organizationId });
  if (!answer.ok) throw new Error(answer.refusal.message);
  const { status, response } = answer.body;
  const parameters = {
    grant_type: "authorization_code",
    code,
    redirect_uri: redirectUri,
    code_verifier: codeVerifier,
  };
  onExchange({
    what: "token",
    method: "POST",
    url: `${issuer}/oauth/v2/token`,
    parameters,
    status,
    answer: response,
    isStoodIn: true,
  });
  const headers = { "content-type": "application/json", "cache-control": "no-store" };
  return new Response(JSON.stringify(response), { status, headers });
}

/** Calls userinfo. */
export async function askWho(
  attempt: AuthorizationAttempt,
  accessToken: string,
  onExchange: (exchange: Exchange) => void,
): Promise<void> {
  const { server, client, options } = await parties(attempt, onExchange);
  await oauth.userInfoRequest(server, client, accessToken, options("userinfo"));
}

/** Gets new tokens with the refresh token of a public client. */
export async function refreshTokens(
  attempt: AuthorizationAttempt,
  refreshToken: string,
  onExchange: (exchange: Exchange) => void,
): Promise<void> {
  const { server, client, options } = await parties(attempt, onExchange);
  const response = await oauth.refreshTokenGrantRequest(server, client, oauth.None(), refreshToken, options("refresh"));
  await oauth.processRefreshTokenResponse(server, client, response);
}

async function parties({ issuer, app }: AuthorizationAttempt, onExchange: (exchange: Exchange) => void) {
  const address = new URL(issuer);
  const insecure = { [oauth.allowInsecureRequests]: address.protocol === "http:" };
  const found = await oauth.discoveryRequest(address, insecure);
  const server = await oauth.processDiscoveryResponse(address, found);
  const options = (what?: Exchange["what"]) => ({
    ...insecure,
    ...(what && { [oauth.customFetch]: telling(what, onExchange) }),
  });
  return { server, client: { client_id: app.clientId }, options };
}

function authenticationOf({ authMethodType }: PlaygroundApp, secret: string): oauth.ClientAuth {
  if (authMethodType === "OIDC_AUTH_METHOD_TYPE_BASIC") return oauth.ClientSecretBasic(secret);
  if (authMethodType === "OIDC_AUTH_METHOD_TYPE_POST") return oauth.ClientSecretPost(secret);
  return oauth.None();
}

const SECRET: ReadonlySet<string> = new Set(["client_secret", "client_assertion"]);

function telling(what: Exchange["what"], onExchange: (exchange: Exchange) => void) {
  return async (
    url: string,
    { method, headers, body }: oauth.CustomFetchOptions<string, unknown>,
  ): Promise<Response> => {
    const response = await fetch(url, { method, headers, body: body as BodyInit | undefined });
    const sent = [...new URLSearchParams(body ? String(body) : "")].filter(([name]) => !SECRET.has(name));
    const text = await response.clone().text();
    onExchange({
      what,
      method,
      url,
      parameters: Object.fromEntries(sent),
      status: response.status,
      answer: readable(text),
    });
    return response;
  };
}

function readable(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
