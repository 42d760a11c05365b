// A time in the language of the page and the time zone of the browser, which is named; UTC if it is unknown.

/**
 * Formats a time.
 * @param at epoch milliseconds
 */
export function timeText(at: number, locale: string, timeZone = "UTC"): string {
  return new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeStyle: "long", timeZone }).format(at);
}

export function Time({ at, locale, timeZone }: { at: number; locale: string; timeZone?: string }) {
  return <time dateTime={new Date(at).toISOString()}>{timeText(at, locale, timeZone)}</time>;
}
