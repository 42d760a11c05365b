// Texts of the pages a browser meets before sign-in. English is the reference: its keys are the type of every other
// language, so a missing key is a compile error, and a wrong key in a page too. This uses next-intl's plain
// `createTranslator` and not its hooks, as these pages are rendered outside Next; one translator per language is kept,
// with its parsed messages.
import { createTranslator } from "next-intl";
import type en from "./en/login.json";
import { catalogue } from "./generated/login";
import type { LocaleTag } from "./locales";

export type LoginMessages = typeof en;
export const loginMessages = catalogue satisfies Record<LocaleTag, LoginMessages>;

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
