// Times on a person's own pages: in the person's time zone, which each page names, and in the language of the sentence
// that they stand in, which in an added language may be another than the page's.
import { type LoginMessageKey, type LoginTranslator, languageOfWord } from "../../../messages/login";

/** How the days in a sentence are written: epoch milliseconds as a day. */
export function dayIn(t: LoginTranslator, sentence: LoginMessageKey, timeZone: string): (at: number) => string {
  return new Intl.DateTimeFormat(languageOfWord(t, sentence), { dateStyle: "medium", timeZone }).format;
}

/** The same with the time. */
export function momentIn(t: LoginTranslator, sentence: LoginMessageKey, timeZone: string): (at: number) => string {
  return new Intl.DateTimeFormat(languageOfWord(t, sentence), { dateStyle: "medium", timeStyle: "short", timeZone })
    .format;
}

/** Epoch milliseconds as day and time, beside no sentence: in the language of the page. */
export function moment(locale: string, timeZone: string, at: number): string {
  return new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeStyle: "short", timeZone }).format(at);
}
