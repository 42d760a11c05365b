/**
 * The languages texts can be kept in: those of the interface, so that whoever reads a page can be written to.
 */
import { type Direction, type LocaleTag, locales } from "../../messages/locales";

export type Language = LocaleTag;

export const LANGUAGES: readonly Language[] = locales.map(({ tag }) => tag);

/** A supported language from a BCP 47 tag in any case; undefined for anything else, regional forms included. */
export function parseLanguage(tag: string): Language | undefined {
  return LANGUAGES.find((language) => language === tag.toLowerCase());
}

/** Direction of writing, for `<html dir>` of a letter, and the language's name in itself. */
export const LANGUAGE_ENTRIES = Object.fromEntries(
  locales.map(({ tag, endonym, dir }) => [tag, { endonym, dir }]),
) as Readonly<Record<Language, { endonym: string; dir: Direction }>>;
