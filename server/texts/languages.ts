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
