// The languages of the pages before sign-in and of the mails, in the order in which a person may choose among them. A
// language is one folder `messages/<tag>/` plus its line here; the catalogues (login.ts …) then do not compile until
// they import it. Base languages only: a regional form such as `en-US` is another tag, and a text stored under it would
// be found by nobody who asks for `en`. Choice: the list identity services of this kind share.
// No message text is imported here, so a browser bundle may use this list.

export const locales = [
  { tag: "ar", endonym: "العربية", dir: "rtl" },
  { tag: "bg", endonym: "български", dir: "ltr" },
  { tag: "cs", endonym: "čeština", dir: "ltr" },
  { tag: "de", endonym: "Deutsch", dir: "ltr" },
  { tag: "en", endonym: "English", dir: "ltr" },
  { tag: "es", endonym: "español", dir: "ltr" },
  { tag: "fr", endonym: "français", dir: "ltr" },
  { tag: "hu", endonym: "magyar", dir: "ltr" },
  { tag: "id", endonym: "Bahasa Indonesia", dir: "ltr" },
  { tag: "it", endonym: "italiano", dir: "ltr" },
  { tag: "ja", endonym: "日本語", dir: "ltr" },
  { tag: "ko", endonym: "한국어", dir: "ltr" },
  { tag: "mk", endonym: "македонски", dir: "ltr" },
  { tag: "nl", endonym: "Nederlands", dir: "ltr" },
  { tag: "pl", endonym: "polski", dir: "ltr" },
  { tag: "pt", endonym: "português", dir: "ltr" },
  { tag: "ro", endonym: "română", dir: "ltr" },
  { tag: "ru", endonym: "русский", dir: "ltr" },
  { tag: "sv", endonym: "svenska", dir: "ltr" },
  { tag: "th", endonym: "ไทย", dir: "ltr" },
  { tag: "tr", endonym: "Türkçe", dir: "ltr" },
  { tag: "uk", endonym: "українська", dir: "ltr" },
  { tag: "zh", endonym: "中文", dir: "ltr" },
] as const satisfies readonly LocaleEntry[];

interface LocaleEntry {
  /** BCP 47, canonical case; the name of the folder. */
  tag: string;
  /** The language's name in itself: someone who cannot read the page must be able to find it. */
  endonym: string;
  dir: "ltr" | "rtl";
}

export type LocaleTag = (typeof locales)[number]["tag"];
export type Direction = LocaleEntry["dir"];

/** Direction of writing, for `<html dir>`. */
export function directionOf(tag: LocaleTag): Direction {
  return locales.find((locale) => locale.tag === tag)?.dir ?? "ltr";
}
