/** The data that every page needs from its request: the language, the request id, and whether it is https. */
import type { Context } from "../../context";
import { unlessUnavailable } from "../../directory/unavailable";
import type { Http } from "../../http/env";
import { chosenLocaleOf, pathAndQuery, queryParameters } from "../../http/request";
import { browserTimeZone } from "../../http/time-zone";
import { findPageTexts } from "../../texts/pages/resolve-page-texts";
import { type LanguageWishes, resolveLocale, writtenIn } from "./language";
import { errorLanguageForm } from "./language-form";
import type { PageFrame } from "./render";
import { footerLinks, type Surroundings, surroundingsOf } from "./surroundings";

/**
 * Returns the frame of an error page without a flow: the requested address can be opened in another language. The
 * response to a form has no such address.
 */
export function errorFrame(
  ctx: Context,
  http: Http,
  wishes: LanguageWishes = {},
  around?: Surroundings,
): Promise<PageFrame> {
  const isPage = http.req.method === "GET";
  const chosen = wishes.chosen ?? (isPage ? chosenLocaleOf(queryParameters(http)) : undefined);
  const rest = isPage ? { languages: errorLanguageForm(ctx, pathAndQuery(http)) } : {};
  return pageFrame(ctx, http, { ...wishes, chosen }, rest, around);
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
  const { brand, links, languages, offered } = around ?? (await surroundingsOf(ctx, wishes.organizationId));
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
