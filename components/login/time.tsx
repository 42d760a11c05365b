// An instant in the language of the page. Nobody is signed in yet, so whose time zone it would be is not known: UTC.

/** @param at epoch milliseconds */
export function timeText(at: number, locale: string): string {
  return new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeStyle: "long", timeZone: "UTC" }).format(at);
}

export function Time({ at, locale }: { at: number; locale: string }) {
  return <time dateTime={new Date(at).toISOString()}>{timeText(at, locale)}</time>;
}
