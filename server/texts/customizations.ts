/**
 * What one level says in all its messages and languages: the overview that editors begin with, and everything as a file
 * holds it. One statement each; asking text by text would be ten types times every language.
 */
import type { Caller } from "../access/caller";
import type { Context } from "../context";
import { type ApiError, isApiError } from "../protocol/api-error";
import { listCustomizations, listOwnTexts } from "../storage/message-texts";
import { isMessageType, MESSAGE_TYPES, type MessageType } from "./kinds";
import { LANGUAGES, type Language, parseLanguage } from "./languages";
import { fieldsOf, limitOf, MESSAGE_FIELDS, type MessageField, type MessageTextFields } from "./message-text";
import { authorizeOwner, type TextTarget } from "./text-owner";
import { isShortMessage } from "./visible";

/** Which fields the levels say something in, in one language. */
export interface CustomizedLanguage {
  language: Language;
  /** Empty at instance level. */
  organization: readonly MessageField[];
  instance: readonly MessageField[];
}

export interface MessageOverview {
  type: MessageType;
  /** It goes to phones, which show its text alone. */
  isShortMessage: boolean;
  /** Limits in characters (code points). */
  fields: readonly { name: MessageField; limit: number }[];
  /** Where some level says something; every other language has the built-in text. */
  languages: readonly CustomizedLanguage[];
}

export interface TextsOverview {
  /** All that texts can be kept in. */
  languages: readonly Language[];
  messages: readonly MessageOverview[];
}

type Owner = Pick<TextTarget, "level" | "organizationId">;

/** Every message with its fields, and where it was customized. */
export async function overviewTexts(ctx: Context, caller: Caller, target: Owner): Promise<TextsOverview | ApiError> {
  const owner = await authorizeOwner(ctx, caller, target, "read");
  if (isApiError(owner)) return owner;
  const rows = await listCustomizations(ctx.db, owner.organizationId ?? null);
  const languagesOf = (type: MessageType) =>
    LANGUAGES.flatMap((language): CustomizedLanguage[] => {
      const of = (level: "organization" | "instance") => {
        const row = rows.find((one) => one.type === type && one.language === language && one.level === level);
        return row ? fieldsOf(type).filter((field) => row[field] === 1) : [];
      };
      const levels = { organization: of("organization"), instance: of("instance") };
      return levels.organization.length + levels.instance.length > 0 ? [{ language, ...levels }] : [];
    });
  const messages = MESSAGE_TYPES.map((type) => ({
    type,
    isShortMessage: isShortMessage(type),
    fields: fieldsOf(type).map((name) => ({ name, limit: limitOf(type, name) })),
    languages: languagesOf(type),
  }));
  return { languages: LANGUAGES, messages };
}

/** One text as the bootstrap file has it. */
export type ExportedText = { type: MessageType; language: Language } & MessageTextFields;

/** Everything the level says, as `messageTexts` of the bootstrap file (contract: Bootstrap file). */
export async function exportTexts(
  ctx: Context,
  caller: Caller,
  target: Owner,
): Promise<{ messageTexts: ExportedText[] } | ApiError> {
  const owner = await authorizeOwner(ctx, caller, target, "read");
  if (isApiError(owner)) return owner;
  const rows = await listOwnTexts(ctx.db, owner.ownerId);
  const messageTexts = rows.flatMap(({ type, language: tag, ...fields }): ExportedText[] => {
    const language = parseLanguage(tag);
    const given = MESSAGE_FIELDS.flatMap((field) => (fields[field] ? [[field, fields[field]] as const] : []));
    if (!isMessageType(type) || !language || given.length === 0) return [];
    return [{ type, language, ...Object.fromEntries(given) }];
  });
  return { messageTexts };
}
