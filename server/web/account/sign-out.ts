/**
 * Signs out from an account page. The form is on our own page, so there is no further question, unless other users are
 * signed in in the same browser, who would be signed out as well.
 */
import type { Context } from "../../context";
import { clearUserAgentCookie } from "../../http/cookies";
import type { Http } from "../../http/env";
import { userAgentOf } from "../../http/request";
import { endAllSessions } from "../../oidc/endpoints/end-session";
import { listBrowserSessions } from "../../sessions/session";
import { redirectAnswer, uiLocalesParameter } from "../authorization";
import { afterSignOut } from "../login/sign-out";
import { readForm } from "./open";

export async function accountSignOutRoute(ctx: Context, http: Http): Promise<Response> {
  const received = await readForm(ctx, http);
  if (received instanceof Response) return received;
  const { chosen } = received;
  const userAgent = userAgentOf(ctx, http);
  if ((await listBrowserSessions(ctx, userAgent)).length > 1) {
    return redirectAnswer(http, `${ctx.config.baseUrl}/logout${uiLocalesParameter(chosen).replace("&", "?")}`);
  }
  const after = await endAllSessions(ctx, userAgent, http.get("requestId"));
  clearUserAgentCookie(ctx, http);
  return afterSignOut(ctx, http, { ...after, chosen });
}
