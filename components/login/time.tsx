// A moment in the language of the page and the time zone of the browser, which is named; UTC if it is unknown. Where
// scripts run, the page says it in the reader's own words: "tomorrow, 18:42" (moments.browser.js).
import { momentText } from "../../messages/moment";

interface TimeProps {
  /** Epoch milliseconds. */
  at: number;
  locale: string;
  timeZone?: string;
}

export function Time({ at, locale, timeZone }: TimeProps) {
  const text = momentText(at, [locale], timeZone);
  return (
    <time dateTime={new Date(at).toISOString()} data-moment={text}>
      {text}
    </time>
  );
}

/** A sentence that contains a moment. @param props.sentence makes the sentence of the moment's text */
export function SentenceWithTime({ at, locale, timeZone, sentence }: TimeProps & { sentence(time: string): string }) {
  const text = momentText(at, [locale], timeZone);
  return (
    <time dateTime={new Date(at).toISOString()} data-moment={text}>
      {sentence(text)}
    </time>
  );
}
