/**
 * Checks a page text of an administrator: plain text of at most 500 characters (code points) with the variables of the
 * built-in text. It may only name addresses of the service and those under domains that the organization has proven, so
 * that no text imitates the line that names the current or next host (attack: imitating the host). Pure; used when
 * texts are stored and again when they are used, as a domain may be lost and a variable may be removed.
 */
import { findAddresses, type OwnHosts } from "../addresses";
import { codePoints, parseTemplate } from "../template";
import type { PageText } from "./page-texts";

/** Characters (code points). */
export const PAGE_TEXT_LIMIT = 500;

/** Rejected: control characters, line separators, and characters that change the text direction. */
const CONTROL = /[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/u;
const MARKUP = /<[a-z/!?]/i;

export type PageTextFault =
  | "too_long"
  | "lone_surrogate"
  | "control_character"
  | "no_markup"
  | "unclosed_braces"
  | "empty_braces"
  | "template_syntax"
  | "unknown_variable"
  | "foreign_address"
  | "joined_address";

export interface PageTextError {
  fault: PageTextFault;
  message: string;
  /** Characters from 0. */
  position: number;
  limit?: number;
}

/** Returns the first error in a text, or undefined. */
export function checkPageText(word: PageText, text: string, own: OwnHosts): PageTextError | undefined {
  // Clients may send back the built-in texts as they were read.
  if (text === word.text) return undefined;
  const length = codePoints(text);
  if (length > PAGE_TEXT_LIMIT) {
    const message = `use at most ${PAGE_TEXT_LIMIT} characters; these are ${length}.`;
    return { fault: "too_long", message, position: PAGE_TEXT_LIMIT, limit: PAGE_TEXT_LIMIT };
  }
  return (
    found(text, /\p{Cs}/u, "lone_surrogate", "this is half of a character (a lone surrogate). Delete it.") ??
    found(
      text,
      CONTROL,
      "control_character",
      "this is a control character, a line break or a change of direction. Delete it.",
    ) ??
    found(text, MARKUP, "no_markup", "plain text only, no markup such as HTML.") ??
    wrongBraces(word, text) ??
    foreignAddress(text, own)
  );
}

function found(text: string, what: RegExp, fault: PageTextFault, message: string): PageTextError | undefined {
  const index = text.search(what);
  return index < 0 ? undefined : { fault, message, position: codePoints(text.slice(0, index)) };
}

function wrongBraces({ variables }: PageText, text: string): PageTextError | undefined {
  const known = [...variables.keys()].map((name) => `{{.${name}}}`).join(", ");
  for (const segment of parseTemplate(text)) {
    const { position } = segment;
    if (segment.kind === "variable" && !variables.has(segment.name)) {
      return {
        fault: "unknown_variable",
        position,
        message: `there is no {{.${segment.name}}} here. ${known ? `Use one of these: ${known}` : "This text has no variables"}.`,
      };
    }
    if (segment.kind !== "fault") continue;
    if (segment.fault === "empty")
      return {
        fault: "empty_braces",
        position,
        message: "the braces are empty. Write a variable between them, or delete them.",
      };
    if (segment.fault === "unclosed") {
      return { fault: "unclosed_braces", position, message: "these braces are not closed with }}." };
    }
    const message = "write only a variable between the braces: {{.Name}}.";
    return { fault: "template_syntax", position, message };
  }
  return undefined;
}

function foreignAddress(text: string, own: OwnHosts): PageTextError | undefined {
  const address = findAddresses(text, own, () => "text", 1)[0];
  if (!address) return undefined;
  const { kind, position } = address;
  return kind === "foreign"
    ? {
        fault: "foreign_address",
        position,
        message:
          "only addresses of this service and under verified domains of the organization are allowed here. If this is not an address, put a space after the dot.",
      }
    : {
        fault: "joined_address",
        position,
        message: "a variable cannot be part of an address. Put a space between them.",
      };
}

/**
 * Converts the text to ICU MessageFormat, the syntax of the message files. Its own characters are quoted, so that none
 * is parsed as an argument or a tag.
 */
export function toMessage({ variables }: PageText, text: string): string {
  const parts = parseTemplate(text).map((segment) => {
    return segment.kind === "variable" ? (variables.get(segment.name) ?? "") : quoted(segment.text);
  });
  return parts.join("");
}

/**
 * Replaces apostrophes with typographic ones: in ICU a plain one may open a quotation, depending on what follows.
 * Characters that open an argument or a tag are quoted.
 */
const quoted = (text: string) => text.replaceAll("'", "\u2019").replace(/[{<]+/g, "'$&'");
