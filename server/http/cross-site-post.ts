/**
 * Form posts from an application's own site, which OpenID Connect wants taken as well as links (Core §3.1.2.1,
 * RP-Initiated Logout §2). Browsers leave the SameSite=Lax cookie out of them (RFC 6265bis §5.8.3), so nobody would seem
 * to be signed in: silent sign-in would fail, and sign-out would end nothing and say that it did. The same request by
 * GET brings the cookie along.
 */
import type { Context } from "../context";
import { isError, type OAuthError } from "../protocol/oauth-error";
import type { Parameters } from "../protocol/parameters";
import type { Http } from "./env";
import { userAgentOf } from "./request";

/** Characters that every proxy takes in a request line. What is longer is answered as if nobody were signed in. */
const LONGEST_QUERY = 7_000;

/** Where to send a browser that says it posts from another site, so that it asks again by GET; else undefined. */
export function sameByGet(ctx: Context, http: Http, parameters: Parameters | OAuthError): string | undefined {
  if (http.req.method !== "POST" || http.req.header("sec-fetch-site") !== "cross-site") return undefined;
  if (isError(parameters) || userAgentOf(ctx, http).token !== undefined) return undefined;
  const pairs = parameters.names().flatMap((name) => parameters.all(name).map((value) => [name, value]));
  const query = new URLSearchParams(pairs).toString();
  return query.length > LONGEST_QUERY ? undefined : `${ctx.config.baseUrl}${http.req.path}?${query}`;
}
