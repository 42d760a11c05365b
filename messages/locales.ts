// The languages of the interface, in the order in which a person may choose among them. A language is one folder
// `messages/<tag>/` plus its line here; the catalogues (login.ts …) then do not compile until they import it.
// No message text is imported here, so a browser bundle may use this list.

export const locales = [
  { tag: "en", endonym: "English", dir: "ltr" },
  { tag: "de", endonym: "Deutsch", dir: "ltr" },
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
