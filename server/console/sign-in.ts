/**
 * The console's own sign-in: authorization code with PKCE, state and nonce (OIDC Core §3.1) at our own endpoints, like
 * any other client. The sign-in's data are sealed in `state` and bound to the browser by a cookie, so that a user
 * cannot be signed in as another one (login CSRF, RFC 9700 §4.7) and several tabs do not interfere.
 */

import { decodeJwt } from "jose";
import type { Context } from "../context";
import { digest } from "../crypto/digest";
import { randomSecret } from "../crypto/random";
import { CONSOLE_SCOPE, consoleRedirectUri } from "../directory/app/console-client";
import { CONSOLE_CLIENT_ID } from "../directory/reserved-names";
import { isEmpty } from "../directory/setup/setup";
import { type ConsoleTokens, isCsrfToken, readConsoleTokens, sealConsoleTokens } from "../http/console-session";
import { readCookie, sessionMaxAge, setCookie } from "../http/cookies";
import type { Http } from "../http/env";
import { formParameters, isSameOriginPost, queryParameters } from "../http/request";
import type { Routes } from "../http/routes";
import { token } from "../oidc/endpoints/token";
import type { TokenResponse } from "../oidc/token-response";
import { isError } from "../protocol/oauth-error";
import { type Parameters, parametersFrom } from "../protocol/parameters";
import { codeChallengeOf } from "../protocol/pkce";
import { pageAnswer, redirectAnswer } from "../web/authorization";
import { pageFrame } from "../web/pages/frame";
import { errorPage } from "../web/pages/public-pages";

/** A sign-in in progress. */
interface SignIn {
  /** SHA-256 of the browser's binding cookie. */
  browser: string;
  nonce: string;
  verifier: string;
  /** The address to go to afterwards; absent for a script, which needs no page. */
  to?: string;
  /** Whether the sign-in must not show a page, because there was a session before. */
  quiet: boolean;
  startedAt: number;
}

/** The maximum duration of a sign-in, in milliseconds. */
const MAX_SIGN_IN_DURATION = 60 * 60_000;
const MAX_ADDRESS_LENGTH = 1_000;

/**
 * Starts a sign-in. Query: `to`, the address to go to afterwards; `ask`, show the sign-in page if necessary;
 * `for=script`, renew the tokens of an open page without showing one.
 */
async function consoleSignInRoute(ctx: Context, http: Http): Promise<Response> {
  if (await isEmpty(ctx)) return redirectAnswer(http, `${ctx.config.baseUrl}/`);
  const parameters = queryParameters(http);
  const get = (name: string) => (isError(parameters) ? undefined : parameters.get(name));
  const tokens = readConsoleTokens(ctx, http.req.header("cookie"));
  const byScript = get("for") === "script";
  const quiet = byScript || (tokens !== undefined && get("ask") === undefined);
  const binding = readCookie(ctx, http, "consoleSignIn") ?? randomSecret();
  const signIn: SignIn = {
    browser: digest(binding),
    nonce: randomSecret(),
    verifier: randomSecret(),
    to: byScript ? undefined : consoleAddress(get("to")),
    quiet,
    startedAt: ctx.clock(),
  };
  const request = {
    client_id: CONSOLE_CLIENT_ID,
    redirect_uri: consoleRedirectUri(ctx),
    response_type: "code",
    scope: CONSOLE_SCOPE,
    state: ctx.secrets.seal("console", JSON.stringify({ kind: "sign-in", ...signIn })),
    nonce: signIn.nonce,
    code_challenge: codeChallengeOf(signIn.verifier),
    code_challenge_method: "S256",
    ...(quiet && { prompt: "none" }),
    ...(quiet && tokens && { id_token_hint: tokens.idToken }),
  };
  setCookie(ctx, http, "consoleSignIn", binding, MAX_SIGN_IN_DURATION / 1_000);
  return redirectAnswer(http, `${ctx.config.baseUrl}/oauth/v2/authorize?${new URLSearchParams(request)}`);
}

async function consoleCallbackRoute(ctx: Context, http: Http): Promise<Response> {
  if (http.req.method === "HEAD") return scriptAnswer(http, 204); // HEAD is safe (RFC 9110 §9.2.1)
  const parameters = queryParameters(http);
  const signIn = isError(parameters) ? undefined : openSignIn(ctx, http, parameters.get("state"));
  if (isError(parameters) || !signIn) return startAgain(ctx, http, "state is not of this browser, or has expired");
  const tokens = await redeem(ctx, parameters, signIn);
  if (typeof tokens !== "string") {
    setCookie(ctx, http, "console", sealConsoleTokens(ctx, tokens), sessionMaxAge(ctx));
    return signIn.to === undefined ? scriptAnswer(http, 204) : redirectAnswer(http, ctx.config.baseUrl + signIn.to);
  }
  if (signIn.to === undefined) return scriptAnswer(http, 401);
  if (signIn.quiet) {
    return redirectAnswer(http, `${ctx.config.baseUrl}/console/sign-in?ask=1&to=${encodeURIComponent(signIn.to)}`);
  }
  return startAgain(ctx, http, tokens);
}

