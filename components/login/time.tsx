// A time in the language of the page, in UTC, as the person's time zone is not known before sign-in.

/** @param at epoch milliseconds */
export function timeText(at: number, locale: string): string {
  return new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeStyle: "long", timeZone: "UTC" }).format(at);
}

export function Time({ at, locale }: { at: number; locale: string }) {
  return <time dateTime={new Date(at).toISOString()}>{timeText(at, locale)}</time>;
}
