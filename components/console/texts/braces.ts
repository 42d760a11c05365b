// Variables in a text that is being edited: which to offer at the caret, and which range an issue is about. The server
// makes the checks (`_preview`); this module only locates them.
import { indexAt } from "./counter";

export interface OfferedVariable {
  name: string;
  /** The text to insert, such as `{{.Name}}`. */
  placeholder: string;
  aliases: readonly string[];
  description: string;
  sample: string;
  mayBeEmpty: boolean;
}

/** A range of a string in UTF-16 code units, as in text areas. */
export interface Span {
  from: number;
  to: number;
}

const OPEN = /\{\{\s*\.?([\p{L}\p{N}_]*)$/u;

/** Returns the variable that is being typed before the caret, and the range that its insertion replaces. */
export function openVariable(text: string, caret: number): (Span & { typed: string }) | undefined {
  const open = OPEN.exec(text.slice(0, caret));
  if (!open) return undefined;
  // The rest of a variable after the caret is replaced too: `{{.Na|me}}`.
  const rest = /^[\p{L}\p{N}_]*[^\S\n]*\}{0,2}/u.exec(text.slice(caret))?.[0] ?? "";
  const to = rest.endsWith("}") ? caret + rest.length : caret;
  return { from: open.index, to, typed: open[1] ?? "" };
}

/** Returns the variables that match the typed text: first those that start with it, then those that contain it. */
export function matching<V extends Pick<OfferedVariable, "name" | "aliases">>(all: readonly V[], typed: string): V[] {
  const wanted = typed.toLowerCase();
  const spellings = ({ name, aliases }: V) => [name, ...aliases].map((spelling) => spelling.toLowerCase());
  const begin = all.filter((one) => spellings(one).some((spelling) => spelling.startsWith(wanted)));
  const hold = all.filter(
    (one) => !begin.includes(one) && spellings(one).some((spelling) => spelling.includes(wanted)),
  );
  return [...begin, ...hold];
}

/** Returns the range of an issue at a position (in characters): the variable that starts there, or one character. */
export function spanAt(text: string, position: number): Span {
  const from = indexAt(text, position);
  const rest = text.slice(from);
  if (!rest.startsWith("{{")) return { from, to: from + (String.fromCodePoint(rest.codePointAt(0) ?? 0).length || 1) };
  const closed = /^\{\{(?:(?!\{\{).)*?\}\}/s.exec(rest)?.[0];
  const word = /^\{\{[^\S\n]*\.?[\p{L}\p{N}_]*\}?/u.exec(rest)?.[0] ?? "{{";
  return { from, to: from + (closed ?? word).length };
}

/**
 * Returns the current range of an issue after edits before or after it; undefined if it is unknown. The server checks a
 * text shortly after the last keystroke, and its corrections can be applied after further edits.
 */
export function spanNow(span: Span, earlier: string, now: string): Span | undefined {
  if (earlier.slice(0, span.to) === now.slice(0, span.to)) return span;
  const shift = now.length - earlier.length;
  const moved = { from: span.from + shift, to: span.to + shift };
  return moved.from >= 0 && earlier.slice(span.from) === now.slice(moved.from) ? moved : undefined;
}

export interface TextPiece {
  text: string;
  kind: "plain" | "variable" | "problem";
}

/** Splits the text into pieces for highlighting: issues, and correct variables. */
export function pieces(text: string, problems: readonly Span[]): TextPiece[] {
  const variables = [...text.matchAll(/\{\{\s*\.[\p{L}_][\p{L}\p{N}_]*\s*\}\}/gu)].map((match) => ({
    from: match.index,
    to: match.index + match[0].length,
    kind: "variable" as const,
  }));
  const wrong = problems.map((span) => ({ ...span, kind: "problem" as const }));
  const marked = [
    ...wrong,
    ...variables.filter(({ from, to }) => !wrong.some((one) => one.from < to && from < one.to)),
  ];
  const found: TextPiece[] = [];
  let at = 0;
  for (const { from, to, kind } of marked.sort((one, other) => one.from - other.from)) {
    if (from < at || to > text.length) continue;
    if (from > at) found.push({ text: text.slice(at, from), kind: "plain" });
    found.push({ text: text.slice(from, to), kind });
    at = to;
  }
  if (at < text.length) found.push({ text: text.slice(at), kind: "plain" });
  return found;
}

/**
 * For display only: keeps the order of variables in right-to-left text, `{{.Name}}` and not `{{Name.}}` (UAX #9
 * §2.4.2). Editable fields do not contain these marks.
 */
export const isolateVariables = (text: string): string => text.replace(/\{\{[^{}]*\}\}/g, "\u2066$&\u2069");
