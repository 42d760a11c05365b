/**
 * The built-in message texts, used where neither the organization nor the instance has its own. They are code
 * (messages/) and not stored in the database: a corrected text reaches everyone at once, and a reset only removes an
 * override. Rule TEXT-1.
 */
import { type FrameMessages, mailMessages } from "../../messages/mail";
import type { BuiltInLanguage } from "../directory/policy/languages";
import type { MessageType } from "../message-types/table";
import { MESSAGE_FIELDS, type MessageField } from "./message-text";

/** A complete text. Fields that its type does not have, as the title of a short message, are empty. */
export type MessageText = Readonly<Record<MessageField, string>>;

type Catalogue = Readonly<Record<MessageType, Partial<MessageText>> & { frame: FrameMessages }>;

/** This does not compile if a language has no texts. */
const catalogues: Readonly<Record<BuiltInLanguage, Catalogue>> = mailMessages;

const texts = new Map<string, MessageText>();

/** The built-in text of a type; for a language that was added, of its base (directory/policy/languages.ts). */
export function builtInText(type: MessageType, language: BuiltInLanguage): MessageText {
  const key = `${type}/${language}`;
  let text = texts.get(key);
  if (!text) {
    const fields: Partial<MessageText> = catalogues[language][type];
    text = Object.fromEntries(MESSAGE_FIELDS.map((field) => [field, fields[field] ?? ""])) as MessageText;
    texts.set(key, text);
  }
  return text;
}

/** The words of the mail around a text. */
export const emailStrings = (language: BuiltInLanguage): FrameMessages => catalogues[language].frame;
