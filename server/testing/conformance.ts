/**
 * The checks of the OpenID Foundation's conformance suite on every response, as assertions; its modules are the tests
 * in server/service/conformance. Warnings of the suite count as failures here.
 */
import { createHash } from "node:crypto";
import { createLocalJWKSet, decodeJwt, decodeProtectedHeader, type JSONWebKeySet, jwtVerify } from "jose";
import { expect } from "vitest";
import { certifiedProvider } from "./certified-provider";
import { databaseKinds } from "./database";
import { exampleBootstrap, framedApp, hybridApp, SECRET } from "./example";
import { answerOf, authorizePath, basic, fillSignIn, postToken, REDIRECT_URI, type Tokens } from "./flow";
import { BASE_URL, type ProtocolService, type TestBrowser, testService } from "./test-context";

export type Mode = "default" | "form_post";
type Given = Partial<Record<string, string>>;

/** The providers of the plans: ours on both databases, and a certified provider, which tests the tests themselves. */
export const providers = [...databaseKinds, "oidc-provider"] as const;

/** The response modes and types to test on a provider. None depends on the database: PostgreSQL has one of each. */
export const modesOn = (name: (typeof providers)[number]): readonly Mode[] =>
  name === "postgresql" ? ["default"] : ["default", "form_post"];
export const typesOn = (name: (typeof providers)[number], types: readonly string[]): readonly string[] =>
  name === "postgresql" ? types.slice(-1) : types;

export function startProvider(name: (typeof providers)[number]): Promise<ProtocolService> {
  return name === "oidc-provider" ? certifiedProvider() : testService(name, conformanceBootstrap);
}

const conformanceBootstrap = {
  ...exampleBootstrap,
  organizations: exampleBootstrap.organizations.map((organization) => ({
    ...organization,
    projects: organization.projects.map((project) => ({ ...project, apps: [...project.apps, hybridApp, framedApp] })),
  })),
};

/** The characters of RFC 6749 §5.2 without white space, for which the suite warns. */
const DESCRIPTION = /^[\x20-\x21\x23-\x5b\x5d-\x7e]+$/;
const ERROR_MEMBERS = ["error", "error_description", "error_uri", "state", "iss"];
const ID_TOKEN_CLAIMS = "iss sub aud exp iat auth_time nonce acr amr azp at_hash c_hash s_hash nbf jti sid txn".split(
  " ",
);

/** The place and the values of a response. */
export interface ReceivedResponse {
  by: "query" | "fragment" | "form_post";
  values: URLSearchParams;
}

/** Returns the values that a response of the provider carries to the redirect URI. Fails if there are none. */
export async function answerIn(response: Response): Promise<ReceivedResponse> {
  if (response.status !== 303) {
    expect([200, 400]).toContain(response.status); // a form with an error may have an error status
    const html = await response.text();
    expect(html).toContain(`action="${REDIRECT_URI}"`);
    const fields = [...html.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g)];
    return {
      by: "form_post",
      values: new URLSearchParams(fields.map(([, name = "", value = ""]) => [name, plain(value)])),
    };
  }
  expect(response.status).toBe(303);
  const url = new URL(response.headers.get("location") ?? "");
  expect(`${url.origin}${url.pathname}`).toBe(REDIRECT_URI);
  return { by: url.hash ? "fragment" : "query", values: answerOf(response) };
}

