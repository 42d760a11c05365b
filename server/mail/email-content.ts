/**
 * The content of a mail, independent of its format, and its plain text form. Parts in another language than the mail
 * carry their language.
 */
import type { Direction } from "../../messages/locales";
import type { Branding } from "./branding";

/** A piece of text: written by the service or an administrator, or the value of a variable. */
export type Piece = string | { value: string; kind: "value" | "code" };
/** A paragraph's lines, each made of pieces. */
export type Paragraph = readonly (readonly Piece[])[];

/** The language of a part that differs from the mail's: words that fall back in an added language (rule TEXT-13). */
export interface ForeignWriting {
  /** BCP 47. */
  language: string;
  direction: Direction;
}

/** A paragraph. */
export interface Block {
  lines: Paragraph;
  /** Undefined: the language of the mail. */
  writing?: ForeignWriting;
}

/** Text for a single line, such as a heading. */
export interface InlineText {
  text: string;
  writing?: ForeignWriting;
}

export interface EmailContent {
  /** BCP 47. */
  language: string;
  direction: Direction;
  branding: Branding;
  subject: string;
  preHeader: InlineText;
  /**
   * The service's own line about where codes belong. It precedes everything that can be edited, so that no text pushes
   * it down to where mail programs truncate long mails.
   */
  warning?: Block;
  title: Block[];
  greeting: Block[];
  text: Block[];
  button?: { words: InlineText; url: string /** "If the button does not work, …" */; fallback: InlineText };
  /**
   * The service's own second link, which no text can omit: to report that it was not the reader, or to set a new
   * password, introduced by `lead`.
   */
  second?: { lead?: Block; words: InlineText; url: string };
  /** Added below the text, such as the expiry. */
  notes: Block[];
  /** Small print: the footer text, and the note that the mail was sent automatically. */
  footer: Block[];
}

/** Returns the plain text part. Lines are not wrapped, as mail programs wrap them to the width of the window. */
export function emailText(email: EmailContent): string {
  const { button, notes, warning } = email;
  const blocks = [
    ...[...(warning ? [warning] : []), ...email.title, ...email.greeting, ...email.text].map(plainBlock),
    ...(button ? [`${button.words.text}\n${button.url}`] : []),
    secondLinkText(email),
    ...notes.map(plainBlock),
    "--",
    ...email.footer.map(plainBlock),
    email.branding.name,
  ];
  return `${blocks.filter((block) => block !== "").join("\n\n")}\n`;
}

/** Returns the second link as plain text; empty without one. */
export function secondLinkText({ second }: Pick<EmailContent, "second">): string {
  if (!second) return "";
  const link = `${second.words.text}\n${second.url}`;
  return second.lead ? `${plainBlock(second.lead)}\n\n${link}` : link;
}

/** Returns the lines of a paragraph with their values. Programs determine the direction of plain text themselves. */
export function plainBlock({ lines }: Block): string {
  return lines
    .map((line) => line.map((piece) => (typeof piece === "string" ? piece : piece.value)).join(""))
    .join("\n");
}
