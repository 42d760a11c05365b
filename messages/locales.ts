// The languages of the pages before sign-in, of the console and of the mails, in the order of the language menu. A
// language is one folder `messages/<tag>/`, and nothing else names it: its language.json has the language's own name,
// and the lists in generated/ are made from the folders (scripts/languages.mjs). Base languages only: a regional form
// such as `en-US` is another tag, and a text stored under it would not be found by a request for `en`. Choice: the
// languages that similar identity services have. This module imports no message texts, so that browser bundles can use
// it.
import { locales as generated } from "./generated/locales";

export interface LocaleEntry {
  /** The BCP 47 tag in canonical case; the name of the folder. */
  tag: string;
  /** The language's name in that language, for users who cannot read the page. */
  endonym: string;
  dir: "ltr" | "rtl";
}

export const locales = generated satisfies readonly LocaleEntry[];

export type LocaleTag = (typeof locales)[number]["tag"];
export type Direction = LocaleEntry["dir"];

/** Returns the direction of writing, for `<html dir>`. */
export function directionOf(tag: LocaleTag): Direction {
  return locales.find((locale) => locale.tag === tag)?.dir ?? "ltr";
}
