// Formats times on the account pages in the user's time zone, which each page names, and in the language of the
// surrounding sentence, which may differ from the page's if the language was added by an administrator.
import { type LoginMessageKey, type LoginTranslator, languageOfWord } from "../../../messages/login";

/** Returns a formatter for the days in a sentence. Its argument is epoch milliseconds. */
export function dayIn(t: LoginTranslator, sentence: LoginMessageKey, timeZone: string): (at: number) => string {
  return new Intl.DateTimeFormat(languageOfWord(t, sentence), { dateStyle: "medium", timeZone }).format;
}

/** Returns a formatter for day and time in a sentence. */
export function momentIn(t: LoginTranslator, sentence: LoginMessageKey, timeZone: string): (at: number) => string {
  return new Intl.DateTimeFormat(languageOfWord(t, sentence), { dateStyle: "medium", timeStyle: "short", timeZone })
    .format;
}

/** Formats day and time outside of sentences, in the language of the page. */
export function moment(locale: string, timeZone: string, at: number): string {
  return new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeStyle: "short", timeZone }).format(at);
}
