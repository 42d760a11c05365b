/**
 * Records which built-in text a customized one replaced. Built-in texts change with releases, and authors would not
 * notice: so the built-in text at the time of writing is stored with each customized field. Pure. Rule TEXT-11.
 */

/** By the name of the field or word. */
type Texts = Readonly<Partial<Record<string, string | null>>>;

/**
 * Returns what to store: for a field that is written or changed, the current built-in text; for an unchanged one, the
 * stored text.
 * @param before undefined: nothing was customized
 */
export function replacedTexts(
  before: { own: Texts; replaced: Texts } | undefined,
  wanted: Texts,
  builtIn: (field: string) => string | undefined,
): Record<string, string> {
  const kept = Object.entries(wanted).flatMap(([field, text]): [string, string][] => {
    if (!text) return [];
    const then = before?.own[field] === text ? before.replaced[field] : builtIn(field);
    return typeof then === "string" ? [[field, then]] : [];
  });
  return Object.fromEntries(kept);
}

/** Returns the replaced built-in text if it differs from the current one; undefined also if it is unknown. */
export function builtInThen(replaced: Texts, field: string, now: string): string | undefined {
  const then = replaced[field];
  return typeof then === "string" && then !== now ? then : undefined;
}
