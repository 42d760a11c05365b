/**
 * Names the metadata of a management API in its challenges (RFC 9728 §5.1, rule METADATA-3), with the scopes of a token
 * that it accepts (RFC 6750 §3).
 */
import type { Next } from "hono";
import type { Context } from "../context";
import { isOauthMetadataOn } from "../oidc/endpoints/discovery";
import { managementBaseOf, managementScopes, resourceMetadataUrl } from "../protocol/protected-resource";
import type { Http } from "./env";

/** Middleware for the management APIs. A 403 is about the roles of the user, which no other token would change. */
export async function nameResourceMetadata(ctx: Context, http: Http, next: Next): Promise<void> {
  await next();
  const challenge = http.res.status === 401 ? http.res.headers.get("www-authenticate") : null;
  const base = managementBaseOf(http.req.path);
  if (challenge === null || base === undefined || !(await isOauthMetadataOn(ctx))) return;
  const address = resourceMetadataUrl(ctx.config.baseUrl, base);
  const named = `resource_metadata="${address}", scope="${managementScopes.join(" ")}"`;
  http.res.headers.set("www-authenticate", `${challenge}, ${named}`);
}
