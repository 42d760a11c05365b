/**
 * Warnings about message texts: doubtful but harmless, so the text is saved and its author sees the warning. False
 * alarms teach people to ignore warnings, so each warning is about something that readers would notice.
 */
import { definitionOf, type MessageType } from "../message-types/table";
import type { MessageText } from "./built-in";
import { fieldsOf, isShortMessage, type MessageField } from "./message-text";
import { codePoints, parseTemplate, renderTemplate, type Segment } from "./template";
import type { TextWarning, TextWarningId } from "./text-issue";
import { findVariable, lookUpIn, sampleValues } from "./variables";
import { isVisible, readFields, showsVariable } from "./visible";

/** The approximate number of characters of a subject that mail programs show. */
const SUBJECT_SHOWN = 70;
/** Fields shown in one line. The title is not one: it keeps its line breaks. */
const ONE_LINE: ReadonlySet<MessageField> = new Set(["preHeader", "subject", "buttonText"]);

// HTML elements, and entities that are often pasted from web pages.
const MARKUP = /<\/?[a-z][a-z0-9-]*(?:\s[^<>]*)?\/?>|&(?:nbsp|amp|lt|gt|quot|[a-z]uml|#\d+|#x[0-9a-f]+);/i;

/** Returns warnings about one field. @param inherited the text that applies without it */
export function fieldWarnings(type: MessageType, field: MessageField, text: string, inherited: string): TextWarning[] {
  const segments = parseTemplate(text);
  const warnings: TextWarning[] = [];
  const warn = (id: TextWarningId, position: number, message: string, more?: Partial<TextWarning>) =>
    warnings.push({ id, field, position, message, ...more });

  if (text === inherited) {
    warn(
      "message_text.same_as_fallback",
      0,
      "This is what applies anyway. If you leave it empty, it follows later corrections.",
    );
  }
  const lineBreak = text.trimEnd().search(/[\r\n]/);
  if (ONE_LINE.has(field) && lineBreak >= 0) {
    warn("message_text.line_break", codePoints(text.slice(0, lineBreak)), "A line break is shown as a space here.");
  }
  const shown = codePoints(renderTemplate(text, lookUpIn(type, sampleValues(type)), "header"));
  if (field === "subject" && shown > SUBJECT_SHOWN) {
    warn("message_text.long_subject", 0, `Mail programs cut off a subject after about ${SUBJECT_SHOWN} characters.`, {
      limit: SUBJECT_SHOWN,
    });
  }
  for (const segment of segments) {
    if (segment.kind === "variable" && findVariable(type, segment.name)?.mayBeEmpty && field !== "footerText") {
      const replacement = findVariable(type, segment.name)?.isName ? { suggestion: "{{.DisplayName}}" } : {};
      const message = `{{.${segment.name}}} is empty for many users.`;
      warn("message_text.often_empty", segment.position, message, replacement);
    }
    if (segment.kind === "literal") {
      for (const found of doubtful(type, segment)) warn(found.id, found.position, found.message, found.more);
    }
  }
  return warnings;
}

function doubtful(type: MessageType, { text, position }: Segment) {
  const at = (index: number) => position + codePoints(text.slice(0, index));
  const found: { id: TextWarningId; position: number; message: string; more?: Partial<TextWarning> }[] = [];
  const markup = text.search(MARKUP);
  if (markup >= 0) {
    found.push({ id: "message_text.markup", position: at(markup), message: "Markup is shown as you write it." });
  }
  const single = /\{\s*\.?([A-Za-z]+)\s*\}/.exec(text);
  const variable = single?.[1] === undefined ? undefined : findVariable(type, single[1]);
  const stray = variable ? (single?.index ?? 0) : text.indexOf("}}");
  if (stray >= 0) {
    const more = variable ? { suggestion: `{{.${variable.name}}}` } : {};
    found.push({
      id: "message_text.stray_braces",
      position: at(stray),
      message: "Braces are shown as they are.",
      more,
    });
  }
  return found;
}

/** Returns warnings about the message as a whole, after fallback. */
export function textWarnings(type: MessageType, effective: MessageText): TextWarning[] {
  const warnings: TextWarning[] = [];
  const shows = (name: string) => readFields(type).some((field) => showsVariable(type, effective[field], name));
  if (fieldsOf(type).includes("greeting") && !isShortMessage(type) && !isVisible(type, effective.greeting)) {
    const message = "Messages without a greeting look like fraud to many readers.";
    warnings.push({ id: "message_text.missing_greeting", field: "greeting", position: 0, message });
  }
  if (definitionOf(type).codeIsTyped && !shows("Code")) {
    const message = "Users who wait for a code do not find it in this message.";
    warnings.push({ id: "message_text.missing_code", field: "text", position: 0, message, suggestion: "{{.Code}}" });
  }
  if (type === "domainclaimed" && !shows("TempUsername")) {
    const message = "The message does not say which login name works from now on.";
    const suggestion = "{{.TempUsername}}";
    warnings.push({ id: "message_text.missing_login_name", field: "text", position: 0, message, suggestion });
  }
  return warnings;
}