/** Ends the session of the browser at the end session endpoint, like any client (RP-Initiated Logout 1.0 §2). */
async function consoleSignOutRoute(ctx: Context, http: Http): Promise<Response> {
  const form = await formParameters(http);
  const tokens = readConsoleTokens(ctx, http.req.header("cookie"));
  const ours = !isError(form) && isSameOriginPost(ctx, http);
  if (!ours || (tokens && !isCsrfToken(ctx, tokens, form.get("csrf")))) {
    const frame = await pageFrame(ctx, http, {});
    return pageAnswer(http, errorPage({ kind: "cross-site", occurredAt: ctx.clock() }, frame));
  }
  setCookie(ctx, http, "console", "", 0);
  const hint = tokens ? `?${new URLSearchParams({ id_token_hint: tokens.idToken })}` : "";
  return redirectAnswer(http, `${ctx.config.baseUrl}/oidc/v1/end_session${hint}`);
}

function openSignIn(ctx: Context, http: Http, state: string | undefined): SignIn | undefined {
  const binding = readCookie(ctx, http, "consoleSignIn");
  const opened = state === undefined ? undefined : ctx.secrets.open("console", state);
  if (binding === undefined || opened === undefined) return undefined;
  const { kind, ...signIn } = JSON.parse(opened) as SignIn & { kind: string };
  const age = ctx.clock() - signIn.startedAt;
  return kind === "sign-in" && signIn.browser === digest(binding) && age <= MAX_SIGN_IN_DURATION ? signIn : undefined;
}

/** Exchanges a code for tokens; returns the reason if that fails. */
async function redeem(ctx: Context, answer: Parameters, signIn: SignIn): Promise<ConsoleTokens | string> {
  const code = answer.get("code");
  if (code === undefined) return answer.get("error_description") ?? "the answer has no code";
  const form = parametersFrom([
    ["grant_type", "authorization_code"],
    ["client_id", CONSOLE_CLIENT_ID],
    ["code", code],
    ["redirect_uri", consoleRedirectUri(ctx)],
    ["code_verifier", signIn.verifier],
  ]);
  const response = await token(ctx, { authorization: undefined, form, path: "/oauth/v2/token" });
  if (isError(response)) return response.description;
  return tokensOf(response, signIn.nonce);
}

/**
 * Reads the tokens. OIDC Core §3.1.3.7: they come directly from the token endpoint in this process, so the signature
 * need not be verified.
 */
function tokensOf({ access_token: accessToken, id_token: idToken }: TokenResponse, nonce: string) {
  const { sub, sid, nonce: answered } = idToken === undefined ? {} : decodeJwt(idToken);
  if (idToken === undefined || sub === undefined || typeof sid !== "string" || answered !== nonce) {
    return "the id_token is not the one asked for";
  }
  return { accessToken, idToken, userId: sub, sessionId: sid };
}

const scriptAnswer = (http: Http, status: 204 | 401): Response =>
  http.body(null, status, { "cache-control": "no-store" });

async function startAgain(ctx: Context, http: Http, description: string): Promise<Response> {
  const frame = await pageFrame(ctx, http, {});
  const props = { kind: "expired-flow", description, startAgainHref: "/console", occurredAt: ctx.clock() } as const;
  return pageAnswer(http, errorPage(props, frame));
}

/** Returns an address of the console; redirects to other addresses are not allowed. */
function consoleAddress(wanted: string | undefined): string {
  const isOurs =
    wanted !== undefined &&
    wanted.length <= MAX_ADDRESS_LENGTH &&
    /^\/console(?:[/?][\w./?=&%~+*-]*)?$/.test(wanted) &&
    !/^\/console\/(?:sign-in|callback|sign-out|api)\b/.test(wanted);
  return isOurs ? wanted : "/console";
}

export const consoleRoutes: Routes = {
  "/console/sign-in": { GET: consoleSignInRoute },
  "/console/callback": { GET: consoleCallbackRoute },
  "/console/sign-out": { POST: consoleSignOutRoute },
};
