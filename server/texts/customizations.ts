/**
 * All texts that a level has customized, as an overview for editors and as an export. Each uses one statement; queries
 * for each type and language would take hundreds.
 */
import type { Context } from "../context";
import { mayChangeProtected } from "../directory/member/privileges";
import { type Language, languagesOf } from "../directory/policy/languages";
import { isMessageType, MESSAGE_TYPES, type MessageType } from "../message-types/table";
import { listCustomizations, listOwnTexts } from "../storage/text/message-texts";
import {
  fieldsOf,
  isShortMessage,
  limitOf,
  MESSAGE_FIELDS,
  type MessageField,
  type MessageTextFields,
} from "./message-text";
import { textOwner } from "./text-owner";
import { takesPower } from "./variables";

/** The fields that each level has customized, in one language. */
export interface CustomizedLanguage {
  language: string;
  /** Empty at instance level. */
  organization: readonly MessageField[];
  instance: readonly MessageField[];
}

export interface MessageOverview {
  type: MessageType;
  /** Whether the message is sent to phones, which show only its text. */
  isShortMessage: boolean;
  /**
   * The caller cannot change it: it opens or protects accounts, and its readers have permissions that the caller lacks.
   */
  takesPower?: true;
  /** The limits are in characters (code points). */
  fields: readonly { name: MessageField; limit: number }[];
  /** The languages with customized texts; all others have the built-in text. */
  languages: readonly CustomizedLanguage[];
}

export interface TextsOverview {
  /** All languages that texts can be customized in. */
  languages: readonly string[];
  messages: readonly MessageOverview[];
}

/**
 * Returns all types of message with their fields, and the languages and levels at which they are customized.
 * @param organizationId undefined: the instance's texts
 * @param readerId the user whose permissions decide what may be changed
 */
export async function overviewTexts(
  ctx: Context,
  organizationId: string | undefined,
  readerId: string,
): Promise<TextsOverview> {
  const languages = await languagesOf(ctx);
  const rows = await listCustomizations(ctx.db, organizationId ?? null);
  const customizedIn = (type: MessageType) =>
    languages.flatMap((language): CustomizedLanguage[] => {
      const of = (level: "organization" | "instance") => {
        const row = rows.find((one) => one.type === type && one.language === language && one.level === level);
        return row ? fieldsOf(type).filter((field) => row[field]) : [];
      };
      const levels = { organization: of("organization"), instance: of("instance") };
      return levels.organization.length + levels.instance.length > 0 ? [{ language, ...levels }] : [];
    });
  const hasPrivilege = await mayChangeProtected(ctx, readerId, organizationId);
  const messages = MESSAGE_TYPES.map((type) => ({
    type,
    isShortMessage: isShortMessage(type),
    ...(!hasPrivilege && takesPower(type) && { takesPower: true as const }),
    fields: fieldsOf(type).map((name) => ({ name, limit: limitOf(type, name) })),
    languages: customizedIn(type),
  }));
  return { languages, messages };
}

/** One text in the format of the bootstrap file. */
export type ExportedText = { type: MessageType; language: Language } & MessageTextFields;

/**
 * Returns all texts of the level, in the format of `messageTexts` in the bootstrap file (rule BOOTSTRAP-4).
 * @param organizationId undefined: the instance's texts
 */
export async function exportTexts(
  ctx: Context,
  organizationId: string | undefined,
): Promise<{ messageTexts: ExportedText[] }> {
  const languages = await languagesOf(ctx);
  const rows = await listOwnTexts(ctx.db, (await textOwner(ctx, organizationId)).ownerId);
  const messageTexts = rows.flatMap(({ type, language: tag, ...fields }): ExportedText[] => {
    const language = languages.find((one) => one === tag);
    const given = MESSAGE_FIELDS.flatMap((field) => (fields[field] ? [[field, fields[field]] as const] : []));
    if (!isMessageType(type) || !language || given.length === 0) return [];
    return [{ type, language, ...Object.fromEntries(given) }];
  });
  return { messageTexts };
}
