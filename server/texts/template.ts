/**
 * The template language of message texts: `{{.Name}}`, blanks inside the braces allowed, and nothing else. One pass
 * from left to right: what is filled in is never read as a template again, so a person named `{{.Code}}` stays a
 * person of that name (template injection), and every part is escaped for the place it goes to (HTML injection,
 * mail header injection, GHSA-hfrg-4jwr-jfpj). Texts carry no markup.
 */

/** What an opening `{{` led to when it was no variable. */
export type Fault =
  /** `{{}}` or `{{ . }}` */
  | "empty"
  /** No `}}`, or another `{{` before it. */
  | "unclosed"
  /** `{{printf …}}`, `{{range}}`, `{{Name}}`, `{{.A.B}}`, `{{.A | b}}` … */
  | "syntax";

type Part = { kind: "literal" } | { kind: "variable"; name: string } | { kind: "fault"; fault: Fault };

/** A part of a text as written, and where it begins in code points from 0. */
export type Segment = Part & { text: string; position: number };

const VARIABLE = /^\s*\.([\p{L}_][\p{L}\p{N}_]*)\s*$/u;
/** The part of unclosed braces that belongs to them: `{{.Name}` of `{{.Name} and more`. */
const UNCLOSED = /\{\{[^\S\n]*(?:\.?[\p{L}_][\p{L}\p{N}_]*[^\S\n]*\}?)?/uy;

/** Length in characters (code points), the measure of limits and positions. */
export function codePoints(text: string): number {
  let count = 0;
  for (const _ of text) count++;
  return count;
}

/**
 * The parts of a text in order; together their `text` is the whole source. `position` counts code points from 0.
 * Braces that are not doubled are literal.
 */
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
    if (closing < 0) closing = Number.POSITIVE_INFINITY; // there is none; not looked for again
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
 * Where a text goes. `html`: content of an element or of a quoted attribute; line breaks stay for the letter to mark
 * up. `plain`: the text part of a mail or a short message. `header`: one line, for Subject.
 */
export type Place = "html" | "plain" | "header";

/**
 * Fills in the values, escaped for the place. A variable without a value is empty, and so is what is no variable
 * (`{{printf}}`, which the lint refuses); unclosed braces stay as they are.
 */
export function renderTemplate(source: string, lookUp: (name: string) => string | undefined, place: Place): string {
  const parts = parseTemplate(source).map((segment) => {
    if (segment.kind === "variable") return oneLine(lookUp(segment.name) ?? "").replace(REORDERING, "");
    return segment.kind === "literal" || segment.fault === "unclosed" ? severalLines(segment.text) : "";
  });
  const text = parts.join("");
  if (place === "html") return escapeHtml(text);
  return place === "header" ? oneLine(text).trim() : text;
}

/** RFC 5322 §2.2: a header value has no line breaks. A value keeps to its line everywhere: it cannot add a paragraph. */
function oneLine(text: string): string {
  return wellFormed(text).replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, " ");
}

function severalLines(text: string): string {
  return wellFormed(text)
    .replace(/\r\n?/g, "\n")
    .replace(/(?![\n\t])\p{Cc}/gu, "");
}

/** Bidirectional overrides and isolates: a value must not turn round the text beside it (UTR #36 §2.5). */
const REORDERING = /[\u202a-\u202e\u2066-\u2069]/g;

function wellFormed(text: string): string {
  return text.replace(/\p{Cs}/gu, "\ufffd");
}

const HTML: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => HTML[character] ?? "");
}
