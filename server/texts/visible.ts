/** Determines which parts of a message text its readers see. */
import type { MessageType } from "../message-types/table";
import { fieldsOf, type MessageField } from "./message-text";
import { parseTemplate } from "./template";
import { findVariable } from "./variables";

/**
 * Returns the fields that people read in the opened mail, except its button. The pre-header is only seen in lists of
 * mails.
 */
export function readFields(type: MessageType): readonly MessageField[] {
  return fieldsOf(type).filter((field) => field !== "preHeader" && field !== "buttonText");
}

/** Returns whether a text uses the variable, by its name or an alias. */
export function showsVariable(type: MessageType, text: string, name: string): boolean {
  return parseTemplate(text).some(
    (segment) => segment.kind === "variable" && findVariable(type, segment.name)?.name === name,
  );
}

// White space, control and format characters, and letters that are blank.
const INVISIBLE = /[\s\p{Cf}\p{Cc}\u2800\u3164\u115f\u1160\uffa0]/gu;

/** Returns whether every reader sees something: white space and variables that may be empty do not count. */
export function isVisible(type: MessageType, text: string): boolean {
  return parseTemplate(text).some((segment) => {
    if (segment.kind === "variable") return findVariable(type, segment.name)?.mayBeEmpty === false;
    return segment.text.replace(INVISIBLE, "") !== "";
  });
}
