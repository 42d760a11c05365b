// The languages of the pages before sign-in, of the console and of the mails, in the order in which a person may choose
// among them. A language is one folder `messages/<tag>/`, and nothing else names it: its language.json has the
// language's own name, and the lists in generated/ are made from the folders (scripts/languages.mjs). Base languages
// only: a regional form such as `en-US` is another tag, and a text stored under it would be found by nobody who asks
// for `en`. Choice: the languages identity services of this kind share. No message text is imported here, so a browser
// bundle may use this list.
import { locales as generated } from "./generated/locales";

export interface LocaleEntry {
  /** BCP 47, canonical case; the name of the folder. */
  tag: string;
  /** The language's name in itself: someone who cannot read the page must be able to find it. */
  endonym: string;
  dir: "ltr" | "rtl";
}

export const locales = generated satisfies readonly LocaleEntry[];

export type LocaleTag = (typeof locales)[number]["tag"];
export type Direction = LocaleEntry["dir"];

/** Direction of writing, for `<html dir>`. */
export function directionOf(tag: LocaleTag): Direction {
  return locales.find((locale) => locale.tag === tag)?.dir ?? "ltr";
}
