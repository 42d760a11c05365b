/**
 * The fields of a message text and their limits, counted in characters (code points). Rule TEXT-4.
 */
import type { z } from "zod";
import { text } from "../directory/fields";
import { definitionOf, type MessageType } from "../message-types/table";
import { type Reason, reason } from "../protocol/reason";

export const MESSAGE_FIELDS = [
  "title",
  "preHeader",
  "subject",
  "greeting",
  "text",
  "buttonText",
  "footerText",
] as const;
export type MessageField = (typeof MESSAGE_FIELDS)[number];

/** Characters. */
const FIELD_LIMITS: Readonly<Record<MessageField, number>> = {
  title: 500,
  preHeader: 500,
  subject: 500,
  greeting: 1000,
  text: 10000,
  buttonText: 500,
  footerText: 2000,
};

/** The limit of the text of a text message, in characters. */
const SHORT_MESSAGE_LIMIT = 800;

/** Returns whether a queued message goes to a phone, by its type or by request. */
export function isForPhone(type: MessageType, { toPhone = false }: { toPhone?: boolean } = {}): boolean {
  return toPhone || isShortMessage(type);
}

/** Returns whether messages of this type are sent to phones, which show only the text. */
export function isShortMessage(type: MessageType): boolean {
  return definitionOf(type).channel === "sms";
}

export function fieldsOf(type: MessageType): readonly MessageField[] {
  return definitionOf(type).hasTextOnly ? ["text"] : MESSAGE_FIELDS;
}

/** Returns the limit of a field in messages of this type, in characters (code points). */
export function limitOf(type: MessageType, field: MessageField): number {
  return field === "text" && isShortMessage(type) ? SHORT_MESSAGE_LIMIT : FIELD_LIMITS[field];
}

export const messageTextShape = Object.fromEntries(
  MESSAGE_FIELDS.map((field) => [field, text(FIELD_LIMITS[field]).optional()]),
) as Record<MessageField, z.ZodOptional<z.ZodString>>;

export type MessageTextFields = Partial<Record<MessageField, string>>;

/** Rejects fields that messages of this type do not have. */
export function checkForType(
  type: MessageType,
  fields: MessageTextFields,
): { field: MessageField; reason: Reason } | undefined {
  const field = MESSAGE_FIELDS.find((name) => name !== "text" && fields[name] !== undefined);
  return definitionOf(type).hasTextOnly && field ? { field, reason: reason("text_only", { type }) } : undefined;
}
