/**
 * The order of a user's names. In some languages the family name comes first; if the user's language is unknown, the
 * reader's language decides. A typed display name is shown unchanged.
 */
const FAMILY_FIRST: ReadonlySet<string> = new Set(["ja", "zh", "ko", "hu", "vi"]);
/** Languages that write names without a space, in their own script. */
const UNSPACED: ReadonlySet<string> = new Set(["zh", "ko"]);
const OWN_SCRIPT = /^[\p{Script=Han}\p{Script=Hangul}]+$/u;
/** Languages that put the family name first in their own script. In Latin letters, both orders are usual. */
const EAST_ASIAN: ReadonlySet<string> = new Set(["ja", "zh", "ko"]);
const EAST_ASIAN_SCRIPT = /[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}]/u;

const base = (language: string) => language.split("-", 1)[0]?.toLowerCase() ?? "";

/**
 * Whether the language puts the family name first.
 * @param language a BCP 47 tag
 */
export function isFamilyFirst(language: string | null | undefined): boolean {
  return typeof language === "string" && FAMILY_FIRST.has(base(language));
}

export interface Names {
  firstName?: string | null;
  lastName?: string | null;
  /** The BCP 47 tag. */
  preferredLanguage?: string | null;
}

/** Returns the complete name, in the order of the user's language; null if there are no names. */
export function composeName({ firstName, lastName, preferredLanguage }: Names): string | null {
  const inOrder = isFamilyFirst(preferredLanguage) ? [lastName, firstName] : [firstName, lastName];
  const parts = inOrder.filter((part): part is string => Boolean(part));
  const isUnspaced = UNSPACED.has(base(preferredLanguage ?? "")) && parts.every((part) => OWN_SCRIPT.test(part));
  return parts.length === 0 ? null : parts.join(isUnspaced ? "" : " ");
}

/** Whether a display name was composed of the names, in any order, so that it is updated with them. */
export function isComposedName(displayName: string | null | undefined, names: Names): boolean {
  const made = ["en", names.preferredLanguage, "ja", "zh"].map((preferredLanguage) =>
    composeName({ ...names, preferredLanguage }),
  );
  return made.includes(displayName ?? null);
}

/**
 * Returns the display name of a user. A stored name that was composed of the others is put in order: earlier releases
 * put the given name first in every language. A name in Latin letters is shown as it is stored for languages with a
 * script of their own.
 * @param reader the language that decides if the user's is unknown, a BCP 47 tag
 */
export function shownName<Shown extends string | null | undefined>(
  person: Names & { displayName: Shown },
  reader?: string,
): Shown | string {
  const { displayName } = person;
  if (!displayName || !isComposedName(displayName, person)) return displayName;
  const preferredLanguage = person.preferredLanguage || reader;
  if (EAST_ASIAN.has(base(preferredLanguage ?? "")) && !EAST_ASIAN_SCRIPT.test(displayName)) return displayName;
  return composeName({ ...person, preferredLanguage }) ?? displayName;
}
