/**
 * The current organization of the console: the one in the address or, on pages that name none, the last one that an
 * address named (a cookie), so that visiting the mails does not switch the organization. It only determines what is
 * shown: permissions are checked on each request.
 */
import { cookieHeader } from "../../shared/cookies";
import { organizationInPath } from "../../shared/pages";
import type { Context } from "../context";
import { cookieIn, isHttps } from "../http/cookies";

/**
 * The maximum length of an encoded id: organization ids have at most 200 characters; a longer value was not set here.
 */
const MAX_LENGTH = 1800;

export interface OrganizationMemory {
  /** The id that was remembered. */
  remembered: string | undefined;
  /** Set-Cookie, if the address names another organization. */
  cookie: string | undefined;
}

/**
 * Returns the remembered organization.
 * @param path the path of the page, without its query
 */
export function organizationMemory(ctx: Context, cookies: string | undefined, path: string): OrganizationMemory {
  const remembered = cookieIn(ctx, cookies, "consoleOrganization");
  const named = organizationInPath(path);
  if (named === undefined || named === remembered) return { remembered, cookie: undefined };
  if (encodeURIComponent(named).length > MAX_LENGTH) return { remembered, cookie: undefined };
  return { remembered: named, cookie: cookieHeader("consoleOrganization", named, { isHttps: isHttps(ctx) }) };
}
