// Variables in a text that is being edited: what to offer at the caret, and which range of the text an issue is about.
// The checks are made by the service (`_preview`); this only finds their place again.
import { indexAt } from "./counter";

export interface OfferedVariable {
  name: string;
  /** `{{.Name}}` */
  placeholder: string;
  aliases: readonly string[];
  description: string;
  sample: string;
  mayBeEmpty: boolean;
}

/** A range of a string in UTF-16 units, as text areas count. */
export interface Span {
  from: number;
  to: number;
}

const OPEN = /\{\{\s*\.?([\p{L}\p{N}_]*)$/u;

/** The variable that is being typed before the caret, and the range that its insertion replaces. */
export function openVariable(text: string, caret: number): (Span & { typed: string }) | undefined {
  const open = OPEN.exec(text.slice(0, caret));
  if (!open) return undefined;
  // The rest of a variable behind the caret is replaced too: `{{.Na|me}}`.
  const rest = /^[\p{L}\p{N}_]*[^\S\n]*\}{0,2}/u.exec(text.slice(caret))?.[0] ?? "";
  const to = rest.endsWith("}") ? caret + rest.length : caret;
  return { from: open.index, to, typed: open[1] ?? "" };
}

/** The variables that match what was typed: first those that begin with it, then those that contain it. */
export function matching<V extends Pick<OfferedVariable, "name" | "aliases">>(all: readonly V[], typed: string): V[] {
  const wanted = typed.toLowerCase();
  const spellings = ({ name, aliases }: V) => [name, ...aliases].map((spelling) => spelling.toLowerCase());
  const begin = all.filter((one) => spellings(one).some((spelling) => spelling.startsWith(wanted)));
  const hold = all.filter(
    (one) => !begin.includes(one) && spellings(one).some((spelling) => spelling.includes(wanted)),
  );
  return [...begin, ...hold];
}

/** The range of an issue at a position (in characters): the braces that open there, or one character. */
export function spanAt(text: string, position: number): Span {
  const from = indexAt(text, position);
  const rest = text.slice(from);
  if (!rest.startsWith("{{")) return { from, to: from + (String.fromCodePoint(rest.codePointAt(0) ?? 0).length || 1) };
  const closed = /^\{\{(?:(?!\{\{).)*?\}\}/s.exec(rest)?.[0];
  const word = /^\{\{[^\S\n]*\.?[\p{L}\p{N}_]*\}?/u.exec(rest)?.[0] ?? "{{";
  return { from, to: from + (closed ?? word).length };
}

/**
 * Where a range of an earlier text is by now, if keys before or behind it have moved it; undefined if it cannot be told.
 * The service checks a text a moment after the last key, and its corrections can be pressed meanwhile.
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

/** The text in pieces for highlighting: issues, and correct variables. */
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
 * Only for showing: keeps variables in right-to-left text in their own order, `{{.Name}}` and not `{{Name.}}` (UAX #9
 * §2.4.2). Editable fields show their text without such marks.
 */
export const isolateVariables = (text: string): string => text.replace(/\{\{[^{}]*\}\}/g, "\u2066$&\u2069");
