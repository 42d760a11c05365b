/**
 * The language of the console: the one chosen in it (a cookie), else the user's preferred language, else the browser's,
 * else the instance's. `ui_locales` in an address selects one (OIDC Core §3.1.2.1 names the parameter).
 */
import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import { locales } from "../../messages/locales";
import { cookieHeader } from "../../shared/cookies";
import type { Context } from "../context";
import { defaultLanguages } from "../directory/default-languages";
import { readPerson } from "../directory/user/person";
import { cookieIn, isHttps } from "../http/cookies";
import { negotiateLocale, parseAcceptLanguage, parseUiLocales } from "../protocol/ui-locales";

const SUPPORTED: readonly string[] = locales.map(({ tag }) => tag);

/**
 * Returns the language of a page.
 * @param userId the signed-in user
 */
export async function consoleLanguage(
  ctx: Context,
  { headers }: { headers: Pick<IncomingHttpHeaders, "cookie" | "accept-language"> },
  userId: string,
): Promise<string> {
  const chosen = cookieIn(ctx, headers.cookie, "consoleLanguage");
  const supported = (wanted: readonly string[]) => negotiateLocale(wanted, SUPPORTED);
  const preferred = async () => (await readPerson(ctx, userId))?.preferredLanguage;
  return (
    supported([chosen ?? ""]) ??
    supported([(await preferred()) ?? ""]) ??
    supported(parseAcceptLanguage(headers["accept-language"])) ??
    supported(await defaultLanguages(ctx, null)) ??
    "en"
  );
}

export interface LanguageChoice {
  /** The address of the same page without the parameter. */
  location: string;
  /** Set-Cookie, if the console supports the language. */
  cookie: string | undefined;
}

/** Returns the choice in an address with `ui_locales`; undefined for other addresses. */
export function languageChoice(ctx: Context, { url = "" }: Pick<IncomingMessage, "url">): LanguageChoice | undefined {
  const [path = "", query = ""] = url.split("?", 2);
  const parameters = new URLSearchParams(query);
  const wanted = parameters.get("ui_locales");
  if (wanted === null) return undefined;
  parameters.delete("ui_locales");
  const language = negotiateLocale(parseUiLocales(wanted), SUPPORTED);
  return {
    location: parameters.size > 0 ? `${path}?${parameters}` : path,
    cookie: language && cookieHeader("consoleLanguage", language, { isHttps: isHttps(ctx) }),
  };
}
