/** What of a message text its readers see. */
import type { MessageType } from "./kinds";
import { fieldsOf, type MessageField } from "./message-text";
import { parseTemplate } from "./template";
import { findVariable } from "./variables";

/** A phone shows the text alone, whatever other fields a type has. */
const SHORT_MESSAGES: ReadonlySet<MessageType> = new Set(["verifyphone", "verifysmsotp"]);

export function isShortMessage(type: MessageType): boolean {
  return SHORT_MESSAGES.has(type);
}

/** The fields people read in a mail itself, its button aside; the pre-header is seen in lists of mails only. */
export function readFields(type: MessageType): readonly MessageField[] {
  return fieldsOf(type).filter((field) => field !== "preHeader" && field !== "buttonText");
}

/** Whether a text fills in the variable of that name, by whichever spelling. */
export function showsVariable(type: MessageType, text: string, name: string): boolean {
  return parseTemplate(text).some(
    (segment) => segment.kind === "variable" && findVariable(type, segment.name)?.name === name,
  );
}

// Blanks, format characters and the letters that are drawn as nothing.
const INVISIBLE = /[\s\p{Cf}\p{Cc}\u2800\u3164\u115f\u1160\uffa0]/gu;

/** Whether everybody sees something: blanks and variables that may be empty do not count. */
export function isVisible(type: MessageType, text: string): boolean {
  return parseTemplate(text).some((segment) => {
    if (segment.kind === "variable") return findVariable(type, segment.name)?.mayBeEmpty === false;
    return segment.text.replace(INVISIBLE, "") !== "";
  });
}
