/**
 * The language of a page: choice on the page → ui_locales → Accept-Language → organization's default → instance's
 * default (rule AUTHORIZE-8; OIDC Core §3.1.2.1). No cookie is involved, so an earlier choice never overrides an
 * application's request.
 */
import type { Context } from "../../context";
import { defaultLanguages } from "../../directory/default-languages";
import { baseOf, isBuiltIn, type Language, languageEntry } from "../../directory/policy/languages";
import { unlessUnavailable } from "../../directory/unavailable";
import type { Http } from "../../http/env";
import { negotiateLocale, parseAcceptLanguage, parseUiLocales } from "../../protocol/ui-locales";
import type { PageFrame } from "./render";

export interface LanguageWishes {
  /** The ui_locales of the page's own address or form: the user's choice. */
  chosen?: string;
  /** The ui_locales of the authorization or logout request. */
  requested?: readonly string[];
  organizationId?: string;
  /** The organization whose look the page has, if it is another one. */
  lookOf?: string;
}

/** Returns the language of a page: always one that is allowed and that has texts. */
export async function resolveLocale(
  ctx: Context,
  http: Http,
  wishes: LanguageWishes,
  languages: readonly Language[],
): Promise<Language> {
  const wanted =
    negotiateLocale(parseUiLocales(wishes.chosen), languages) ??
    negotiateLocale([...(wishes.requested ?? [])], languages) ??
    negotiateLocale(parseAcceptLanguage(http.req.header("accept-language")), languages) ??
    negotiateLocale(await usualLanguages(ctx, wishes.organizationId ?? null), languages);
  // During an outage the defaults are unknown: the fallback is English, not the first language of the alphabet.
  return (wanted ?? (languages.includes("en") ? "en" : languages[0]) ?? "en") as Language;
}

/**
 * Returns the default languages; none while the database is unavailable, because an error page in English is better
 * than no page.
 */
function usualLanguages(ctx: Context, organizationId: string | null): Promise<readonly string[]> {
  return unlessUnavailable(() => defaultLanguages(ctx, organizationId), []);
}

/** Returns the language properties of a page; makes no query for a built-in language. */
export async function writtenIn(ctx: Context, locale: Language): Promise<Pick<PageFrame, "locale" | "added">> {
  if (isBuiltIn(locale)) return { locale };
  const [base, { dir }] = await Promise.all([baseOf(ctx, locale), languageEntry(ctx, locale)]);
  return { locale, added: { base, dir } };
}
