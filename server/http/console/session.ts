/**
 * Who is signed in to the console: the tokens of its own OIDC sign-in, sealed in a cookie that no script reads. A cookie
 * comes along by itself, so it counts only on requests of our own pages, and changes also need a token that only a page
 * of the same session holds (CSRF, ASVS 3.5): a tab of one person does nothing in the name of the next.
 */
import type { CookieOptions } from "hono/utils/cookie";
import { parse } from "hono/utils/cookie";
import { authenticateCaller, type Caller } from "../../access/caller";
import type { Context } from "../../context";
import { equalSecrets } from "../../crypto/digest";
import { isApiError } from "../../protocol/api-error";

/** What the cookie holds. */
export interface ConsoleTokens {
  accessToken: string;
  /** For signing out, and for asking for a new token without a word. */
  idToken: string;
  userId: string;
  sessionId: string;
}

export interface ConsoleSession extends ConsoleTokens {
  caller: Caller;
}

const isHttps = (ctx: Context) => ctx.config.baseUrl.startsWith("https:");

export const consoleCookieName = (ctx: Context): string => (isHttps(ctx) ? "__Host-console" : "console");
export const signInCookieName = (ctx: Context): string => (isHttps(ctx) ? "__Host-console-sign-in" : "console-sign-in");

/**
 * Lax, not Strict: whoever follows a link from elsewhere into the console comes back from the sign-in within the same
 * navigation, to which Strict cookies are not sent. `__Host-` binds it to this host over https (RFC 6265bis §4.1.3.2).
 */
export function consoleCookieOptions(ctx: Context): CookieOptions {
  return { httpOnly: true, secure: isHttps(ctx), sameSite: "Lax", path: "/" };
}

export function sealConsoleTokens(ctx: Context, tokens: ConsoleTokens): string {
  return ctx.secrets.seal("console", JSON.stringify({ kind: "tokens", ...tokens }));
}

/** What the cookie says, whether or not it is still worth anything. @param cookies the Cookie header */
export function readConsoleTokens(ctx: Context, cookies: string | null | undefined): ConsoleTokens | undefined {
  const name = consoleCookieName(ctx);
  const sealed = parse(cookies ?? "", name)[name];
  const opened = sealed === undefined ? undefined : ctx.secrets.open("console", sealed);
  if (opened === undefined) return undefined;
  const { kind, ...tokens } = JSON.parse(opened) as ConsoleTokens & { kind: string };
  return kind === "tokens" ? tokens : undefined;
}

/** Whoever the cookie speaks of, as the management APIs know him by the same token; undefined once it is worth nothing. */
export async function openConsoleSession(
  ctx: Context,
  cookies: string | null | undefined,
): Promise<ConsoleSession | undefined> {
  const tokens = readConsoleTokens(ctx, cookies);
  if (!tokens) return undefined;
  const caller = await authenticateCaller(ctx, `Bearer ${tokens.accessToken}`);
  return isApiError(caller) ? undefined : { ...tokens, caller };
}

/** What pages of this session send with changes. It outlives the access token, so that a page may stay open. */
export function csrfToken(ctx: Context, { sessionId, userId }: ConsoleTokens): string {
  return ctx.secrets.mac("console", Buffer.from(`csrf ${sessionId} ${userId}`)).toString("base64url");
}

export function isCsrfToken(ctx: Context, tokens: ConsoleTokens, presented: string | undefined): boolean {
  return presented !== undefined && equalSecrets(presented, csrfToken(ctx, tokens));
}