const plain = (html: string) =>
  html
    .replaceAll("&quot;", '"')
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll(/&#(x27|39);/g, "'")
    .replaceAll("&amp;", "&");

/** One plan of the suite: a service and what its client sends. */
export interface Plan {
  service: ProtocolService;
  clientId: string;
  responseType: string;
  mode: Mode;
}

export function request(plan: Plan, given: Given = {}): string {
  const { clientId, responseType, mode } = plan;
  return authorizePath({
    client_id: clientId,
    response_type: responseType,
    scope: "openid",
    state: "10chars_-~",
    nonce: "n0nce",
    ...(mode === "form_post" && { response_mode: mode }),
    ...given,
  });
}

/** Sends a request and signs in if asked to. */
export async function walk(plan: Plan, browser: TestBrowser, given: Given = {}): Promise<ReceivedResponse> {
  const first = await browser.get(request(plan, given));
  const asks = first.headers.get("location")?.startsWith(`${BASE_URL}/login?`);
  return answerIn(asks ? await fillSignIn(browser, first) : first);
}

/** Expects the sign-in page: no response was sent without interaction. */
export async function expectSignInPage(browser: TestBrowser, response: Response): Promise<void> {
  const location = response.headers.get("location") ?? "";
  expect(location).toContain(`${BASE_URL}/login?flow=`);
  expect(await (await browser.get(location)).text()).toContain('name="password"');
}

/** Expects a page of the provider without a way back to the application (the suite requires a screenshot). */
export function expectPage(response: Response): void {
  expect(response.status).toBeGreaterThanOrEqual(400);
  expect(response.headers.get("location")).toBeNull();
  expect(response.headers.get("content-type")).toContain("text/html");
}

export function expectError(
  plan: Plan,
  { by, values }: ReceivedResponse,
  errors: string[],
  state: string | null = "10chars_-~",
) {
  expect(errors).toContain(values.get("error"));
  expect(by).toBe(plan.mode === "form_post" ? "form_post" : plan.responseType === "code" ? "query" : "fragment");
  expect(values.get("state")).toBe(state);
  expect(values.get("iss")).toBe(BASE_URL);
  expect(values.get("error_description") ?? "x").toMatch(DESCRIPTION);
  expect([...values.keys()].filter((name) => !ERROR_MEMBERS.includes(name))).toEqual([]);
}

/** The result of a successful response of any response type. */
export interface Got {
  idToken: string;
  claims: Record<string, unknown>;
  accessToken: string | undefined;
  refreshToken: string | undefined;
  code: string | undefined;
  /** The tokens that came with the code; `idToken` is empty if there was none. */
  front?: { idToken: string; claims: Record<string, unknown>; accessToken: string | undefined };
}

/** Checks a successful response (§1.3) and redeems its code. */
export async function succeed(plan: Plan, { by, values }: ReceivedResponse, given: Given = {}): Promise<Got> {
  const { service, clientId, responseType, mode } = plan;
  expect(values.get("error")).toBeNull();
  expect(by).toBe(mode === "form_post" ? "form_post" : responseType === "code" ? "query" : "fragment");
  expect(values.get("state")).toBe(given.state ?? "10chars_-~");
  // RFC 9207 §2.4: an id_token names the issuer too. Ours names it in both, which implicit.test.ts checks.
  if (!values.has("id_token") || values.has("iss")) expect(values.get("iss")).toBe(BASE_URL);
  const words = responseType.split(" ");
  expect(words.map((word) => values.has(word === "token" ? "access_token" : word))).toEqual(words.map(() => true));
  const code = values.get("code") ?? undefined;
  const front = await frontChannelTokens(plan, values, given);
  if (code === undefined) return { ...front, refreshToken: undefined, code };
  expectEntropy(code);
  const { code_verifier = "" } = given;
  const response = await redeemAs(service, clientId, code, code_verifier ? { code_verifier } : {});
  const tokens = await expectTokens(response);
  const claims = await checkIdToken(plan, tokens.id_token, tokens.access_token, given);
  if (front.idToken !== "") {
    // OIDC Core §3.3.3.6: both are about the same user and authentication.
    const same = ["iss", "sub", "aud", "auth_time", "acr", "nonce", "sid"] as const;
    for (const name of same) expect(claims[name]).toEqual(front.claims[name]);
  }
  const { access_token: accessToken, id_token: idToken, refresh_token: refreshToken } = tokens;
  return { idToken, claims, accessToken, refreshToken, code, front };
}

/** Checks the tokens of a response through the browser. */
async function frontChannelTokens(plan: Plan, values: URLSearchParams, given: Given) {
  const words = plan.responseType.split(" ");
  const accessToken = values.get("access_token") ?? undefined;
  const code = values.get("code") ?? undefined;
  expect(accessToken !== undefined).toBe(words.includes("token"));
  if (accessToken !== undefined) {
    expectEntropy(accessToken);
    expect(values.get("token_type")).toBe("Bearer");
    expect(Number(values.get("expires_in"))).toBeGreaterThan(0);
  }
  const idToken = values.get("id_token") ?? "";
  expect(idToken !== "").toBe(words.includes("id_token"));
  if (idToken === "") return { idToken, claims: {}, accessToken };
  const claims = await checkIdToken(plan, idToken, accessToken ?? code, given);
  expect(claims.at_hash).toBe(accessToken && halfHash(accessToken));
  expect(claims.c_hash).toBe(code && halfHash(code));
  return { idToken, claims, accessToken };
}

/** The left half of the SHA-256 (OIDC Core §3.2.2.9, §3.3.2.11), computed apart from the service. */
const halfHash = (value: string) =>
  createHash("sha256").update(value, "ascii").digest().subarray(0, 16).toString("base64url");

export function redeemAs(service: ProtocolService, clientId: string, code: string, more: Record<string, string> = {}) {
  const form = { grant_type: "authorization_code", code, redirect_uri: REDIRECT_URI, ...more };
  return clientId === "post"
    ? postToken(service, { ...form, client_id: clientId, client_secret: SECRET }, null)
    : postToken(service, form, basic(clientId, SECRET));
}

/** Expects a token response (RFC 6749 §5.1) as the suite does. */
export async function expectTokens(response: Response): Promise<Tokens> {
  expect(response.status).toBe(200);
  expect(response.headers.get("content-type")).toMatch(/^application\/json/);
  expect(response.headers.get("cache-control")).toContain("no-store");
  const tokens = (await response.json()) as Tokens;
  expect(tokens.token_type.toLowerCase()).toBe("bearer");
  expect(tokens.expires_in).toBeGreaterThan(0);
  expect(tokens.expires_in).toBeLessThanOrEqual(31_536_000);
  expectEntropy(tokens.access_token);
  if (tokens.refresh_token !== undefined) expectEntropy(tokens.refresh_token);
  return tokens;
}

/** Expects an error of the token endpoint: status, code, and a description of permitted characters. */
export async function expectTokenError(response: Response, error: string, status = 400): Promise<void> {
  const body = (await response.json()) as { error: string; error_description?: string };
  expect([response.status, body.error]).toEqual([status, error]);
  expect(response.headers.get("content-type")).toMatch(/^application\/json/);
  expect(response.headers.get("cache-control")).toContain("no-store");
  expect(body.error_description ?? "x").toMatch(DESCRIPTION);
}

/** Expects more than 96 bits of entropy, by Shannon's estimate over the characters, as the suite does. */
function expectEntropy(value: string): void {
  const counts = new Map<string, number>();
  for (const character of value) counts.set(character, (counts.get(character) ?? 0) + 1);
  const bits = [...counts.values()].reduce((sum, n) => sum - (n / value.length) * Math.log2(n / value.length), 0);
  expect(bits * value.length).toBeGreaterThan(96);
  expect(value.length).toBeGreaterThanOrEqual(16);
}

/** @param beside the access token or code issued with it: then it has no claims of scopes */
async function checkIdToken(plan: Plan, idToken: string, beside: string | undefined, given: Given) {
  const { keys } = (await (await plan.service.fetch("/oauth/v2/keys")).json()) as JSONWebKeySet;
  const header = decodeProtectedHeader(idToken);
  const fitting = keys.filter(
    (key) => key.kid === header.kid && key.alg === "RS256" && key.use === "sig" && key.kty === "RSA",
  );
  expect(fitting).toHaveLength(1);
  const { clock } = plan.service.ctx;
  const options = { issuer: BASE_URL, audience: plan.clientId, algorithms: ["RS256"], currentDate: new Date(clock()) };
  await jwtVerify(idToken, createLocalJWKSet({ keys }), options);
  const claims = decodeJwt(idToken);
  const now = clock() / 1000;
  expect(claims.sub).toMatch(/^[\x20-\x7e]{1,255}$/);
  expect(Math.abs(Number(claims.iat) - now)).toBeLessThan(300);
  expect(claims.nonce).toBe("nonce" in given ? given.nonce : "n0nce");
  expect(claims.auth_time).toBeLessThanOrEqual(now);
  expect(typeof claims.acr).toBe("string");
  if (beside !== undefined) {
    expect(Object.keys(claims).filter((name) => !ID_TOKEN_CLAIMS.includes(name))).toEqual([]);
  }
  return claims as Record<string, unknown>;
}

/** Returns the claims of userinfo (GET), checked as the suite does after each success. */
export async function userinfoClaims(plan: Plan, { accessToken, claims }: Got): Promise<Record<string, unknown>> {
  const headers = { authorization: `Bearer ${accessToken}`, accept: "application/json" };
  return checkClaims(await plan.service.fetch("/oidc/v1/userinfo", { headers }), claims.sub);
}

export async function checkClaims(response: Response, subject: unknown): Promise<Record<string, unknown>> {
  expect(response.status).toBe(200);
  expect(response.headers.get("content-type")).toMatch(/^application\/json/);
  const claims = (await response.json()) as Record<string, unknown>;
  expect(claims.sub).toBe(subject);
  checkStandardClaims(claims);
  return claims;
}

/** Expects the standard claims of OIDC Core §5.1 to be neither null nor empty, and each to have its type. */
export function checkStandardClaims(claims: Record<string, unknown>): void {
  for (const value of Object.values(claims)) {
    expect(value).not.toBeNull();
    if (typeof value === "string") expect(value.trim()).not.toMatch(/^(null)?$/);
  }
  for (const name of ["email_verified", "phone_number_verified"]) {
    if (name in claims) expect(typeof claims[name]).toBe("boolean");
  }
  if ("updated_at" in claims) {
    expect(claims.updated_at).toBeGreaterThan(631_152_000);
    expect(claims.updated_at).toBeLessThan(Date.now() / 1000 + 366 * 86_400);
  }
  if ("address" in claims) expect(Object.keys(claims.address as object).length).toBeGreaterThan(0);
}

/** The claims of each scope. A missing one is a warning. */
export const CLAIMS_OF: Readonly<Record<string, readonly string[]>> = {
  profile:
    "name given_name family_name middle_name nickname preferred_username profile picture website gender birthdate zoneinfo locale updated_at".split(
      " ",
    ),
  email: ["email", "email_verified"],
  address: ["address"],
  phone: ["phone_number", "phone_number_verified"],
};
