// Signs in as an application does and records every request and answer. It uses the library oauth4webapi, so it shows
// what real applications see. The callback finds the attempt by `state`; its secrets are kept in this tab.
import * as oauth from "oauth4webapi";

export interface PlaygroundApp {
  appId: string;
  projectId: string;
  organizationId: string;
  name: string;
  clientId: string;
  /** The registered method: OIDC_AUTH_METHOD_TYPE_BASIC … */
  authMethodType: string;
}

export interface Attempt {
  issuer: string;
  app: PlaygroundApp;
  redirectUri: string;
  responseType: string;
  /** The parameters of the authorization request as they were sent. */
  parameters: Readonly<Record<string, string>>;
  codeVerifier: string;
}

export interface Exchange {
  /** Chooses the heading. */
  what: "token" | "userinfo" | "refresh";
  method: string;
  url: string;
  /** What was sent, without the app's credentials. */
  parameters: Readonly<Record<string, string>>;
  status: number;
  /** The answer as JSON or text. */
  answer: unknown;
}

/** The values of the form. */
export interface Wanted {
  scope: string;
  responseType: string;
  prompt: string;
  loginHint: string;
  maxAge: string;
  uiLocales: string;
}

const keyOf = (state: string) => `playground:${state}`;

/** The redirect URI of the playground, which the app must have registered. */
export const callbackAddress = (issuer: string): string => `${issuer}/console/playground/callback`;

/** Whether this page can use PKCE: browsers only allow the needed cryptography with https or on this machine. */
export const canRun = (): boolean => globalThis.crypto?.subtle !== undefined;

/** The parameters of a request, in a good order for reading. */
export async function prepare(issuer: string, app: PlaygroundApp, wanted: Wanted): Promise<Attempt> {
  const codeVerifier = oauth.generateRandomCodeVerifier();
  const isCode = wanted.responseType === "code";
  const redirectUri = callbackAddress(issuer);
  const optional = {
    prompt: wanted.prompt,
    login_hint: wanted.loginHint,
    max_age: wanted.maxAge,
    ui_locales: wanted.uiLocales,
  };
  const parameters = {
    client_id: app.clientId,
    redirect_uri: redirectUri,
    response_type: wanted.responseType,
    scope: wanted.scope,
    state: oauth.generateRandomState(),
    nonce: oauth.generateRandomNonce(),
    ...(isCode && {
      code_challenge: await oauth.calculatePKCECodeChallenge(codeVerifier),
      code_challenge_method: "S256",
    }),
    ...Object.fromEntries(Object.entries(optional).filter(([, value]) => value.trim() !== "")),
  };
  return { issuer, app, redirectUri, responseType: wanted.responseType, parameters, codeVerifier };
}

export const authorizationAddress = ({ issuer, parameters }: Attempt): string =>
  `${issuer}/oauth/v2/authorize?${new URLSearchParams(parameters)}`;

/** Stores the attempt in this tab until the browser comes back. */
export function remember(attempt: Attempt): void {
  sessionStorage.setItem(keyOf(attempt.parameters.state ?? ""), JSON.stringify(attempt));
}

/** The attempt that an answer belongs to; undefined if it was not started in this tab. */
export function recall(state: string | null): Attempt | undefined {
  const kept = state === null ? null : sessionStorage.getItem(keyOf(state));
  return kept === null ? undefined : (JSON.parse(kept) as Attempt);
}

/** The parameters the browser came back with: in the query for a code, else in the fragment. */
export function arrivedWith(address: URL): URLSearchParams {
  return address.hash.length > 1 ? new URLSearchParams(address.hash.slice(1)) : address.searchParams;
}

/** Redeems the code, calls userinfo, and reports each request and answer as soon as it is there. */
export async function redeem(
  attempt: Attempt,
  arrived: URLSearchParams,
  secret: string,
  told: (exchange: Exchange) => void,
): Promise<void> {
  const { server, client, authentication, options } = await parties(attempt, secret, told);
  const answered = oauth.validateAuthResponse(server, client, arrived, attempt.parameters.state);
  const response = await oauth.authorizationCodeGrantRequest(
    server,
    client,
    authentication,
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
  await askWho(attempt, tokens.access_token, told);
}

/** Calls userinfo. */
export async function askWho(attempt: Attempt, accessToken: string, told: (exchange: Exchange) => void): Promise<void> {
  const { server, client, options } = await parties(attempt, "", told);
  await oauth.userInfoRequest(server, client, accessToken, options("userinfo"));
}

/** New tokens for the refresh token. */
export async function refresh(
  attempt: Attempt,
  refreshToken: string,
  secret: string,
  told: (exchange: Exchange) => void,
): Promise<void> {
  const { server, client, authentication, options } = await parties(attempt, secret, told);
  const response = await oauth.refreshTokenGrantRequest(
    server,
    client,
    authentication,
    refreshToken,
    options("refresh"),
  );
  await oauth.processRefreshTokenResponse(server, client, response);
}

async function parties({ issuer, app }: Attempt, secret: string, told: (exchange: Exchange) => void) {
  const address = new URL(issuer);
  const insecure = { [oauth.allowInsecureRequests]: address.protocol === "http:" };
  const found = await oauth.discoveryRequest(address, insecure);
  const server = await oauth.processDiscoveryResponse(address, found);
  const options = (what?: Exchange["what"]) => ({
    ...insecure,
    ...(what && { [oauth.customFetch]: telling(what, told) }),
  });
  return { server, client: { client_id: app.clientId }, authentication: authenticationOf(app, secret), options };
}

function authenticationOf({ authMethodType }: PlaygroundApp, secret: string): oauth.ClientAuth {
  if (authMethodType === "OIDC_AUTH_METHOD_TYPE_BASIC") return oauth.ClientSecretBasic(secret);
  if (authMethodType === "OIDC_AUTH_METHOD_TYPE_POST") return oauth.ClientSecretPost(secret);
  return oauth.None();
}

const SECRET: ReadonlySet<string> = new Set(["client_secret", "client_assertion"]);

function telling(what: Exchange["what"], told: (exchange: Exchange) => void) {
  return async (
    url: string,
    { method, headers, body }: oauth.CustomFetchOptions<string, unknown>,
  ): Promise<Response> => {
    const response = await fetch(url, { method, headers, body: body as BodyInit | undefined });
    const sent = [...new URLSearchParams(body ? String(body) : "")].filter(([name]) => !SECRET.has(name));
    const text = await response.clone().text();
    told({ what, method, url, parameters: Object.fromEntries(sent), status: response.status, answer: readable(text) });
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
