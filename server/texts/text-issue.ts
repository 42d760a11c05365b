/**
 * Errors and warnings about a message text (rule API-1). `id` is a stable name, `position` and `limit` are in
 * characters.
 */
import type { MessageField } from "./message-text";

export type TextErrorId =
  | "message_text.too_long"
  | "message_text.lone_surrogate"
  | "message_text.control_character"
  | "message_text.unknown_variable"
  | "message_text.foreign_variable"
  | "message_text.empty_braces"
  | "message_text.unclosed_braces"
  | "message_text.template_syntax"
  | "message_text.foreign_address"
  | "message_text.joined_address"
  | "message_text.no_code_or_button";

export type TextWarningId =
  | "message_text.long_subject"
  | "message_text.missing_greeting"
  | "message_text.missing_code"
  | "message_text.missing_login_name"
  | "message_text.same_as_fallback"
  | "message_text.often_empty"
  | "message_text.markup"
  | "message_text.stray_braces"
  | "message_text.line_break";

export interface TextIssue<Id extends string = TextErrorId | TextWarningId> {
  id: Id;
  field: MessageField;
  /** One or two sentences in English. */
  message: string;
  /** In characters from 0; the limit itself if the text is too long. */
  position: number;
  /** Characters. */
  limit?: number;
  /** What to write instead, with its braces: `{{.LastEmail}}`. */
  suggestion?: string;
}
export type TextError = TextIssue<TextErrorId>;
export type TextWarning = TextIssue<TextWarningId>;
