/**
 * The fields of a message text and their limits, counted in characters (code points). Rule TEXT-4.
 */
import type { z } from "zod";
import { text } from "../directory/fields";
import { type Reason, reason } from "../protocol/reason";
import type { MessageType } from "./kinds";

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
export const LIMITS: Readonly<Record<MessageField, number>> = {
  title: 500,
  preHeader: 500,
  subject: 500,
  greeting: 1000,
  text: 10000,
  buttonText: 500,
  footerText: 2000,
};

/** The limit of a short message's text, which is all that phones show of it. */
const SHORT_MESSAGE_LIMIT = 800;
const TEXT_ONLY: ReadonlySet<MessageType> = new Set(["verifysmsotp"]);
const SHORT: ReadonlySet<MessageType> = new Set(["verifysmsotp", "verifyphone"]);

/** The fields that messages of this type have. */
export function fieldsOf(type: MessageType): readonly MessageField[] {
  return TEXT_ONLY.has(type) ? ["text"] : MESSAGE_FIELDS;
}

/** The limit of a field in messages of this type, in characters (code points). */
export function limitOf(type: MessageType, field: MessageField): number {
  return field === "text" && SHORT.has(type) ? SHORT_MESSAGE_LIMIT : LIMITS[field];
}

export const messageTextShape = Object.fromEntries(
  MESSAGE_FIELDS.map((field) => [field, text(LIMITS[field]).optional()]),
) as Record<MessageField, z.ZodOptional<z.ZodString>>;

export type MessageTextFields = Partial<Record<MessageField, string>>;

/** Refuses fields that messages of this type do not have. */
export function checkForType(
  type: MessageType,
  fields: MessageTextFields,
): { field: MessageField; reason: Reason } | undefined {
  const field = MESSAGE_FIELDS.find((name) => name !== "text" && fields[name] !== undefined);
  return TEXT_ONLY.has(type) && field ? { field, reason: reason("text_only", { type }) } : undefined;
}
