/**
 * The way of a browser to an identity provider, with the cookie by which its response counts in this browser only.
 */
import type { Context } from "../../context";
import { randomSecret } from "../../crypto/random";
import { readCookie, setCookie } from "../../http/cookies";
import type { Http } from "../../http/env";
import { isLoopbackUri } from "../../protocol/public-address";
import { pageAnswer, redirectAnswer } from "../authorization";
import { pageFrame } from "../pages/frame";
import type { LanguageWishes } from "../pages/language";
import { leavingPage } from "../pages/public-pages";

/** Seconds; as long as a flow and a little more. */
const COOKIE_LIFETIME = 3_600;
const TOKEN = /^[A-Za-z0-9_-]{43}$/;

/** Returns the value of the cookie, or a new one. */
export function providerBrowser(ctx: Context, http: Http): string {
  const known = readCookie(ctx, http, "providerSignIn");
  return known !== undefined && TOKEN.test(known) ? known : randomSecret();
}

/**
 * Whether the browser comes from a page of ours. Browsers apply the page's `form-action` (CSP Level 3 §6.4.1) to every
 * redirect after its form, also to those of the other site to origins that are unknown here.
 */
export function isFromOwnPage({ config }: Pick<Context, "config">, { req }: Http): boolean {
  // Browsers send these headers to https and loopback addresses only (W3C Fetch Metadata §2).
  if (config.baseUrl.startsWith("http:") && !isLoopbackUri(config.baseUrl)) return true;
  return req.header("sec-fetch-mode") === "navigate" && req.header("sec-fetch-site") === "same-origin";
}

/** Sends the browser to a provider: by a redirect, or by a page where a redirect could be blocked. */
export async function leadAway(
  ctx: Context,
  http: Http,
  { url, provider }: { url: URL; provider: string },
  browser: string,
  wishes: LanguageWishes,
): Promise<Response> {
  setCookie(ctx, http, "providerSignIn", browser, COOKIE_LIFETIME);
  if (!isFromOwnPage(ctx, http)) return redirectAnswer(http, url.href);
  return pageAnswer(http, leavingPage({ provider, next: url.href }, await pageFrame(ctx, http, wishes)));
}
