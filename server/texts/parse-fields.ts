/**
 * Parses a request body with the fields of a text. As in the JSON mapping of protocol buffers, both spellings of a name
 * are accepted (preHeader, pre_header), and unknown members are ignored; api/operation/perform.ts names them in the
 * response. A field that is not a string is rejected by name. Limits and variables are checked in lint.ts.
 */
import { z } from "zod";
import type { MessageType } from "../message-types/table";
import { type ApiError, invalidArgument, isApiError } from "../protocol/api-error";
import { reason } from "../protocol/reason";
import { fieldsOf, limitOf, type MessageField, type MessageTextFields } from "./message-text";

const DESCRIPTIONS: Readonly<Record<MessageField, string>> = {
  title: "Heading of the mail.",
  preHeader: "What lists of mails show after the subject.",
  subject: "Subject of the mail.",
  greeting: "Form of address.",
  text: "The message itself; empty lines separate paragraphs.",
  buttonText: "Label of the button.",
  footerText: "Small print at the end.",
};

const bodies = new Map<MessageType, z.ZodObject>();

/**
 * Returns the body schema of a type: its fields, all optional strings; null counts as omitted. Limits are in
 * characters.
 */
export function messageTextBody(type: MessageType): z.ZodObject {
  let body = bodies.get(type);
  if (!body) {
    const shape = fieldsOf(type).map((field) => {
      const description = `${DESCRIPTIONS[field]} Empty or left out: what the level beneath says.`;
      return [
        field,
        z
          .string()
          .nullish()
          .meta({ description, maxLength: limitOf(type, field) }),
      ] as const;
    });
    body = z.object(Object.fromEntries(shape));
    bodies.set(type, body);
  }
  return body;
}

/** Parses the fields. @param body the parsed JSON, undefined without a body, or the error of reading it */
export function parseFields(type: MessageType, body: unknown): MessageTextFields | ApiError {
  if (isApiError(body)) return body;
  if (typeof body !== "object" || body === null || Array.isArray(body)) {
    return invalidArgument("request.no_object", "Send a JSON object as the body; {} is fine.");
  }
  const given: Record<string, unknown> = {};
  for (const field of fieldsOf(type)) {
    const spellings = [...new Set([field, snakeCase(field)])].filter((name) => Object.hasOwn(body, name));
    if (spellings.length > 1) {
      return invalidArgument("request.repeated_member", `${spellings.join(" and ")} are the same field.`, { field });
    }
    for (const name of spellings) given[field] = (body as Record<string, unknown>)[name];
  }
  const parsed = messageTextBody(type).safeParse(given);
  if (parsed.success) return withoutNull(parsed.data);
  const field = String(parsed.error.issues[0]?.path[0]);
  return invalidArgument("request.wrong_type", `${field} must be a string.`, { field, reason: reason("string") });
}

function snakeCase(field: string): string {
  return field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

function withoutNull(fields: Record<string, unknown>): MessageTextFields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null && value !== undefined));
}
