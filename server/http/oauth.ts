/**
 * The HTTP layer of OAuth: form requests, JSON responses. Every response of these endpoints is no-store, including
 * errors (RFC 6749 §5.1, §5.2); failed client authentication is 401, always with WWW-Authenticate (rule CLIENT-7).
 */
import type { Context } from "../context";
import type { EndpointPath, OAuthHttpRequest } from "../oidc/client-authentication";
import { introspect } from "../oidc/endpoints/introspect";
import { pushAuthorization } from "../oidc/endpoints/pushed-authorization";
import { revoke } from "../oidc/endpoints/revoke";
import { token } from "../oidc/endpoints/token";
import { userinfo } from "../oidc/endpoints/userinfo";
import { noteOAuthRefusal } from "../oidc/report-refusals";
import { SignedAnswer } from "../oidc/signed-answer";
import { knownNames } from "../oidc/zitadel-names";
import { dpopAlgorithms } from "../protocol/dpop";
import { isError, type OAuthError } from "../protocol/oauth-error";
import { checkRepeated } from "../protocol/parameters";
import { challenge } from "./challenge";
import { clientCertificateOf } from "./client-certificate";
import type { Http } from "./env";
import { formParameters, isForm, userAgentOf } from "./request";

const NO_STORE = { "cache-control": "no-store", pragma: "no-cache" };

/** Converts an OAuth error to the endpoint's response (RFC 6749 §5.2). */
function errorAnswer(http: Http, { error, description, status, dpopNonce, retryAfter }: OAuthError): Response {
  const headers = status === 401 ? challenge("Basic", "oauth", { error, description }) : undefined;
  return http.json({ error, error_description: description }, status as 400, {
    ...NO_STORE,
    ...headers,
    ...(dpopNonce !== undefined && { "dpop-nonce": dpopNonce }),
    ...(retryAfter !== undefined && { "retry-after": String(retryAfter) }),
  });
}

/** Converts an error of a protected resource; the challenge contains the error (RFC 6750 §3). */
function bearerErrorAnswer(ctx: Context, http: Http, refusal: OAuthError): Response {
  const { error, description, status, scheme } = refusal;
  noteOAuthRefusal(ctx, { path: "/oidc/v1/userinfo", error: refusal });
  const wrong = { error, description };
  const needsProof = error === "invalid_dpop_proof" || scheme === "DPoP"; // RFC 9449 §7.1
  const headers = needsProof
    ? challenge("DPoP", "userinfo", wrong, dpopAlgorithms)
    : challenge("Bearer", "userinfo", wrong);
  return http.json({ error, error_description: description }, status as 401, { ...NO_STORE, ...headers });
}

/**
 * The response to missing credentials or another scheme: neither the challenge nor the body has an error (rule
 * USERINFO-2).
 */
const unauthenticatedAnswer = (http: Http): Response =>
  http.json({}, 401, { ...NO_STORE, ...challenge("Bearer", "userinfo") });

/** Returns a successful response: JSON or a JWT. */
function answerOf(http: Http, answer: object, status: 200 | 201 = 200): Response {
  if (!(answer instanceof SignedAnswer)) return http.json(answer, status, NO_STORE);
  return http.body(answer.jwt, status, { ...NO_STORE, "content-type": answer.contentType });
}

/** Handles endpoints that read a form and respond with JSON or an error, which is reported to the operator. */
export async function answerForm<Answer extends object>(
  ctx: Context,
  http: Http,
  path: EndpointPath,
  answer: (request: OAuthHttpRequest) => Promise<Answer | OAuthError>,
  success: 200 | 201 = 200,
): Promise<Response> {
  const authorization = http.req.header("authorization");
  const form = await formParameters(http);
  if (isError(form)) {
    noteOAuthRefusal(ctx, { path, authorization, form: form.readable, error: form });
    return errorAnswer(http, form);
  }
  const result = await answer({
    authorization,
    form: await knownNames(ctx, form),
    path,
    dpop: http.req.header("dpop"),
    certificate: clientCertificateOf(ctx, http),
  });
  if (!isError(result)) return answerOf(http, result, success);
  noteOAuthRefusal(ctx, { path, authorization, form, error: result });
  return errorAnswer(http, result);
}

export const tokenRoute = (ctx: Context, http: Http): Promise<Response> =>
  answerForm(ctx, http, "/oauth/v2/token", (request) => token(ctx, request));

export const introspectRoute = (ctx: Context, http: Http): Promise<Response> =>
  answerForm(ctx, http, "/oauth/v2/introspect", (request) => introspect(ctx, request, http.req.header("accept")));

/** RFC 7009 §2.2: only the status matters; the empty object is for libraries that parse JSON (rule REVOKE-2). */
export const revokeRoute = (ctx: Context, http: Http): Promise<Response> =>
  answerForm(ctx, http, "/oauth/v2/revoke", async (request) => (await revoke(ctx, request)) ?? {});

/** RFC 9126 §2.2: a pushed request is answered with 201. */
export const pushedAuthorizationRoute = (ctx: Context, http: Http): Promise<Response> =>
  answerForm(
    ctx,
    http,
    "/oauth/v2/par",
    (request) => pushAuthorization(ctx, request, userAgentOf(ctx, http).address),
    201,
  );

export async function userinfoRoute(ctx: Context, http: Http): Promise<Response> {
  const authorization = http.req.header("authorization");
  // RFC 6750 §2.2: only a form can contain a token. With the header, any other body is ignored.
  const carriesForm = http.req.method === "POST" && (authorization === undefined || isForm(http));
  const form = carriesForm ? await formParameters(http) : undefined;
  if (isError(form)) return bearerErrorAnswer(ctx, http, form);
  const repeated = form && checkRepeated(form); // §3.1
  if (repeated) return bearerErrorAnswer(ctx, http, repeated);
  const answer = await userinfo(ctx, {
    authorization,
    formToken: form?.get("access_token"),
    dpop: http.req.header("dpop"),
    method: http.req.method,
    path: "/oidc/v1/userinfo",
    certificate: clientCertificateOf(ctx, http),
  });
  if (answer === "unauthenticated") return unauthenticatedAnswer(http);
  return isError(answer) ? bearerErrorAnswer(ctx, http, answer) : answerOf(http, answer);
}
