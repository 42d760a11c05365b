/** The data that every page needs from its request: the language, the request id, and whether it is https. */
import type { Context } from "../../context";
import { organizationName } from "../../directory/organization/name";
import { unlessUnavailable } from "../../directory/unavailable";
import type { Http } from "../../http/env";
import { chosenLocaleOf, pathAndQuery, queryParameters, userAgentOf } from "../../http/request";
import { browserTimeZone } from "../../http/time-zone";
import { listBrowserSessions } from "../../sessions/session";
import { findPageTexts } from "../../texts/pages/resolve-page-texts";
import { type LanguageWishes, resolveLocale, writtenIn } from "./language";
import { errorLanguageForm } from "./language-form";
import type { PageFrame } from "./render";
import { footerLinks, type Surroundings, surroundingsOf } from "./surroundings";

/**
 * Returns the frame of an error page without a flow: the requested address can be opened in another language. The
 * response to a form has no such address. The page belongs to the organization of the users who are signed in in this
 * browser, if it is the same for all of them.
 */
export async function errorFrame(
  ctx: Context,
  http: Http,
  wishes: LanguageWishes = {},
  around?: Surroundings,
): Promise<PageFrame> {
  const isPage = http.req.method === "GET";
  const chosen = wishes.chosen ?? (isPage ? chosenLocaleOf(queryParameters(http)) : undefined);
  const organizationId = wishes.organizationId ?? (around ? undefined : await organizationOfBrowser(ctx, http));
  const rest = {
    ...(isPage && { languages: errorLanguageForm(ctx, pathAndQuery(http)) }),
    ...(organizationId !== undefined && {
      organizationName: await unlessUnavailable(() => organizationName(ctx, organizationId), undefined),
    }),
  };
  return pageFrame(ctx, http, { ...wishes, organizationId, chosen }, rest, around);
}

/** Returns the organization of the browser's sessions; undefined if there are none, or of several. */
async function organizationOfBrowser(ctx: Context, http: Http): Promise<string | undefined> {
  const sessions = await unlessUnavailable(() => listBrowserSessions(ctx, userAgentOf(ctx, http)), []);
  const ids = new Set(sessions.map((session) => session.organizationId));
  return ids.size === 1 ? [...ids][0] : undefined;
}

/**
 * Returns the frame of a page.
 * @param around the page's surroundings, if already known; the page then uses the built-in words
 */
export async function pageFrame(
  ctx: Context,
  http: Http,
  wishes: LanguageWishes,
  rest: Partial<PageFrame> = {},
  around?: Surroundings,
): Promise<PageFrame> {
  const { links, languages, offered, ...own } = around ?? (await surroundingsOf(ctx, wishes.organizationId));
  const { brand } = wishes.lookOf === undefined ? own : await surroundingsOf(ctx, wishes.lookOf);
  const locale = await resolveLocale(ctx, http, wishes, languages);
  const words = around
    ? undefined
    : await unlessUnavailable(() => findPageTexts(ctx, locale, wishes.organizationId), undefined);
  return {
    ...(await writtenIn(ctx, locale)),
    words,
    requestId: http.get("requestId"),
    timeZone: browserTimeZone(http),
    brand,
    links: footerLinks(links, locale),
    ...rest,
    languages: rest.languages && { ...rest.languages, offered },
  };
}
