// Times on a person's own pages: in the language of the page and the person's time zone, which each page names.

/** Epoch milliseconds as a day. */
export function day(locale: string, timeZone: string, at: number): string {
  return new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeZone }).format(at);
}

/** Epoch milliseconds as day and time. */
export function moment(locale: string, timeZone: string, at: number): string {
  return new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeStyle: "short", timeZone }).format(at);
}
