/**
 * The API of the console's pages: the management APIs at their own address, with the sealed cookie in place of the
 * bearer token, and with the same operations and the same Caller behind it. Browsers send cookies automatically, so
 * requests must come from our own pages (Fetch Metadata, Origin) and changes must carry the session's CSRF token.
 */
import type { Context } from "../context";
import { apiErrorAnswer, CONSOLE_API, isApiPath } from "../http/api-errors";
import type { Http } from "../http/env";
import type { Routes } from "../http/routes";
import { mailOf } from "../mail/mail-page";
import { isApiError, notFound } from "../protocol/api-error";
import { emailResponse } from "./email";
import { type Dispatch, forward } from "./forward";
import { consoleLanguage } from "./language";
import { consoleSessionOf } from "./own-page";
import { previewFrame } from "./preview-frame";
import { emailScope } from "./viewer";

const SAFE = new Set(["GET", "HEAD"]);
/** The request headers that are forwarded to the operation. */
const PASSED_ON = ["accept", "content-type", "x-service-orgid", "x-zitadel-orgid", "if-match", "if-none-match"];

export function consoleApiRoutes(dispatch: Dispatch): Routes {
  const operation = async (ctx: Context, http: Http) => {
    http.set("language", await languageOf(ctx, http, ""));
    const session = await consoleSessionOf(ctx, http);
    if (session instanceof Response) return session;
    const language = await languageOf(ctx, http, session.caller.userId);
    http.set("language", language);
    const { path, method } = http.req;
    const target = path.slice(CONSOLE_API.length);
    if (!isApiPath(target))
      return apiErrorAnswer(
        http,
        notFound("address.not_found", "This address does not exist. Check it against /docs/api."),
      );
    const url = new URL(http.req.url);
    const headers = new Headers({ "x-request-id": http.get("requestId"), "accept-language": language });
    for (const name of PASSED_ON) {
      const value = http.req.header(name);
      if (value !== undefined) headers.set(name, value);
    }
    const body = SAFE.has(method) ? undefined : await http.req.arrayBuffer();
    const request = { method, url: `${url.origin}${target}${url.search}`, headers, body };
    const answer = await forward(dispatch, session, request, http.env);
    if (SAFE.has(method)) return answer;
    const changed = new Response(answer.body, answer);
    // A prefetched page that was not visited yet would show the state before the change.
    changed.headers.set("clear-site-data", '"prefetchCache"');
    return changed;
  };
  return {
    [`${CONSOLE_API}/mails/:id`]: { GET: emailRoute },
    [`${CONSOLE_API}/previews`]: { POST: (ctx, http) => previewFrame(ctx, http, dispatch) },
    [`${CONSOLE_API}/*`]: {
      GET: operation,
      POST: operation,
      PUT: operation,
      PATCH: operation,
      DELETE: operation,
    },
  };
}

/**
 * Returns the language of a request.
 * @param userId empty if no user is signed in
 */
function languageOf(ctx: Context, http: Http, userId: string): Promise<string> {
  const headers = { cookie: http.req.header("cookie"), "accept-language": http.req.header("accept-language") };
  return consoleLanguage(ctx, { headers }, userId);
}

/** The HTML of a mail, for the frame that shows it. */
async function emailRoute(ctx: Context, http: Http): Promise<Response> {
  const session = await consoleSessionOf(ctx, http);
  if (session instanceof Response) return session;
  const scope = await emailScope(ctx, session.caller);
  const found = await mailOf(ctx, scope, http.req.param("id") ?? "");
  if (isApiError(found)) return apiErrorAnswer(http, found);
  const { rendered } = found;
  const isMail = rendered !== undefined && rendered.channel !== "sms";
  return isMail
    ? emailResponse(http, rendered)
    : apiErrorAnswer(http, notFound("message.not_kept", "The content of this email was not kept."));
}
