/**
 * What a mail says, in whatever form it is shown, and how that reads as plain text. Its parts know in which language they
 * are written where that is not the mail's.
 */
import type { Direction } from "../../messages/locales";
import type { Branding } from "./branding";

/** A piece of text: written by us or an administrator, or the value of a variable. */
export type Piece = string | { value: string; kind: "value" | "code" };
/** A paragraph's lines, each made of pieces. */
export type Paragraph = readonly (readonly Piece[])[];

/** Of what is not written as the mail is: words that fall back, in a language that was added (rule TEXT-13). */
export interface ForeignWriting {
  /** BCP 47. */
  language: string;
  direction: Direction;
}

/** A paragraph. */
export interface Block {
  lines: Paragraph;
  /** Undefined: as the mail. */
  writing?: ForeignWriting;
}

/** The same for what stands on one line. */
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
   * The service's own line about where codes belong. It stands before everything that can be edited, so that no text
   * pushes it down to where mail programs cut a long mail off.
   */
  warning?: Block;
  title: Block[];
  greeting: Block[];
  text: Block[];
  button?: { words: InlineText; url: string /** "If the button does not work, …" */; fallback: InlineText };
  /** Where the reader of a notice says that it was not them. */
  disown?: { words: InlineText; url: string };
  /** Added below the text: until when it is valid. */
  notes: Block[];
  /** Small print: the footer text, and the note that the mail was sent automatically. */
  footer: Block[];
}

/** The plain text part. Lines are not wrapped, as mail programs wrap them to the width of the window. */
export function emailText(email: EmailContent): string {
  const { button, notes, warning } = email;
  const blocks = [
    ...[...(warning ? [warning] : []), ...email.title, ...email.greeting, ...email.text].map(plainBlock),
    ...(button ? [`${button.words.text}\n${button.url}`] : []),
    ...(email.disown ? [`${email.disown.words.text}\n${email.disown.url}`] : []),
    ...notes.map(plainBlock),
    "--",
    ...email.footer.map(plainBlock),
    email.branding.name,
  ];
  return `${blocks.filter((block) => block !== "").join("\n\n")}\n`;
}

/** The lines of a paragraph, with the values. Programs find the direction of plain text themselves. */
export function plainBlock({ lines }: Block): string {
  return lines
    .map((line) => line.map((piece) => (typeof piece === "string" ? piece : piece.value)).join(""))
    .join("\n");
}
