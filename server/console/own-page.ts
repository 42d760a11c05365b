/**
 * Checks whether a request comes from a page of the console itself. Browsers send cookies with other sites' requests
 * too, so those are recognized (Fetch Metadata, Origin), and changes carry the session's CSRF token.
 */
import type { Context } from "../context";
import { apiErrorAnswer } from "../http/api-errors";
import { type ConsoleSession, isCsrfToken, openConsoleSession } from "../http/console-session";
import type { Http } from "../http/env";
import { permissionDenied, unauthenticated } from "../protocol/api-error";

const SAFE = new Set(["GET", "HEAD"]);

/**
 * Returns the session of a request of our own pages, or the error response.
 * @param csrf the token of a change: scripts send a header, forms a field
 */
export async function consoleSessionOf(
  ctx: Context,
  http: Http,
  csrf = http.req.header("x-csrf-token"),
): Promise<ConsoleSession | Response> {
  const site = http.req.header("sec-fetch-site");
  const origin = http.req.header("origin");
  const isSafe = SAFE.has(http.req.method);
  const ours = new URL(ctx.config.baseUrl).origin;
  // Browsers send at least one of the two headers with every fetch and frame; over plain http to a remote host only
  // Origin, and only with changes.
  const fromUs = (site ?? "same-origin") === "same-origin" && (origin === undefined ? isSafe || site : origin === ours);
  if (!fromUs)
    return apiErrorAnswer(
      http,
      permissionDenied("console.cross_site", "Only pages of the console can send this request."),
    );
  const session = await openConsoleSession(ctx, http.req.header("cookie"));
  if (!session) return apiErrorAnswer(http, unauthenticated("console.signed_out", "Sign in to the console again."));
  if (!isSafe && !isCsrfToken(ctx, session, csrf)) {
    const reason = "This page belongs to another sign-in. Load it again.";
    return apiErrorAnswer(http, permissionDenied("console.csrf", reason));
  }
  return session;
}
