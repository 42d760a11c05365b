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
  const named = challenge === null ? undefined : await namedMetadata(ctx, http.req.path);
  if (named !== undefined) http.res.headers.set("www-authenticate", challenge + named);
}

/** Returns what a challenge at this path of REST ends with, also that of its procedure; undefined for no API. */
export async function namedMetadata(ctx: Context, path: string): Promise<string | undefined> {
  const base = managementBaseOf(path);
  if (base === undefined || !(await isOauthMetadataOn(ctx))) return undefined;
  const address = resourceMetadataUrl(ctx.config.baseUrl, base);
  return `, resource_metadata="${address}", scope="${managementScopes.join(" ")}"`;
}
