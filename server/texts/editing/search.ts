/**
 * Searches the texts of all messages and pages in all languages: the level's own text, else the instance's, else the
 * built-in one. The built-in texts are in memory; customized ones take two statements for each level.
 */
import type { Context } from "../../context";
import { type BuiltInLanguage, baseOf, type Language, languagesOf } from "../../directory/policy/languages";
import { MESSAGE_TYPES, type MessageType } from "../../message-types/table";
import { listOwnLoginTexts } from "../../storage/text/login-texts";
import { listOwnTexts } from "../../storage/text/message-texts";
import { builtInText } from "../built-in";
import { fieldsOf } from "../message-text";
import { pageTextsOf } from "../pages/page-texts";
import type { TextLayer } from "../resolve";
import { textOwner } from "../text-owner";

/** The maximum number of results. */
const MAX_FOUND = 100;

export interface FoundText {
  language: Language;
  /** Undefined for a word of the pages. */
  type: MessageType | undefined;
  /** The field of the message, or the word: `signIn.title`. */
  field: string;
  text: string;
  layer: TextLayer;
}

export interface TextSearch {
  /** Undefined: the instance's texts. */
  organizationId: string | undefined;
  /** Matches anywhere in a text, ignoring case. */
  query: string;
  /** Undefined: all languages. */
  language: Language | undefined;
}

export async function searchTexts(
  ctx: Context,
  { organizationId, query, language }: TextSearch,
): Promise<{ found: FoundText[]; isMore: boolean }> {
  const { instanceId } = await textOwner(ctx, organizationId);
  const levels: [TextLayer, string][] = [
    ...(organizationId === undefined ? [] : [["organization", organizationId] as [TextLayer, string]]),
    ["instance", instanceId],
  ];
  const said = await Promise.all(
    levels.map(async ([layer, ownerId]) => [layer, await customizedBy(ctx, ownerId)] as const),
  );
  const wanted = query.toLocaleLowerCase();
  const found: FoundText[] = [];
  const languages = await Promise.all(
    (language === undefined ? await languagesOf(ctx) : [language]).map(
      async (one) => [one, await baseOf(ctx, one)] as const,
    ),
  );
  for (const one of everyText(languages)) {
    const key = `${one.language}/${one.type ?? ""}/${one.field}`;
    const [layer, own] = said.find(([, texts]) => texts.has(key)) ?? (["built_in", undefined] as const);
    const text = own?.get(key) ?? one.text;
    if (!text.toLocaleLowerCase().includes(wanted) && !one.field.toLocaleLowerCase().includes(wanted)) continue;
    if (found.length === MAX_FOUND) return { found, isMore: true };
    found.push({ ...one, text, layer });
  }
  return { found, isMore: false };
}

/** Returns customized texts by language, message and field. */
async function customizedBy(ctx: Context, ownerId: string): Promise<ReadonlyMap<string, string>> {
  const [messages, pages] = await Promise.all([listOwnTexts(ctx.db, ownerId), listOwnLoginTexts(ctx.db, ownerId)]);
  return new Map([
    ...messages.flatMap(({ type, language, ...fields }) =>
      Object.entries(fields).flatMap(([field, text]) =>
        text ? [[`${language}/${type}/${field}`, text] as const] : [],
      ),
    ),
    ...pages.flatMap(({ language, words }) =>
      Object.entries(words).map(([word, text]) => [`${language}//${word}`, text] as const),
    ),
  ]);
}

/** Yields the built-in texts of each given language, taken from its base. */
function* everyText(languages: readonly (readonly [Language, BuiltInLanguage])[]): Generator<Omit<FoundText, "layer">> {
  for (const [language, base] of languages) {
    for (const type of MESSAGE_TYPES) {
      const texts = builtInText(type, base);
      for (const field of fieldsOf(type)) yield { language, type, field, text: texts[field] };
    }
    for (const [field, { text }] of pageTextsOf(base)) yield { language, type: undefined, field, text };
  }
}
