/**
 * The languages of the instance: those that are built in (messages/) and those that its administrators have added. An
 * added one has no built-in texts; where it has none of its own, its base is used, which is the instance's default
 * language, or English if that is an added language itself. Rule TEXT-13.
 *
 * The languages are part of the restrictions, the policy of languages that may be chosen, so one cached value contains
 * both and a page view does not query the database.
 */
import { type Direction, type LocaleTag, locales } from "../../../messages/locales";
import type { Context } from "../../context";
import { type ApiError, invalidArgument } from "../../protocol/api-error";
import { reason } from "../../protocol/reason";
import type { Transaction } from "../../storage/database";
import { readInstanceLanguage } from "../../storage/instance/instance";
import { findInstance } from "../instance";
import { findPolicy, type PolicySettings } from "./policies";

/** A language with texts in messages/. */
export type BuiltInLanguage = LocaleTag;
declare const added: unique symbol;
/** A language that one instance has added; only the functions here create one from a string. */
export type AddedLanguage = string & { readonly [added]: true };
/** A language that texts can be written in. */
export type Language = BuiltInLanguage | AddedLanguage;

export interface LanguageEntry {
  /** BCP 47, canonical. */
  tag: Language;
  /** Its name in itself. */
  endonym: string;
  dir: Direction;
}

export const BUILT_IN_LANGUAGES: readonly BuiltInLanguage[] = locales.map(({ tag }) => tag);
const builtIn: ReadonlySet<string> = new Set(BUILT_IN_LANGUAGES);

export const isBuiltIn = (tag: string): tag is BuiltInLanguage => builtIn.has(tag);

/** Scripts that are written from right to left. Node 20 and 22 have different names for the direction. */
const RIGHT_TO_LEFT: ReadonlySet<string> = new Set(
  "Adlm Arab Aran Hebr Mand Mend Nkoo Rohg Samr Syrc Thaa Yezi".split(" "),
);

/**
 * Returns the direction in which a language is usually written.
 * @param tag BCP 47
 */
function directionOfLanguage(tag: string): Direction {
  return RIGHT_TO_LEFT.has(new Intl.Locale(tag).maximize().script ?? "") ? "rtl" : "ltr";
}

interface Known {
  /** All languages, the built-in ones first. */
  entries: readonly LanguageEntry[];
  all: readonly Language[];
  /** The languages that users may choose. */
  allowed: readonly Language[];
  /** Ordered by their own names. */
  allowedEntries: readonly LanguageEntry[];
}

type Restrictions = PolicySettings<"restrictions">;

/** By the cached policy, which is a new object after each change. */
const knownBy = new WeakMap<Restrictions, Known>();

function knownIn(restrictions: Restrictions): Known {
  let known = knownBy.get(restrictions);
  if (!known) {
    // A language may have been built in since it was added.
    const added = restrictions.addedLanguages.filter(({ tag }) => !isBuiltIn(tag));
    const entries = [...locales, ...added.map(entryOfAdded)];
    const { allowedLanguages } = restrictions;
    const isAllowed = ({ tag }: LanguageEntry) => allowedLanguages.length === 0 || allowedLanguages.includes(tag);
    // As a reader looks for a language: by its own name.
    const { compare } = new Intl.Collator("en");
    const allowedEntries = entries.filter(isAllowed).toSorted((a, b) => compare(a.endonym, b.endonym));
    const tags = (of: readonly LanguageEntry[]) => of.map(({ tag }) => tag);
    known = { entries, all: tags(entries), allowed: tags(entries.filter(isAllowed)), allowedEntries };
    knownBy.set(restrictions, known);
  }
  return known;
}

const entryOfAdded = ({ tag, name }: Restrictions["addedLanguages"][number]): LanguageEntry => ({
  tag: tag as AddedLanguage,
  endonym: name,
  dir: directionOfLanguage(tag),
});

/** Returns all languages of the instance and those that may be chosen; at most five seconds old. */
export async function knownLanguages(ctx: Context): Promise<Known> {
  return knownIn(await findPolicy(ctx, "restrictions", undefined));
}

/** Returns the languages that administrators have added. */
export async function addedEntries(ctx: Context): Promise<readonly LanguageEntry[]> {
  return (await knownLanguages(ctx)).entries.filter(({ tag }) => !isBuiltIn(tag));
}

/** Returns all languages that texts can be written in. */
export const languagesOf = async (ctx: Context): Promise<readonly Language[]> => (await knownLanguages(ctx)).all;

/** Returns the languages that users may choose. */
export const allowedLanguages = async (ctx: Context): Promise<readonly Language[]> =>
  (await knownLanguages(ctx)).allowed;

/**
 * Returns the language of a BCP 47 tag in any letter case; undefined for anything else, including regional forms of
 * existing languages.
 */
export async function findLanguage(ctx: Context, tag: string): Promise<Language | undefined> {
  const wanted = tag.toLowerCase();
  return isBuiltIn(wanted) ? wanted : (await languagesOf(ctx)).find((language) => language === wanted);
}

/** Returns the language of a BCP 47 tag, or the error for an unknown language. */
export async function supportedLanguage(ctx: Context, tag: string): Promise<Language | ApiError> {
  return (await findLanguage(ctx, tag)) ?? languageNotSupported(await languagesOf(ctx));
}

/** Returns the error for a language that texts cannot be written in. */
export function languageNotSupported(languages: readonly string[]): ApiError {
  const values = languages.join(", ");
  return invalidArgument("language.not_supported", `Supported languages are ${values}.`, {
    field: "language",
    reason: reason("one_of", { values }),
  });
}

const baseBy = (defaultLanguage: string): BuiltInLanguage => (isBuiltIn(defaultLanguage) ? defaultLanguage : "en");

/** Returns the language of the built-in texts that are used where the language has no text. */
export async function baseOf(ctx: Context, language: Language): Promise<BuiltInLanguage> {
  return isBuiltIn(language) ? language : baseBy((await findInstance(ctx)).defaultLanguage);
}

/** Returns the base within a transaction, which must not wait for a second connection. */
export async function readBase(tx: Transaction, language: Language): Promise<BuiltInLanguage> {
  return isBuiltIn(language) ? language : baseBy((await readInstanceLanguage(tx)) ?? "en");
}

/** Returns the direction and the name of a language. One that was removed meanwhile is described by its tag. */
export async function languageEntry(ctx: Context, language: Language): Promise<LanguageEntry> {
  const { entries } = await knownLanguages(ctx);
  return (
    entries.find(({ tag }) => tag === language) ?? {
      tag: language,
      endonym: language,
      dir: directionOfLanguage(language),
    }
  );
}
