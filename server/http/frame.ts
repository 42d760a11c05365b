/**
 * What every page needs of its request: the language, the request id, whether it is https.
 * Language: choice on the page → ui_locales → Accept-Language → organization's default → instance's default
 * (Spec: ui_locales; OIDC Core §3.1.2.1). No cookie has a say, so an application's wish is never overruled by the past.
 */
import { type LocaleTag, locales } from "../../messages/locales";
import type { Context } from "../context";
import { type Brand, findBrand, NEUTRAL_BRAND } from "../directory/brand";
import { negotiateLocale, parseAcceptLanguage, parseUiLocales } from "../protocol/ui-locales";
import { findDefaultLanguage } from "../storage/languages";
import { isUnavailable } from "../storage/unavailable";
import type { Http } from "./env";
import type { PageFrame } from "./render";

export const localeTags: readonly LocaleTag[] = locales.map(({ tag }) => tag);

export interface LanguageWishes {
  /** ui_locales of the page's own address or form: what the person chose. */
  chosen?: string;
  /** ui_locales of the authorization or logout request. */
  requested?: readonly string[];
  organizationId?: string;
}

/** The language of a page, always one there are texts for. */
export async function resolveLocale(ctx: Context, http: Http, wishes: LanguageWishes): Promise<LocaleTag> {
  const wanted =
    negotiateLocale(parseUiLocales(wishes.chosen ?? ""), localeTags) ??
    negotiateLocale([...(wishes.requested ?? [])], localeTags) ??
    negotiateLocale(parseAcceptLanguage(http.req.header("accept-language") ?? ""), localeTags) ??
    negotiateLocale(await defaultLanguages(ctx, wishes.organizationId ?? null), localeTags);
  return (wanted ?? "en") as LocaleTag;
}

/** None while the database is away: a page that says so in English is better than none. */
async function defaultLanguages(ctx: Context, organizationId: string | null): Promise<string[]> {
  try {
    return await findDefaultLanguage(ctx.db, organizationId);
  } catch (error) {
    if (isUnavailable(error)) return [];
    throw error;
  }
}

/** The service's own look while the database is away. */
async function brandOf(ctx: Context, organizationId: string | undefined): Promise<Brand> {
  try {
    return await findBrand(ctx, organizationId);
  } catch (error) {
    if (isUnavailable(error)) return NEUTRAL_BRAND;
    throw error;
  }
}

export async function pageFrame(
  ctx: Context,
  http: Http,
  wishes: LanguageWishes,
  rest: Partial<PageFrame> = {},
): Promise<PageFrame> {
  return {
    locale: await resolveLocale(ctx, http, wishes),
    baseUrlIsHttps: ctx.config.baseUrl.startsWith("https:"),
    requestId: http.get("requestId"),
    ...rest,
    brand: rest.brand ?? (await brandOf(ctx, wishes.organizationId)),
  };
}
