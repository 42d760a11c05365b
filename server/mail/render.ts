/**
 * Renders a message text with its values as subject, HTML and plain text. Pure, so that previews equal sent mails.
 * Values are inserted once and never parsed as templates; React escapes the HTML (rule MESSAGE-2).
 */
import { type Direction, directionOf } from "../../messages/locales";
import type { FrameMessages } from "../../messages/mail";
import type { BuiltInLanguage, Language } from "../directory/policy/languages";
import type { MessageType } from "../message-types/table";
import type { VariableValues } from "../message-types/variable";
import type { MessageField } from "../texts/message-text";
import { parseTemplate, renderTemplate } from "../texts/template";
import { findVariable, lookUpIn } from "../texts/variables";
import type { Branding } from "./branding";
import { emailHtml } from "./email";
import {
  type Block,
  type EmailContent,
  emailText,
  type InlineText,
  type Paragraph,
  type Piece,
  plainBlock,
  secondLinkText,
} from "./email-content";
import type { NoticePart } from "./notice-part";

/**
 * The parts of a mail in another language than the mail (rule TEXT-13): in an added language the parts that fall back
 * to its base, in a built-in one the untranslated texts, which are English.
 */
export interface Fallback {
  language: BuiltInLanguage;
  /** The fields of the text in that language. */
  fields: ReadonlySet<MessageField>;
  /** The words around the text in that language. */
  words: ReadonlySet<keyof FrameMessages>;
  /** The values, with times and lists in that language's format. */
  values: VariableValues;
}

export interface MessageToRender {
  type: MessageType;
  language: Language;
  direction: Direction;
  fields: Readonly<Record<MessageField, string>>;
  values: VariableValues;
  branding: Branding;
  /** The built-in words around the text, in its language or the base of an added one. */
  frame: FrameMessages;
  fallback?: Fallback;
  /** The link of the button; without it there is no button. */
  buttonUrl?: string;
  /** Until when the message is valid, formatted. */
  expiry?: string;
  /** The code and the link that set a new password, shown below the button. */
  reset?: { code: string; url: string };
  /** For a message that opens an account: the host of this service, which the mail shows. */
  ownHost?: string;
  /** The part of a notice next to its text. */
  notice?: NoticePart;
  /** Marks the message as a trial with sample values. */
  isTest?: boolean;
}

export interface RenderedParts {
  subject: string;
  preHeader: string;
  html: string;
  text: string;
  /** The text alone, as sent to phones, and the URL of the button if it has one. */
  phoneText: string;
  /** The fields as plain text, and the URL of the button (empty without a button), as sent to webhooks. */
  templateData: Readonly<Record<MessageField | "url", string>>;
  headers: Readonly<Record<string, string>>;
}

export function renderMessage(message: MessageToRender): RenderedParts {
  const { type, language, direction, fields, branding, frame, buttonUrl, expiry, reset, ownHost, isTest, notice } =
    message;
  const { fallback } = message;
  const fillOwn = lookUpIn(type, message.values);
  const fillOther = fallback ? lookUpIn(type, fallback.values) : fillOwn;
  const fillOf = (field: MessageField) => (fallback?.fields.has(field) ? fillOther : fillOwn);
  const other = fallback && { language: fallback.language, direction: directionOf(fallback.language) };
  const writingOf = (field: MessageField) => (fallback?.fields.has(field) ? other : undefined);
  const line = (field: MessageField) => renderTemplate(fields[field], fillOf(field), "header");
  const paragraphs = (field: MessageField): Block[] =>
    toParagraphs(toPieces(type, fields[field], fillOf(field))).map((lines) => ({ lines, writing: writingOf(field) }));
  const wordsWriting = (word: keyof FrameMessages) => (fallback?.words.has(word) ? other : undefined);
  /** Fills the words around the text with their only value. */
  const framed = (word: keyof FrameMessages, value = "", kind: "value" | "code" = "value"): Block => ({
    lines: [framePieces(frame[word], value, kind)],
    writing: wordsWriting(word),
  });
  const framedWords = (word: keyof FrameMessages): InlineText => ({ text: frame[word], writing: wordsWriting(word) });
  const subject = line("subject") || line("title");
  const buttonText = line("buttonText");
  const footerText = paragraphs("footerText");
  const email: EmailContent = {
    language,
    direction,
    branding,
    subject: isTest ? `${frame.test} ${subject}` : subject,
    preHeader: { text: line("preHeader"), writing: writingOf("preHeader") },
    warning: ownHost === undefined ? undefined : framed("onlyHere", ownHost),
    title: paragraphs("title"),
    greeting: paragraphs("greeting"),
    text: [
      ...paragraphs("text"),
      ...(notice && notice.facts.length > 0
        ? [
            {
              lines: notice.facts.map(({ word, value }) => framePieces(frame[word], value)),
              writing: wordsWriting(notice.facts[0]?.word ?? "when"),
            },
          ]
        : []),
    ],
    button:
      buttonUrl === undefined || buttonText === ""
        ? undefined
        : {
            words: { text: buttonText, writing: writingOf("buttonText") },
            url: buttonUrl,
            fallback: framedWords("linkFallback"),
          },
    second: reset
      ? { lead: framed("resetCode", reset.code, "code"), words: framedWords("resetLink"), url: reset.url }
      : notice?.disownUrl === undefined
        ? undefined
        : { words: framedWords("disown"), url: notice.disownUrl },
    notes: [...(expiry === undefined ? [] : [framed("expires", expiry)]), ...(isTest ? [framed("testNote")] : [])],
    footer: [...footerText, framed("automatic")],
  };
  return {
    subject: email.subject,
    preHeader: email.preHeader.text,
    html: emailHtml(email),
    text: emailText(email),
    phoneText: (isTest ? `${frame.test} ` : "") + [plain(email.text), email.button?.url].filter(Boolean).join("\n\n"),
    templateData: {
      title: plain(email.title),
      preHeader: email.preHeader.text,
      subject: email.subject,
      greeting: plain(email.greeting),
      text: [plain(email.text), secondLinkText(email)].filter(Boolean).join("\n\n"),
      buttonText: email.button?.words.text ?? "",
      footerText: plain(footerText),
      url: email.button?.url ?? "",
    },
    headers: {
      "Auto-Submitted": "auto-generated", // RFC 3834 §5: prevents automatic replies
      "X-Auto-Response-Suppress": "All", // the same, for Exchange
      "Content-Language": language,
    },
  };
}

const plain = (blocks: readonly Block[]): string => blocks.map(plainBlock).join("\n\n");

/** Splits a line of the mail layout, which has one value. */
function framePieces(source: string, value: string, kind: "value" | "code" = "value"): Piece[] {
  return parseTemplate(source).map((part) =>
    part.kind === "variable" ? { value: renderTemplate(part.text, () => value, "plain"), kind } : part.text,
  );
}

/**
 * Fills in the parts of a template. Each is cleaned on its own: line breaks are removed from values but kept in the
 * text.
 */
function toPieces(type: MessageType, source: string, fill: (name: string) => string | undefined): Piece[] {
  return parseTemplate(source.trim()).map((segment) => {
    const text = renderTemplate(segment.text, fill, "plain");
    if (segment.kind !== "variable") return text;
    return { value: text, kind: findVariable(type, segment.name)?.name === "Code" ? "code" : "value" };
  });
}

/** Splits at line breaks into lines and at empty lines into paragraphs; empty paragraphs are omitted. */
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
