/**
 * The built-in message texts, used where neither the organization nor the instance has its own. They are code
 * (messages/) and are not stored in the database: a corrected text takes effect everywhere at once, and a reset only
 * removes an override. Rule TEXT-1.
 */
import { type FrameMessages, mailMessages } from "../../messages/mail";
import type { BuiltInLanguage } from "../directory/policy/languages";
import type { MessageType } from "../message-types/table";
import { MESSAGE_FIELDS, type MessageField } from "./message-text";

/** A complete text. Fields that its type does not have, such as the title of a text message, are empty. */
export type MessageText = Readonly<Record<MessageField, string>>;

type Catalogue = Readonly<Record<MessageType, Partial<MessageText>> & { frame: FrameMessages }>;

/** Fails to compile if a language has no texts. */
const catalogues: Readonly<Record<BuiltInLanguage, Catalogue>> = mailMessages;

const texts = new Map<string, MessageText>();

/** Returns the built-in text of a type; for an added language, that of its base (directory/policy/languages.ts). */
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

/** Returns the words of the mail layout around a text. */
export const emailStrings = (language: BuiltInLanguage): FrameMessages => catalogues[language].frame;
