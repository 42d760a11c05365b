/**
 * The languages that texts can be written in. They are those of the interface, so that people get mails in the language
 * in which they read the pages.
 */
import { type Direction, type LocaleTag, locales } from "../../messages/locales";
import { type ApiError, invalidArgument } from "../protocol/api-error";
import { reason } from "../protocol/reason";

export type Language = LocaleTag;

export const LANGUAGES: readonly Language[] = locales.map(({ tag }) => tag);

/**
 * The supported language of a BCP 47 tag, in upper or lower case; undefined for anything else, including regional
 * forms.
 */
export function parseLanguage(tag: string): Language | undefined {
  return LANGUAGES.find((language) => language === tag.toLowerCase());
}

/** The refusal of a language that texts cannot be written in. */
export function languageNotSupported(): ApiError {
  const values = LANGUAGES.join(", ");
  return invalidArgument("language.not_supported", `Supported languages are ${values}.`, {
    field: "language",
    reason: reason("one_of", { values }),
  });
}

/** The direction of writing, for `<html dir>` of a mail, and each language's own name. */
export const LANGUAGE_ENTRIES = Object.fromEntries(
  locales.map(({ tag, endonym, dir }) => [tag, { endonym, dir }]),
) as Readonly<Record<Language, { endonym: string; dir: Direction }>>;
