// Texts of the pages a browser meets before sign-in. English is the reference: its keys are the type of every other
// language, so a missing key is a compile error, and a wrong key in a page too. The plain `createTranslator` of
// next-intl is used, not its hooks: these pages are rendered outside Next, and a translator kept per language keeps
// its parsed messages.
import { createTranslator } from "next-intl";
import ar from "./ar/login.json";
import bg from "./bg/login.json";
import cs from "./cs/login.json";
import de from "./de/login.json";
import en from "./en/login.json";
import es from "./es/login.json";
import fr from "./fr/login.json";
import hu from "./hu/login.json";
import id from "./id/login.json";
import it from "./it/login.json";
import ja from "./ja/login.json";
import ko from "./ko/login.json";
import type { LocaleTag } from "./locales";
import mk from "./mk/login.json";
import nl from "./nl/login.json";
import pl from "./pl/login.json";
import pt from "./pt/login.json";
import ro from "./ro/login.json";
import ru from "./ru/login.json";
import sv from "./sv/login.json";
import th from "./th/login.json";
import tr from "./tr/login.json";
import uk from "./uk/login.json";
import zh from "./zh/login.json";

export type LoginMessages = typeof en;
export const loginMessages = {
  ar,
  bg,
  cs,
  de,
  en,
  es,
  fr,
  hu,
  id,
  it,
  ja,
  ko,
  mk,
  nl,
  pl,
  pt,
  ro,
  ru,
  sv,
  th,
  tr,
  uk,
  zh,
} satisfies Record<LocaleTag, LoginMessages>;

export type LoginTranslator = ReturnType<typeof createTranslator<LoginMessages>>;
export type LoginMessageKey = Parameters<LoginTranslator>[0];

const translators = new Map<LocaleTag, LoginTranslator>();

/** The translator of one language, made once per process. A message that cannot be formatted throws: it is a bug. */
export function loginTranslator(locale: LocaleTag): LoginTranslator {
  let translator = translators.get(locale);
  if (!translator) {
    translator = createTranslator({
      locale,
      messages: loginMessages[locale],
      timeZone: "UTC",
      onError: (error) => {
        throw error;
      },
    });
    translators.set(locale, translator);
  }
  return translator;
}
