/**
 * All texts of one level in one language as a list for translators: each field of each message and each word of the
 * pages, with its source text and its current text.
 */
import { gapsOf } from "../../../messages/gaps";
import type { Context } from "../../context";
import { baseOf, isBuiltIn, type Language } from "../../directory/policy/languages";
import { MESSAGE_TYPES, type MessageType } from "../../message-types/table";
import { inheritedText, type overInherited } from "../inherited";
import { findOwnText } from "../level/level-text";
import { fieldsOf, limitOf, type MessageField } from "../message-text";
import { PAGE_TEXT_LIMIT } from "../pages/check-page-text";
import { pageTextsOf } from "../pages/page-texts";
import { readPageTexts } from "../pages/resolve-page-texts";
import { type OwnText, textOwner } from "../text-owner";
import { variablesOf } from "../variables";

/** The origin of a unit: a field of a message, or a word of a page. */
export type UnitOf = { type: MessageType; field: MessageField } | { word: string };

export interface TextUnit {
  /** `message.verifyemail.subject`, `page.signIn.title`. */
  id: string;
  of: UnitOf;
  /** The level's own text, or undefined. */
  own: string | undefined;
  /** The text that applies without an own one. */
  inherited: string;
  /** Whether the inherited text is in another language, because no one has written it in this one. */
  fallsBack: boolean;
  /** Characters (code points). */
  limit: number;
  /** Variable names, as in `{{.Code}}`. */
  variables: readonly string[];
}

/** Lists all units. @param organizationId undefined: the instance's texts */
export async function listTextUnits(
  ctx: Context,
  organizationId: string | undefined,
  language: Language,
): Promise<TextUnit[]> {
  const owner = await textOwner(ctx, organizationId);
  const lacks = (catalogue: "mail" | "login", key: string) =>
    !isBuiltIn(language) || gapsOf(language, catalogue).has(key);
  const messages = await Promise.all(
    MESSAGE_TYPES.map(async (type): Promise<TextUnit[]> => {
      const key = { ownerId: owner.ownerId, type, language };
      const [inherited, { own }, { own: general }] = await Promise.all([
        inheritedText(ctx, owner, key),
        findOwnText(ctx, key),
        organizationId === undefined ? { own: {} } : findOwnText(ctx, { ...key, ownerId: owner.instanceId }),
      ]);
      return fieldsOf(type).map((field) => ({
        id: `message.${type}.${field}`,
        of: { type, field },
        own: own[field],
        inherited: inherited[field],
        fallsBack: !(general as OwnText)[field] && lacks("mail", `${type}.${field}`),
        limit: limitOf(type, field),
        variables: variablesOf(type).map(({ name }) => name),
      }));
    }),
  );
  const general = organizationId === undefined ? {} : await readPageTexts(ctx, language, undefined);
  const { own } = await findOwnText(ctx, { ownerId: owner.ownerId, type: undefined, language });
  const pages = [...pageTextsOf(await baseOf(ctx, language))].map(([word, { text, variables }]): TextUnit => {
    const inherited = general[word] ?? text;
    const names = [...variables.keys()];
    const fallsBack = general[word] === undefined && lacks("login", word);
    const limit = PAGE_TEXT_LIMIT;
    return { id: `page.${word}`, of: { word }, own: own[word], inherited, fallsBack, limit, variables: names };
  });
  return [...messages.flat(), ...pages];
}

/** Returns the text in force. */
export const unitText = ({ own, inherited }: TextUnit): string => own ?? inherited;

/** Returns whether the text in force is written in the language, rather than falling back to another one. */
export const isTranslated = ({ own, fallsBack }: TextUnit): boolean => own !== undefined || !fallsBack;

export function messageFields(units: readonly TextUnit[]) {
  const entries = units.flatMap(({ of, own, inherited }) =>
    "type" in of ? [[of.field, own, inherited] as const] : [],
  );
  const own = Object.fromEntries(entries.flatMap(([field, text]) => (text === undefined ? [] : [[field, text]])));
  const inherited = Object.fromEntries(entries.map(([field, , text]) => [field, text])) as Parameters<
    typeof overInherited
  >[1];
  return { own, inherited };
}
