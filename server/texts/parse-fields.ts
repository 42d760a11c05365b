/**
 * The fields of a text in request bodies. Limits and variables are checked in lint.ts, as their refusals name the place
 * in the text.
 */
import { z } from "zod";
import type { MessageType } from "../message-types/table";
import { type ApiError, invalidArgument } from "../protocol/api-error";
import { reason } from "../protocol/reason";
import { fieldsOf, limitOf, MESSAGE_FIELDS, type MessageField, type MessageTextFields } from "./message-text";

const DESCRIPTIONS: Readonly<Record<MessageField, string>> = {
  title: "Heading of the mail.",
  preHeader: "What lists of mails show after the subject.",
  subject: "Subject of the mail.",
  greeting: "Form of address.",
  text: "The message itself; empty lines separate paragraphs.",
  buttonText: "Label of the button.",
  footerText: "Small print at the end.",
};

const bodies = new Map<MessageType, z.ZodType<MessageTextFields, Record<string, unknown>>>();

/**
 * Returns the body schema of a type: its fields, all optional strings; null counts as omitted. Documents show it
 * without `additionalProperties`, because the API ignores unknown members.
 */
export function messageTextBody(type: MessageType): z.ZodType<MessageTextFields, Record<string, unknown>> {
  const known = bodies.get(type);
  if (known) return known;
  const shape = fieldsOf(type).map((field) => {
    const description = `${DESCRIPTIONS[field]} If it is empty or left out, the text of the level below applies.`;
    return [
      field,
      z
        .string()
        .nullish()
        .meta({ description, maxLength: limitOf(type, field) }),
    ] as const;
  });
  const body = z
    .strictObject(Object.fromEntries(shape))
    .meta({ additionalProperties: undefined })
    .transform(withoutNull);
  bodies.set(type, body);
  return body;
}

function withoutNull(fields: Readonly<Record<string, string | null | undefined>>): MessageTextFields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => typeof value === "string"));
}

/** The refusal of a body with texts, which has ids of its own. */
export function refuseTextBody({ issues: [issue] }: z.ZodError): ApiError {
  const field = issue?.path.at(-1);
  if (field === undefined) {
    return invalidArgument("request.no_object", "Send a JSON object as the body; {} is fine.");
  }
  const isField = MESSAGE_FIELDS.some((name) => name === field);
  return isField
    ? invalidArgument("request.wrong_type", `${String(field)} must be a string.`, {
        field: String(field),
        reason: reason("string"),
      })
    : invalidArgument("request.wrong_type", `${String(field)} has the wrong type.`, { field: String(field) });
}
