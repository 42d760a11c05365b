/**
 * The order of a person's names. In some languages the family name comes first; whoever's language is not known is named
 * as their reader's language does. A display name that somebody typed is shown as it is.
 */
const FAMILY_FIRST: ReadonlySet<string> = new Set(["ja", "zh", "ko", "hu", "vi"]);
/** Written without a space between the names, in their own script. */
const UNSPACED: ReadonlySet<string> = new Set(["zh", "ko"]);
const OWN_SCRIPT = /^[\p{Script=Han}\p{Script=Hangul}]+$/u;

const base = (language: string) => language.split("-", 1)[0]?.toLowerCase() ?? "";

/** Whether the language puts the family name first. @param language BCP 47 */
export function isFamilyFirst(language: string | null | undefined): boolean {
  return typeof language === "string" && FAMILY_FIRST.has(base(language));
}

export interface Names {
  firstName?: string | null;
  lastName?: string | null;
  /** BCP 47. */
  preferredLanguage?: string | null;
}

/** The names as one, in the order of the person's language; null without any. */
export function composeName({ firstName, lastName, preferredLanguage }: Names): string | null {
  const inOrder = isFamilyFirst(preferredLanguage) ? [lastName, firstName] : [firstName, lastName];
  const parts = inOrder.filter((part): part is string => Boolean(part));
  const isUnspaced = UNSPACED.has(base(preferredLanguage ?? "")) && parts.every((part) => OWN_SCRIPT.test(part));
  return parts.length === 0 ? null : parts.join(isUnspaced ? "" : " ");
}

/** Whether a display name was made of the names, in whichever order, so that it follows them. */
export function isComposedName(displayName: string | null | undefined, names: Names): boolean {
  const made = ["en", names.preferredLanguage, "ja", "zh"].map((preferredLanguage) =>
    composeName({ ...names, preferredLanguage }),
  );
  return made.includes(displayName ?? null);
}

/**
 * What a person is called. A stored name that was made of the others is put in order: those of earlier releases have the
 * given name first in every language.
 * @param reader whose order it is where the person's is not known, BCP 47
 */
export function shownName<Shown extends string | null | undefined>(
  person: Names & { displayName: Shown },
  reader?: string,
): Shown | string {
  const { displayName, preferredLanguage } = person;
  if (!displayName || !isComposedName(displayName, person)) return displayName;
  return composeName({ ...person, preferredLanguage: preferredLanguage || reader }) ?? displayName;
}
