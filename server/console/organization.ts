/**
 * The current organization of the console: the one in the address or, on pages that name none, that of the page from
 * which the visitor comes (Referer), else the last one that an address named (a cookie), so that visiting the mails
 * does not switch the organization. It only determines what is shown: permissions are checked on each request.
 */
import type { IncomingHttpHeaders } from "node:http";
import { cookieHeader } from "../../shared/cookies";
import { organizationInPath } from "../../shared/pages";
import type { Context } from "../context";
import { cookieIn, isHttps } from "../http/cookies";
import { parseUrl } from "../protocol/url";

/**
 * The maximum length of an encoded id: organization ids have at most 200 characters; a longer value was not set here.
 */
const MAX_LENGTH = 1800;

export interface OrganizationMemory {
  /** The id of the page from which the visitor comes, or that was remembered. */
  remembered: string | undefined;
  /** Set-Cookie, if another organization is current now. */
  cookie: string | undefined;
}

/**
 * Returns the remembered organization.
 * @param path the path of the page, without its query
 */
export function organizationMemory(
  ctx: Context,
  { cookie: cookies, referer }: Pick<IncomingHttpHeaders, "cookie" | "referer">,
  path: string,
): OrganizationMemory {
  const remembered = cookieIn(ctx, cookies, "consoleOrganization");
  const named = organizationInPath(path) ?? organizationBefore(ctx, referer);
  if (named === undefined || named === remembered) return { remembered, cookie: undefined };
  if (encodeURIComponent(named).length > MAX_LENGTH) return { remembered, cookie: undefined };
  return { remembered: named, cookie: cookieHeader("consoleOrganization", named, { isHttps: isHttps(ctx) }) };
}

/** Returns the organization of the previous page, which may have been shown without a request. */
function organizationBefore(ctx: Context, referer: string | undefined): string | undefined {
  const before = referer === undefined ? undefined : parseUrl(referer);
  return before?.origin === new URL(ctx.config.baseUrl).origin ? organizationInPath(before.pathname) : undefined;
}
