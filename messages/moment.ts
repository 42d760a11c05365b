/** A moment in words, with its time zone: one format for pages, mails and their samples. */

/**
 * Formats a moment in the first language that Intl supports. With a single unsupported language, Intl would use that of
 * the machine.
 * @param at epoch milliseconds
 * @param languages BCP 47 tags; English is the last resort
 * @param timeZone an IANA name
 */
export function momentText(at: number, languages: readonly string[], timeZone = "UTC"): string {
  const parts = { year: "numeric", month: "long", day: "numeric", hour: "numeric", minute: "2-digit" } as const;
  // With several languages Intl writes "GMT+0" for UTC; it is always called UTC here.
  const isUtc = timeZone === "UTC";
  const timeZoneName = isUtc ? undefined : "short";
  const format = new Intl.DateTimeFormat([...languages, "en"], { ...parts, timeZone, timeZoneName });
  return `${format.format(at)}${isUtc ? " UTC" : ""}`;
}
