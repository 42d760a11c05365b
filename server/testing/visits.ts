/** Users with a session who visit an app of their own or another organization, and the outcome. */

import { SECRET } from "./example";
import { answerOf, authorizePath, basic, fillSignIn, pkcePair, postToken, type Tokens } from "./flow";
import { credentialsOf, EVIL_CALLBACK, EVIL_VISITS } from "./tenants";
import { BASE_URL, type TestBrowser, type TestService, testBrowser } from "./test-context";

type Parameters = Partial<Record<string, string>>;

/** Used by every request here. */
export const { verifier, challenge: pkceChallenge } = pkcePair();

/** Returns a browser in which a user is signed in, by an app of their own organization. */
export async function signedIn(service: TestService, name: string): Promise<TestBrowser> {
  const browser = service.browser();
  const { loginName } = credentialsOf(name);
  const own = loginName.endsWith("@evil.test")
    ? { client_id: "evil-web", redirect_uri: EVIL_CALLBACK }
    : { client_id: loginName.endsWith("@shop.test") ? "shop-web" : "web" };
  const answer = await fillSignIn(browser, await browser.get(authorizePath(own)), credentialsOf(name));
  if (!answerOf(answer).has("code")) throw new Error(`${name} is not signed in: ${answer.headers.get("location")}`);
  return browser;
}

/** Returns the authorization request of an app, as a careful client sends it. */
export function requestOf(client: string, parameters: Parameters = {}): string {
  return authorizePath({
    client_id: client,
    ...EVIL_VISITS[client],
    scope: "openid",
    ...(/\bcode\b/.test(parameters.response_type ?? EVIL_VISITS[client]?.response_type ?? "code")
      ? { code_challenge: pkceChallenge, code_challenge_method: "S256" }
      : {}),
    ...parameters,
  });
}

export type VisitOutcome =
  | { kind: "answered"; with: URLSearchParams }
  | { kind: "refused"; error: string }
  /** A page of the service is shown. */
  | { kind: "asked"; page: string; location: string };

/** Returns the outcome of a request. */
export function outcomeOf(response: Response): VisitOutcome {
  const location = response.headers.get("location") ?? "";
  const given = answerOf(response);
  if (location.startsWith(`${BASE_URL}/`)) {
    return { kind: "asked", page: new URL(location).pathname, location };
  }
  if (given.has("error")) return { kind: "refused", error: given.get("error") ?? "" };
  if (["code", "access_token", "id_token"].some((name) => given.has(name))) return { kind: "answered", with: given };
  return { kind: "asked", page: `${response.status}`, location };
}

export async function visit(browser: TestBrowser, client: string, parameters: Parameters = {}): Promise<VisitOutcome> {
  return outcomeOf(await browser.get(requestOf(client, parameters)));
}

/** Presses the button of the page that asks whether to continue. */
export async function confirm(browser: TestBrowser, asked: VisitOutcome): Promise<VisitOutcome> {
  if (asked.kind !== "asked") return asked;
  const flow = new URL(asked.location).searchParams.get("flow") ?? "";
  return outcomeOf(await browser.post(`${asked.page}/submit`, { flow, submit: "" }));
}

/** Redeems the code as the app and returns the token response. */
export async function redeemed(service: TestService, client: string, outcome: VisitOutcome): Promise<Tokens> {
  const code = (outcome.kind === "answered" && outcome.with.get("code")) || "";
  const isPublic = /spa|native|device|implicit/.test(client);
  const form = {
    grant_type: "authorization_code",
    code,
    code_verifier: verifier,
    redirect_uri: EVIL_VISITS[client]?.redirect_uri ?? "https://rp.test/cb",
    ...(isPublic ? { client_id: client } : {}),
  };
  return (await postToken(service, form, isPublic ? null : basic(client, SECRET))).json() as Promise<Tokens>;
}

/** Whether the management APIs accept a token. */
export async function manages(service: TestService, token: string | undefined): Promise<boolean> {
  const headers = { authorization: `Bearer ${token}` };
  const statuses: number[] = [];
  for (const path of ["/management/v1/orgs/me", "/v2/features/instance", "/admin/v1/orgs/default"]) {
    statuses.push((await service.fetch(path, { headers })).status);
  }
  return statuses.some((status) => status !== 401);
}

/** Returns the service with requests from a network address. */
export function serviceAt(service: TestService, address: string): TestService {
  const fetch: TestService["fetch"] = async (path, init) =>
    service.application.fetch(new Request(new URL(path, BASE_URL), { redirect: "manual", ...init }), {
      incoming: { socket: { remoteAddress: address }, headers: {} },
    });
  return { ...service, fetch, browser: () => testBrowser(fetch) };
}

/** Returns a browser without cookies in another network. */
export const browserAt = (service: TestService, address: string): TestBrowser => serviceAt(service, address).browser();
