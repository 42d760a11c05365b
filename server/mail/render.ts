/**
 * A message text and its values made into a letter: subject, HTML and plain text from one source. Pure, so that what
 * is previewed is what is sent. Values are put in once and never read as templates again; React escapes what becomes
 * HTML (reference: texts/template.ts).
 */
import type { FrameMessages } from "../../messages/mail";
import type { MessageType } from "../texts/kinds";
import { LANGUAGE_ENTRIES, type Language } from "../texts/languages";
import type { MessageField } from "../texts/message-text";
import { parseTemplate, renderTemplate } from "../texts/template";
import { findVariable, lookUpIn, type VariableValues } from "../texts/variables";
import type { Branding } from "./branding";
import { type Letter, letterHtml, letterText, type Paragraph, type Piece, plainParagraph } from "./letter";

export interface Message {
  type: MessageType;
  language: Language;
  fields: Readonly<Record<MessageField, string>>;
  values: VariableValues;
  branding: Branding;
  /** The words around the text, in its language. */
  frame: FrameMessages;
  /** Where the button leads; without one there is no button. */
  buttonUrl?: string;
  /** Until when the message is of use, as people read it. */
  expiry?: string;
  /** Marks it as a trial with example values. */
  isTest?: boolean;
}

export interface RenderedMessage {
  subject: string;
  preHeader: string;
  html: string;
  text: string;
  /** The text by itself, as a phone shows it. */
  phoneText: string;
  headers: Readonly<Record<string, string>>;
}

export function renderMessage(message: Message): RenderedMessage {
  const { type, language, fields, branding, frame, buttonUrl, expiry, isTest } = message;
  const fill = lookUpIn(type, message.values);
  const line = (field: MessageField) => renderTemplate(fields[field], fill, "header");
  const paragraphs = (source: string) => toParagraphs(toPieces(type, source, fill));
  const subject = line("subject") || line("title");
  const buttonText = line("buttonText");
  const letter: Letter = {
    language,
    direction: LANGUAGE_ENTRIES[language].dir,
    branding,
    subject: isTest ? `${frame.test} ${subject}` : subject,
    preHeader: line("preHeader"),
    title: paragraphs(fields.title),
    greeting: paragraphs(fields.greeting),
    text: paragraphs(fields.text),
    button:
      buttonUrl === undefined || buttonText === ""
        ? undefined
        : { text: buttonText, url: buttonUrl, fallback: frame.linkFallback },
    notes: [
      ...(expiry === undefined ? [] : [renderTemplate(frame.expires, () => expiry, "plain")]),
      ...(isTest ? [frame.testNote] : []),
    ],
    footer: paragraphs(`${fields.footerText}\n\n${frame.automatic}`),
  };
  return {
    subject: letter.subject,
    preHeader: letter.preHeader,
    html: letterHtml(letter),
    text: letterText(letter),
    phoneText: letter.text.map(plainParagraph).join("\n\n"),
    headers: {
      "Auto-Submitted": "auto-generated", // RFC 3834 §5: no program answers with an absence note
      "X-Auto-Response-Suppress": "All", // the same for Exchange
      "Content-Language": language,
    },
  };
}

/** The parts of a template, each cleaned for its place on its own: a value keeps to its line, words keep theirs. */
function toPieces(type: MessageType, source: string, fill: (name: string) => string | undefined): Piece[] {
  return parseTemplate(source.trim()).map((segment) => {
    const text = renderTemplate(segment.text, fill, "plain");
    if (segment.kind !== "variable") return text;
    return { value: text, kind: findVariable(type, segment.name)?.name === "Code" ? "code" : "value" };
  });
}

/** Line breaks make lines, empty lines make paragraphs; what is empty altogether is left out. */
function toParagraphs(pieces: readonly Piece[]): Paragraph[] {
  const paragraphs: Piece[][][] = [[]];
  let line: Piece[] = [];
  const endLine = () => {
    const isEmpty = line.every((piece) => (typeof piece === "string" ? piece : piece.value).trim() === "");
    if (isEmpty) paragraphs.push([]);
    else paragraphs.at(-1)?.push(line);
    line = [];
  };
  for (const piece of pieces) {
    if (typeof piece !== "string") {
      line.push(piece);
      continue;
    }
    for (const [index, part] of piece.split("\n").entries()) {
      if (index > 0) endLine();
      if (part !== "") line.push(part);
    }
  }
  endLine();
  return paragraphs.filter((paragraph) => paragraph.length > 0);
}
