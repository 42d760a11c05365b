/**
 * Which built-in text a customized one replaced. Built-in texts change with releases, and whoever customized one would
 * never learn of it: so beside each customized field is kept what the built-in text was when it was written. Pure.
 * Rule TEXT-11.
 */

/** By the name of the field or word. */
type Texts = Readonly<Partial<Record<string, string | null>>>;

/**
 * What to keep: for a field that is written or changed, the built-in text now; for one that stays, what was kept.
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

/** The built-in text that a customized one replaced, if it is another one now; undefined also if that is not known. */
export function builtInThen(replaced: Texts, field: string, now: string): string | undefined {
  const then = replaced[field];
  return typeof then === "string" && then !== now ? then : undefined;
}
