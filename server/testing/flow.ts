/** The usual steps of tests: sign in, get a code, redeem it. */
import { randomSecret } from "../crypto/random";
import { codeChallengeOf } from "../protocol/pkce";
import { PASSWORD, SECRET } from "./example";
import type { ProtocolService, TestBrowser, TestService } from "./test-context";

export const REDIRECT_URI = "https://rp.test/cb";

/** Returns an authorization request of the app `web` with all parameters of a careful client. */
export function authorizePath(parameters: Partial<Record<string, string>> = {}): string {
  const merged = {
    client_id: "web",
    redirect_uri: REDIRECT_URI,
    response_type: "code",
    scope: "openid profile email offline_access",
    state: "s-1",
    nonce: "n-1",
    ...parameters,
  };
  const given = Object.entries(merged).filter(([, value]) => value !== undefined) as [string, string][];
  return `/oauth/v2/authorize?${new URLSearchParams(given)}`;
}

/** Fills in and posts the sign-in page that `response` redirects to. */
export async function fillSignIn(
  browser: TestBrowser,
  response: Response,
  { loginName = "ada@acme.test", password = PASSWORD } = {},
): Promise<Response> {
  const page = new URL(response.headers.get("location") ?? "");
  const flow = page.searchParams.get("flow") ?? "";
  return browser.post("/login/submit", { flow, loginName, password });
}

/** Returns the parameters of a response at the redirect URI, from query or fragment. */
export function answerOf(response: Response): URLSearchParams {
  const url = new URL(response.headers.get("location") ?? "about:blank");
  return new URLSearchParams(url.hash ? url.hash.slice(1) : url.search);
}

const locationOf = (response: Response) => new URL(response.headers.get("location") ?? "", "http://localhost");

/** Returns the flow of the page that a response redirects to; empty without one. */
export const flowOf = (response: Response): string => locationOf(response).searchParams.get("flow") ?? "";

/** Returns the address that a response redirects to, within the service. */
export function onOf(response: Response): string {
  const { pathname, search } = locationOf(response);
  return pathname + search;
}

/** Presses "Continue" if the user is asked before the app is admitted. */
export async function letIn(browser: TestBrowser, response: Response): Promise<Response> {
  const location = response.headers.get("location") ?? "";
  if (!location.includes("/login/continue?")) return response;
  const flow = new URL(location).searchParams.get("flow") ?? "";
  return browser.post("/login/continue/submit", { flow });
}

/** Signs in, or continues with a session, admits the app if asked, and returns the parameters of the response. */
export async function authorize(
  browser: TestBrowser,
  parameters: Partial<Record<string, string>> = {},
  person?: { loginName?: string; password?: string },
): Promise<URLSearchParams> {
  const first = await browser.get(authorizePath(parameters));
  const location = first.headers.get("location") ?? "";
  const signedIn = location.includes("/login?") ? await fillSignIn(browser, first, person) : first;
  return answerOf(await letIn(browser, signedIn));
}

export const basic = (clientId: string, secret: string) =>
  `Basic ${Buffer.from(`${encodeURIComponent(clientId)}:${encodeURIComponent(secret)}`).toString("base64")}`;

/** Posts to the token endpoint, authenticated as `web` by default. */
export function postToken(
  service: Pick<ProtocolService, "fetch">,
  form: Record<string, string>,
  authorization: string | null = basic("web", SECRET),
): Promise<Response> {
  return service.fetch("/oauth/v2/token", {
    method: "POST",
    body: new URLSearchParams(form),
    headers: authorization === null ? {} : { authorization },
  });
}

export function redeem(service: TestService, code: string, more: Record<string, string> = {}): Promise<Response> {
  return postToken(service, { grant_type: "authorization_code", code, redirect_uri: REDIRECT_URI, ...more });
}

export function refresh(service: TestService, token: string, more: Record<string, string> = {}): Promise<Response> {
  return postToken(service, { grant_type: "refresh_token", refresh_token: token, ...more });
}

export interface Tokens {
  access_token: string;
  id_token: string;
  refresh_token: string;
  expires_in: number;
  scope: string;
  token_type: string;
}

/** Signs Ada in at `web` and redeems the code. */
export async function tokensOf(service: TestService, browser: TestBrowser = service.browser()): Promise<Tokens> {
  const code = (await authorize(browser)).get("code") ?? "";
  return (await redeem(service, code)).json() as Promise<Tokens>;
}

export function userinfo(service: Pick<ProtocolService, "fetch">, accessToken: string): Promise<Response> {
  return service.fetch("/oidc/v1/userinfo", { headers: { authorization: `Bearer ${accessToken}` } });
}

export function pkcePair(): { verifier: string; challenge: string } {
  const verifier = randomSecret();
  return { verifier, challenge: codeChallengeOf(verifier) };
}

/** Returns error code and status of a JSON error response. */
export async function errorOf(response: Response): Promise<{ status: number; error: string }> {
  const { error } = (await response.json()) as { error: string };
  return { status: response.status, error };
}
