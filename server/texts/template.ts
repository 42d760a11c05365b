/**
 * The template language of message texts: `{{.Name}}` with optional spaces inside the braces, and nothing else. One
 * pass from left to right: inserted values are never parsed again, so a user named `{{.Code}}` only sees that name
 * (attack: template injection), and every part is escaped for its context (attacks: HTML injection, mail header
 * injection, GHSA-hfrg-4jwr-jfpj). Texts contain no markup.
 */

/** Why an opening `{{` is not a variable. */
export type Fault =
  /** `{{}}` or `{{ . }}` */
  | "empty"
  /** No `}}`, or another `{{` before it. */
  | "unclosed"
  /** `{{printf …}}`, `{{range}}`, `{{Name}}`, `{{.A.B}}`, `{{.A | b}}` … */
  | "syntax";

type Part = { kind: "literal" } | { kind: "variable"; name: string } | { kind: "fault"; fault: Fault };

/** A part of a text as written, with its position in code points from 0. */
export type Segment = Part & { text: string; position: number };

const VARIABLE = /^\s*\.([\p{L}_][\p{L}\p{N}_]*)\s*$/u;
/** The braces and name of an unclosed variable: `{{.Name}` of `{{.Name} and more`. */
const UNCLOSED = /\{\{[^\S\n]*(?:\.?[\p{L}_][\p{L}\p{N}_]*[^\S\n]*\}?)?/uy;

/** Returns the length in characters (code points), the unit of limits and positions. */
export function codePoints(text: string): number {
  let count = 0;
  for (const _ of text) count++;
  return count;
}

/** Returns the parts of a text in order; joined, their `text` is the source. Single braces are ordinary text. */
export function parseTemplate(source: string): Segment[] {
  const segments: Segment[] = [];
  let position = 0;
  const push = (text: string, part: Part) => {
    if (text === "") return;
    segments.push({ ...part, text, position });
    position += codePoints(text);
  };
  let at = 0;
  let closing = -1;
  while (at < source.length) {
    const open = source.indexOf("{{", at);
    push(source.slice(at, open < 0 ? source.length : open), { kind: "literal" });
    if (open < 0) break;
    if (closing < open + 2) closing = source.indexOf("}}", open + 2);
    const next = source.indexOf("{{", open + 2);
    if (closing < 0) closing = Number.POSITIVE_INFINITY; // there is no closing brace: do not search again
    if (closing === Number.POSITIVE_INFINITY || (next >= 0 && next < closing)) {
      UNCLOSED.lastIndex = open;
      const text = UNCLOSED.exec(source)?.[0] ?? "{{";
      push(text, { kind: "fault", fault: "unclosed" });
      at = open + text.length;
    } else {
      const inside = source.slice(open + 2, closing);
      const name = VARIABLE.exec(inside)?.[1];
      at = closing + 2;
      const fault = /^[\s.]*$/.test(inside) ? "empty" : "syntax";
      push(source.slice(open, at), name === undefined ? { kind: "fault", fault } : { kind: "variable", name });
    }
  }
  return segments;
}

/**
 * The context of an insertion. `html`: an element or a quoted attribute; line breaks remain for the mail to mark up.
 * `plain`: the text part of a mail, or a text message. `header`: the subject, one line.
 */
export type Rendering = "html" | "plain" | "header";

/**
 * Inserts the values, escaped for the context. A variable without a value and an invalid expression (`{{printf}}`,
 * which cannot be saved) produce nothing; unclosed braces remain.
 */
export function renderTemplate(source: string, lookUp: (name: string) => string | undefined, place: Rendering): string {
  const parts = parseTemplate(source).map((segment) => {
    if (segment.kind === "variable") return oneLine(lookUp(segment.name) ?? "").replace(REORDERING, "");
    return segment.kind === "literal" || segment.fault === "unclosed" ? severalLines(segment.text) : "";
  });
  const text = parts.join("");
  if (place === "html") return escapeMarkup(text);
  return place === "header" ? oneLine(text).trim() : text;
}

/**
 * Removes line breaks, which header values must not contain (RFC 5322 §2.2). They are removed from values in every
 * context, so that a value cannot add a paragraph.
 */
function oneLine(text: string): string {
  return wellFormed(text).replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, " ");
}

function severalLines(text: string): string {
  return wellFormed(text)
    .replace(/\r\n?/g, "\n")
    .replace(/(?![\n\t])\p{Cc}/gu, "");
}

/** Bidirectional overrides and isolates: a value must not change the direction of the text around it (UTR #36 §2.5). */
const REORDERING = /[\u202a-\u202e\u2066-\u2069]/g;

function wellFormed(text: string): string {
  return text.replace(/\p{Cs}/gu, "\ufffd");
}

const HTML: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };

/** Escapes a text for HTML or XML, in content and in quoted attributes. */
export function escapeMarkup(text: string): string {
  return text.replace(/[&<>"']/g, (character) => HTML[character] ?? "");
}
