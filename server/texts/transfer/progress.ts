/** How far each language is written at instance level: how many texts are customized, translated, or fall back. */
import { gapsOf } from "../../../messages/gaps";
import type { Direction } from "../../../messages/locales";
import type { Context } from "../../context";
import { findInstance } from "../../directory/instance";
import {
  type BuiltInLanguage,
  baseOf,
  isBuiltIn,
  knownLanguages,
  type Language,
} from "../../directory/policy/languages";
import { MESSAGE_TYPES } from "../../message-types/table";
import { listOwnLoginTexts } from "../../storage/text/login-texts";
import { listOwnTexts } from "../../storage/text/message-texts";
import { fieldsOf } from "../message-text";
import { pageTextsOf } from "../pages/page-texts";

/** The texts of one kind in one language; the three counts add up to `total`. */
export interface KindProgress {
  total: number;
  /** Written by the instance. */
  customized: number;
  /** Built in, in this language. */
  translated: number;
  /** Shown in the language that the texts fall back to. */
  fallback: number;
}

export interface LanguageProgress {
  language: Language;
  /** Its name in itself. */
  name: string;
  direction: Direction;
  isAdded: boolean;
  isDefault: boolean;
  fallsBackTo: BuiltInLanguage;
  messages: KindProgress;
  pages: KindProgress;
}

/** Returns the progress of every language; the languages are ordered by their own names. */
export async function progressOfLanguages(ctx: Context): Promise<LanguageProgress[]> {
  const { id, defaultLanguage } = await findInstance(ctx);
  const [{ entries }, messages, pages] = await Promise.all([
    knownLanguages(ctx),
    listOwnTexts(ctx.db, id),
    listOwnLoginTexts(ctx.db, id),
  ]);
  const ownFields = new Map<string, Set<string>>();
  for (const { type, language, ...fields } of messages) {
    const of = ownFields.get(language) ?? new Set();
    for (const [field, text] of Object.entries(fields)) if (text) of.add(`${type}.${field}`);
    ownFields.set(language, of);
  }
  const ownWords = new Map(pages.map(({ language, words }) => [language, new Set(Object.keys(words))]));
  const fields = MESSAGE_TYPES.flatMap((type) => fieldsOf(type).map((field) => `${type}.${field}`));
  const { compare } = new Intl.Collator("en");
  return Promise.all(
    entries
      .toSorted((one, other) => compare(one.endonym, other.endonym))
      .map(async ({ tag, endonym, dir }): Promise<LanguageProgress> => {
        const builtIn = isBuiltIn(tag) ? tag : undefined;
        const base = await baseOf(ctx, tag);
        const lacks = (catalogue: "mail" | "login") => (key: string) =>
          builtIn === undefined || gapsOf(builtIn, catalogue).has(key);
        return {
          language: tag,
          name: endonym,
          direction: dir,
          isAdded: builtIn === undefined,
          isDefault: tag === defaultLanguage,
          fallsBackTo: builtIn === undefined ? base : "en",
          messages: progressOf(fields, ownFields.get(tag), lacks("mail")),
          pages: progressOf([...pageTextsOf(base).keys()], ownWords.get(tag), lacks("login")),
        };
      }),
  );
}

function progressOf(
  texts: readonly string[],
  own: ReadonlySet<string> = new Set(),
  isMissing: (text: string) => boolean,
): KindProgress {
  const progress = { total: texts.length, customized: 0, translated: 0, fallback: 0 };
  for (const text of texts) progress[own.has(text) ? "customized" : isMissing(text) ? "fallback" : "translated"]++;
  return progress;
}
