/**
 * The walks tests take again and again: sign in, get a code, redeem it.
 */
import { randomSecret } from "../crypto/random";
import { codeChallengeOf } from "../protocol/pkce";
import { PASSWORD, SECRET } from "./example";
import type { ProtocolService, TestBrowser, TestService } from "./test-context";

export const REDIRECT_URI = "https://rp.test/cb";

/** An authorization request of the app `web` with everything a careful client sends. */
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

/** Fills in the sign-in page that `response` redirects to. */
export async function fillSignIn(
  browser: TestBrowser,
  response: Response,
  { loginName = "ada@acme.test", password = PASSWORD } = {},
): Promise<Response> {
  const page = new URL(response.headers.get("location") ?? "");
  const flow = page.searchParams.get("flow") ?? "";
  return browser.post("/login/submit", { flow, loginName, password });
}

/** The parameters of an answer at the redirect URI, from query or fragment. */
export function answerOf(response: Response): URLSearchParams {
  const url = new URL(response.headers.get("location") ?? "about:blank");
  return new URLSearchParams(url.hash ? url.hash.slice(1) : url.search);
}

const locationOf = (response: Response) => new URL(response.headers.get("location") ?? "", "http://localhost");

/** The flow of the page that an answer leads to; empty where there is none. */
export const flowOf = (response: Response): string => locationOf(response).searchParams.get("flow") ?? "";

/** The address that an answer leads to, within the service. */
export function onOf(response: Response): string {
  const { pathname, search } = locationOf(response);
  return pathname + search;
}

/** Presses "Continue" where the person is asked before the app is let in. */
export async function letIn(browser: TestBrowser, response: Response): Promise<Response> {
  const location = response.headers.get("location") ?? "";
  if (!location.includes("/login/continue?")) return response;
  const flow = new URL(location).searchParams.get("flow") ?? "";
  return browser.post("/login/continue/submit", { flow });
}

/**
 * Signs in (or goes straight through with a session), lets the app in if asked, and returns the parameters of the
 * answer.
 */
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

/** Posts to the token endpoint; authenticates as `web` unless said otherwise. */
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

/** A fresh sign-in of Ada at `web`, redeemed. */
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

/** Error code and status of a JSON error answer. */
export async function errorOf(response: Response): Promise<{ status: number; error: string }> {
  const { error } = (await response.json()) as { error: string };
  return { status: response.status, error };
}
