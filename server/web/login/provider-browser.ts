/** The cookie of a browser that signs in at identity providers: only in this browser do their responses count. */
import type { Context } from "../../context";
import { randomSecret } from "../../crypto/random";
import { readCookie, setCookie } from "../../http/cookies";
import type { Http } from "../../http/env";

/** Seconds; as long as a flow and a little more. */
const COOKIE_LIFETIME = 3_600;
const TOKEN = /^[A-Za-z0-9_-]{43}$/;

/** Returns the value of the cookie, or a new one. */
export function providerBrowser(ctx: Context, http: Http): string {
  const known = readCookie(ctx, http, "providerSignIn");
  return known !== undefined && TOKEN.test(known) ? known : randomSecret();
}

export const keepProviderBrowser = (ctx: Context, http: Http, browser: string): void =>
  setCookie(ctx, http, "providerSignIn", browser, COOKIE_LIFETIME);
