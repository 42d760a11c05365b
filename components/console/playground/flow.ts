// A sign-in as an application does it, with every request and answer written down. The protocol is oauth4webapi's: what
// is shown here is what an application with a library sees. The address the browser comes back to knows the attempt by
// its state; what only the attempt knows stays in this tab.
import * as oauth from "oauth4webapi";

export interface PlaygroundApp {
  appId: string;
  projectId: string;
  organizationId: string;
  name: string;
  clientId: string;
  /** As the app is registered: OIDC_AUTH_METHOD_TYPE_BASIC … */
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
  /** `token`, `userinfo`, `introspection` …: the heading is chosen by it. */
  what: "token" | "userinfo" | "refresh";
  method: string;
  url: string;
  /** What was sent, without what authenticates the app. */
  parameters: Readonly<Record<string, string>>;
  status: number;
  /** The answer as JSON or text. */
  answer: unknown;
}

/** Fields of the form. */
export interface Wanted {
  scope: string;
  responseType: string;
  prompt: string;
  loginHint: string;
  maxAge: string;
  uiLocales: string;
}

const keyOf = (state: string) => `playground:${state}`;

/** Where the playground's sign-ins come back to; an app allows it among its redirect URIs. */
export const callbackAddress = (issuer: string): string => `${issuer}/console/playground/callback`;

/** Whether this page may make what PKCE needs: browsers give it to https and to this machine. */
export const canRun = (): boolean => globalThis.crypto?.subtle !== undefined;

/** The parameters of a request, in the order they are read. */
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

/** Remembers the attempt in this tab until it comes back. */
export function remember(attempt: Attempt): void {
  sessionStorage.setItem(keyOf(attempt.parameters.state ?? ""), JSON.stringify(attempt));
}

/** The attempt that an answer belongs to; undefined where this tab has not begun it. */
export function recall(state: string | null): Attempt | undefined {
  const kept = state === null ? null : sessionStorage.getItem(keyOf(state));
  return kept === null ? undefined : (JSON.parse(kept) as Attempt);
}

/** The parameters the browser came back with: in the query for a code, else in the fragment. */
export function arrivedWith(address: URL): URLSearchParams {
  return address.hash.length > 1 ? new URLSearchParams(address.hash.slice(1)) : address.searchParams;
}

/** Redeems the code, asks who it is, and tells each request and answer as soon as there is one. */
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

/** What the person allowed, as userinfo tells it. */
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
