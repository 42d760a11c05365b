/**
 * The single cookie of a browser: its opaque user-agent token. `__Host-` binds it to this host over https (RFC 6265bis
 * §4.1.3.2); Lax sends it when an application redirects the browser here, but not with cross-site posts.
 */
import { deleteCookie, setCookie } from "hono/cookie";
import type { Context } from "../context";
import type { Http } from "./env";

/** Returns whether users access the service by https, for cookies and headers that depend on it. */
export const isHttps = ({ config }: { config: Pick<Context["config"], "baseUrl"> }): boolean =>
  config.baseUrl.startsWith("https:");

export function userAgentCookieName(ctx: Context): string {
  return isHttps(ctx) ? "__Host-ua" : "ua";
}

export function setUserAgentCookie(ctx: Context, http: Http, token: string): void {
  setCookie(http, userAgentCookieName(ctx), token, {
    httpOnly: true,
    secure: isHttps(ctx),
    sameSite: "Lax",
    path: "/",
    maxAge: Math.floor(ctx.config.lifetimes.session / 1000),
  });
}

export function clearUserAgentCookie(ctx: Context, http: Http): void {
  deleteCookie(http, userAgentCookieName(ctx), { secure: isHttps(ctx), path: "/" });
}
