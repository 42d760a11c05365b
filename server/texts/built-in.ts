/**
 * The built-in message texts, used where neither the organization nor the instance has its own. They are code
 * (messages/) and not stored in the database: a corrected text reaches everyone at once, and a reset only removes an
 * override. Rule TEXT-1.
 */
import { type FrameMessages, mailMessages } from "../../messages/mail";
import type { MessageType } from "../message-types/table";
import { negotiateLocale } from "../protocol/ui-locales";
import { LANGUAGES, type Language, parseLanguage } from "./languages";
import { MESSAGE_FIELDS, type MessageField } from "./message-text";

/** A complete text. Fields that its type does not have, as the title of a short message, are empty. */
export type MessageText = Readonly<Record<MessageField, string>>;

type Catalogue = Readonly<Record<MessageType, Partial<MessageText>> & { frame: FrameMessages }>;

/** This does not compile if a language has no texts. */
const catalogues: Readonly<Record<Language, Catalogue>> = mailMessages;

const texts = new Map<string, MessageText>();

/** The built-in text of a type. The language is chosen as by `builtInLanguage`. */
export function builtInText(type: MessageType, language: string, defaultLanguage?: string): MessageText {
  const chosen = builtInLanguage(language, defaultLanguage).language;
  const key = `${type}/${chosen}`;
  let text = texts.get(key);
  if (!text) {
    const fields: Partial<MessageText> = catalogues[chosen][type];
    text = Object.fromEntries(MESSAGE_FIELDS.map((field) => [field, fields[field] ?? ""])) as MessageText;
    texts.set(key, text);
  }
  return text;
}

/** The words of the mail around a text, in the language chosen as by `builtInLanguage`. */
export function emailStrings(language: string, defaultLanguage?: string): FrameMessages {
  return catalogues[builtInLanguage(language, defaultLanguage).language].frame;
}

/**
 * The language to use: the one asked for (`exact`), else its base (`de-CH` → `de`), else the default, else English.
 * Takes any BCP 47 tag, in upper or lower case; for anything else the default is used.
 */
export function builtInLanguage(
  language: string,
  defaultLanguage = "en",
): { language: Language; match: "exact" | "base" | "default" } {
  const exact = parseLanguage(language);
  if (exact) return { language: exact, match: "exact" };
  const base = closest(language);
  return base ? { language: base, match: "base" } : { language: closest(defaultLanguage) ?? "en", match: "default" };
}

function closest(language: string): Language | undefined {
  return parseLanguage(negotiateLocale([language], LANGUAGES) ?? "");
}
