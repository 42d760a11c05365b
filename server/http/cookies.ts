/** Cookies in requests and responses; their names and attributes are in shared/cookies.ts. */
import { getCookie } from "hono/cookie";
import { parse } from "hono/utils/cookie";
import { cookieHeader, cookieName, type ServerCookie } from "../../shared/cookies";
import type { Context } from "../context";
import type { Http } from "./env";

/** Returns whether users access the service by https, for cookies and headers that depend on it. */
export const isHttps = ({ config }: { config: Pick<Context["config"], "baseUrl"> }): boolean =>
  config.baseUrl.startsWith("https:");

export const readCookie = (ctx: Context, http: Http, cookie: ServerCookie): string | undefined =>
  getCookie(http, cookieName(cookie, isHttps(ctx)));

/** Returns the value of a cookie in a Cookie header. */
export function cookieIn(ctx: Context, cookies: string | null | undefined, cookie: ServerCookie): string | undefined {
  const name = cookieName(cookie, isHttps(ctx));
  return parse(cookies ?? "", name)[name];
}

/** @param maxAge seconds; 0 deletes the cookie */
export function setCookie(ctx: Context, http: Http, cookie: ServerCookie, value: string, maxAge: number): void {
  http.header("set-cookie", cookieHeader(cookie, value, { isHttps: isHttps(ctx), maxAge }), { append: true });
}

/** Returns the lifetime of cookies that last as long as a session, in seconds. */
export const sessionMaxAge = ({ config }: Context): number => Math.floor(config.lifetimes.session / 1_000);

/** Sets the opaque token of the browser. */
export const setUserAgentCookie = (ctx: Context, http: Http, token: string): void =>
  setCookie(ctx, http, "userAgent", token, sessionMaxAge(ctx));

export const clearUserAgentCookie = (ctx: Context, http: Http): void => setCookie(ctx, http, "userAgent", "", 0);
