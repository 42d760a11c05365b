/**
 * The organization somebody works on in the console: the one in the address or, on pages that name none, the last one
 * that an address named (a cookie), so that a look at the mails does not lead back to another organization. It decides
 * what is shown and nothing else: what somebody may do there is asked each time.
 */
import { parse } from "hono/utils/cookie";
import { organizationInPath } from "../../components/console/pages";
import type { Context } from "../context";
import { isHttps } from "../http/cookies";

const COOKIE = "console-organization";
/** Ids of organizations have at most 200 characters; anything else was not set here. */
const MAX_LENGTH = 1800;

export interface OrganizationMemory {
  /** The id that was remembered. */
  remembered: string | undefined;
  /** Set-Cookie, where the address names another one. */
  cookie: string | undefined;
}

/** @param path of the page, without its query */
export function organizationMemory(ctx: Context, cookies: string | undefined, path: string): OrganizationMemory {
  const { [COOKIE]: remembered } = parse(cookies ?? "", COOKIE);
  const named = organizationInPath(path);
  if (named === undefined || named === remembered) return { remembered, cookie: undefined };
  const value = encodeURIComponent(named);
  if (value.length > MAX_LENGTH) return { remembered, cookie: undefined };
  const secure = isHttps(ctx) ? "; Secure" : "";
  return { remembered: named, cookie: `${COOKIE}=${value}; Path=/console; HttpOnly; SameSite=Lax${secure}` };
}
