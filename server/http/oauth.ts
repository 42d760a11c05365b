/**
 * The OAuth edge: forms in, JSON out. Every answer of these endpoints is no-store, errors included (RFC 6749 §5.1,
 * §5.2); failed client authentication is 401, always with WWW-Authenticate (rule CLIENT-7).
 */
import type { Context } from "../context";
import { introspect } from "../oidc/endpoints/introspect";
import { revoke } from "../oidc/endpoints/revoke";
import { token } from "../oidc/endpoints/token";
import { userinfo } from "../oidc/endpoints/userinfo";
import { isError, type OAuthError } from "../protocol/oauth-error";
import { checkRepeated } from "../protocol/parameters";
import { challenge } from "./challenge";
import type { Http } from "./env";
import { formParameters, isForm } from "./request";

export const NO_STORE = { "cache-control": "no-store", pragma: "no-cache" };

/** An OAuth error as the endpoint's answer, RFC 6749 §5.2. */
export function errorAnswer(http: Http, { error, description, status }: OAuthError): Response {
  const headers = status === 401 ? challenge("Basic", "oauth", { error, description }) : undefined;
  return http.json({ error, error_description: description }, status as 400, { ...NO_STORE, ...headers });
}

/** An error of a protected resource; the challenge says what is wrong (RFC 6750 §3). */
function bearerErrorAnswer(http: Http, { error, description, status }: OAuthError): Response {
  const headers = challenge("Bearer", "userinfo", { error, description });
  return http.json({ error, error_description: description }, status as 401, { ...NO_STORE, ...headers });
}

/** Nothing was presented, or by another scheme: neither the challenge nor the body has an error (rule USERINFO-2). */
const unauthenticatedAnswer = (http: Http): Response =>
  http.json({}, 401, { ...NO_STORE, ...challenge("Bearer", "userinfo") });

export async function tokenRoute(ctx: Context, http: Http): Promise<Response> {
  const form = await formParameters(http);
  if (isError(form)) return errorAnswer(http, form);
  const answer = await token(ctx, { authorization: http.req.header("authorization"), form, path: "/oauth/v2/token" });
  return isError(answer) ? errorAnswer(http, answer) : http.json(answer, 200, NO_STORE);
}

export async function introspectRoute(ctx: Context, http: Http): Promise<Response> {
  const form = await formParameters(http);
  if (isError(form)) return errorAnswer(http, form);
  const authorization = http.req.header("authorization");
  const answer = await introspect(ctx, { authorization, form, path: "/oauth/v2/introspect" });
  return isError(answer) ? errorAnswer(http, answer) : http.json(answer, 200, NO_STORE);
}

/** RFC 7009 §2.2: the status is the whole answer; an empty object for libraries that read JSON from it (rule REVOKE-2). */
export async function revokeRoute(ctx: Context, http: Http): Promise<Response> {
  const form = await formParameters(http);
  if (isError(form)) return errorAnswer(http, form);
  const authorization = http.req.header("authorization");
  const error = await revoke(ctx, { authorization, form, path: "/oauth/v2/revoke" });
  return error ? errorAnswer(http, error) : http.json({}, 200, NO_STORE);
}

export async function userinfoRoute(ctx: Context, http: Http): Promise<Response> {
  const authorization = http.req.header("authorization");
  // RFC 6750 §2.2: only a form can carry a token. With the header, any other body is ignored.
  const carriesForm = http.req.method === "POST" && (authorization === undefined || isForm(http));
  const form = carriesForm ? await formParameters(http) : undefined;
  if (isError(form)) return bearerErrorAnswer(http, form);
  const repeated = form && checkRepeated(form); // §3.1
  if (repeated) return bearerErrorAnswer(http, repeated);
  const answer = await userinfo(ctx, { authorization, formToken: form?.get("access_token") });
  if (answer === "unauthenticated") return unauthenticatedAnswer(http);
  return isError(answer) ? bearerErrorAnswer(http, answer) : http.json(answer, 200, NO_STORE);
}
