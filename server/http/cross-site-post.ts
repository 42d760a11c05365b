/**
 * Form posts from an application's own site, which OpenID Connect requires to be accepted like links (Core §3.1.2.1,
 * RP-Initiated Logout §2). Browsers do not send the SameSite=Lax cookie with them (RFC 6265bis §5.8.3), so no user
 * would appear to be signed in: silent sign-in would fail, and sign-out would end no session but report success. The
 * same request by GET includes the cookie.
 */
import type { Context } from "../context";
import { isError, type OAuthError } from "../protocol/oauth-error";
import type { Parameters } from "../protocol/parameters";
import type { Http } from "./env";
import { userAgentOf } from "./request";

/** Characters that every proxy accepts in a request line. Longer requests are handled as if no user were signed in. */
const MAX_QUERY_LENGTH = 7_000;

/**
 * Returns the URL for redirecting a cross-site post, so that the browser repeats it by GET; undefined for any other
 * request.
 */
export function sameByGet(ctx: Context, http: Http, parameters: Parameters | OAuthError): string | undefined {
  if (http.req.method !== "POST" || http.req.header("sec-fetch-site") !== "cross-site") return undefined;
  if (isError(parameters) || userAgentOf(ctx, http).token !== undefined) return undefined;
  const pairs = parameters.names().flatMap((name) => parameters.all(name).map((value) => [name, value]));
  const query = new URLSearchParams(pairs).toString();
  return query.length > MAX_QUERY_LENGTH ? undefined : `${ctx.config.baseUrl}${http.req.path}?${query}`;
}
