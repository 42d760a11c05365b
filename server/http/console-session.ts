/**
 * The session of the console: the tokens of its own OIDC sign-in, sealed in a cookie that scripts cannot read. Browsers
 * send cookies automatically, so the session counts only on requests from our own pages, and changes also need a token
 * that only pages of the same session have (CSRF, ASVS 3.5): a tab left open by one user cannot act in the name of the
 * next.
 */
import { authenticateCaller, bearerCredentials, type Caller } from "../access/caller";
import type { Context } from "../context";
import { equalSecrets } from "../crypto/digest";
import { isApiError } from "../protocol/api-error";
import { cookieIn } from "./cookies";

/** The content of the cookie. */
export interface ConsoleTokens {
  accessToken: string;
  /** For signing out, and for silent renewal of the tokens. */
  idToken: string;
  userId: string;
  sessionId: string;
}

export interface ConsoleSession extends ConsoleTokens {
  caller: Caller;
}

export function sealConsoleTokens(ctx: Context, tokens: ConsoleTokens): string {
  return ctx.secrets.seal("console", JSON.stringify({ kind: "tokens", ...tokens }));
}

/** Returns the content of the cookie, even if its tokens are no longer valid. @param cookies the Cookie header */
export function readConsoleTokens(ctx: Context, cookies: string | null | undefined): ConsoleTokens | undefined {
  const sealed = cookieIn(ctx, cookies, "console");
  const opened = sealed === undefined ? undefined : ctx.secrets.open("console", sealed);
  if (opened === undefined) return undefined;
  const { kind, ...tokens } = JSON.parse(opened) as ConsoleTokens & { kind: string };
  return kind === "tokens" ? tokens : undefined;
}

/**
 * Returns the session of the cookie, with the Caller of its token for the management APIs; undefined if the token is
 * invalid.
 */
export async function openConsoleSession(
  ctx: Context,
  cookies: string | null | undefined,
): Promise<ConsoleSession | undefined> {
  const tokens = readConsoleTokens(ctx, cookies);
  if (!tokens) return undefined;
  const caller = await authenticateCaller(ctx, bearerCredentials(tokens.accessToken));
  return isApiError(caller) ? undefined : { ...tokens, caller };
}

/**
 * Returns the token that pages of this session send with changes. It survives token renewal, so that a page may stay
 * open.
 */
export function csrfToken(ctx: Context, { sessionId, userId }: ConsoleTokens): string {
  return ctx.secrets.mac("console", Buffer.from(`csrf ${sessionId} ${userId}`)).toString("base64url");
}

export function isCsrfToken(ctx: Context, tokens: ConsoleTokens, presented: string | undefined): boolean {
  return presented !== undefined && equalSecrets(presented, csrfToken(ctx, tokens));
}
