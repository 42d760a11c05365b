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

/** Returns the own fields whose built-in text has changed since, and the current built-in text of each own field. */
export function outdatedTexts(
  { own, replaced }: { own: Texts; replaced: Texts } = { own: {}, replaced: {} },
  builtIn: (field: string) => string | undefined,
): { fields: string[]; current: Record<string, string> } {
  const known = Object.keys(own).map((field) => [field, builtIn(field)] as const);
  const current = Object.fromEntries(known.flatMap(([field, now]) => (now === undefined ? [] : [[field, now]])));
  const fields = Object.keys(current).filter(
    (field) => builtInThen(replaced, field, current[field] ?? "") !== undefined,
  );
  return { fields, current };
}
