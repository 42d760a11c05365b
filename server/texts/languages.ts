/**
 * The languages texts can be kept in. Base languages only: a regional form such as `en-US` is another tag, and a text
 * stored under it would be found by nobody who asks for `en`. Choice: the list identity services of this kind share.
 */
export const LANGUAGES = [
  "ar",
  "bg",
  "cs",
  "de",
  "en",
  "es",
  "fr",
  "hu",
  "id",
  "it",
  "ja",
  "ko",
  "mk",
  "nl",
  "pl",
  "pt",
  "ro",
  "ru",
  "sv",
  "th",
  "tr",
  "uk",
  "zh",
] as const;

export type Language = (typeof LANGUAGES)[number];

/** A supported language from a BCP 47 tag in any case; undefined for anything else, regional forms included. */
export function parseLanguage(tag: string): Language | undefined {
  return LANGUAGES.find((language) => language === tag.toLowerCase());
}

interface LanguageEntry {
  /** The language's name in itself: someone who cannot read the page must be able to find it. */
  endonym: string;
  /** Direction of writing, for `<html dir>` of a letter. */
  dir: "ltr" | "rtl";
}

export const LANGUAGE_ENTRIES: Readonly<Record<Language, LanguageEntry>> = {
  ar: { endonym: "العربية", dir: "rtl" },
  bg: { endonym: "български", dir: "ltr" },
  cs: { endonym: "čeština", dir: "ltr" },
  de: { endonym: "Deutsch", dir: "ltr" },
  en: { endonym: "English", dir: "ltr" },
  es: { endonym: "español", dir: "ltr" },
  fr: { endonym: "français", dir: "ltr" },
  hu: { endonym: "magyar", dir: "ltr" },
  id: { endonym: "Bahasa Indonesia", dir: "ltr" },
  it: { endonym: "italiano", dir: "ltr" },
  ja: { endonym: "日本語", dir: "ltr" },
  ko: { endonym: "한국어", dir: "ltr" },
  mk: { endonym: "македонски", dir: "ltr" },
  nl: { endonym: "Nederlands", dir: "ltr" },
  pl: { endonym: "polski", dir: "ltr" },
  pt: { endonym: "português", dir: "ltr" },
  ro: { endonym: "română", dir: "ltr" },
  ru: { endonym: "русский", dir: "ltr" },
  sv: { endonym: "svenska", dir: "ltr" },
  th: { endonym: "ไทย", dir: "ltr" },
  tr: { endonym: "Türkçe", dir: "ltr" },
  uk: { endonym: "українська", dir: "ltr" },
  zh: { endonym: "中文", dir: "ltr" },
};
