/**
 * Searches everything that messages and pages say, in all languages: what the level itself says, else the instance, else
 * the built-in text. The built-in texts are in memory, and what is customized takes two statements for each level.
 */
import type { Context } from "../../context";
import { type BuiltInLanguage, baseOf, type Language, languagesOf } from "../../directory/policy/languages";
import { MESSAGE_TYPES, type MessageType } from "../../message-types/table";
import { listOwnLoginTexts } from "../../storage/login-texts";
import { listOwnTexts } from "../../storage/message-texts";
import { builtInText } from "../built-in";
import { wordsOf } from "../login/words";
import { fieldsOf } from "../message-text";
import type { TextLayer } from "../resolve";
import { textOwner } from "../text-owner";

/** As many as are shown. */
export const MAX_FOUND = 100;

export interface FoundText {
  language: Language;
  /** Undefined: a word of the pages. */
  type: MessageType | undefined;
  /** Of the message, or the word: `signIn.title`. */
  field: string;
  text: string;
  layer: TextLayer;
}

export interface TextSearch {
  /** Undefined: the instance's texts. */
  organizationId: string | undefined;
  /** Somewhere in a text, in upper or lower case. */
  query: string;
  /** Undefined: in all. */
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

/** By language, message and field. */
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

/** The built-in texts of languages, each with that of its built-in texts. */
function* everyText(languages: readonly (readonly [Language, BuiltInLanguage])[]): Generator<Omit<FoundText, "layer">> {
  for (const [language, base] of languages) {
    for (const type of MESSAGE_TYPES) {
      const texts = builtInText(type, base);
      for (const field of fieldsOf(type)) yield { language, type, field, text: texts[field] };
    }
    for (const [field, { text }] of wordsOf(base)) yield { language, type: undefined, field, text };
  }
}
