/**
 * Marks the texts of a preview, so that an editor knows which one was clicked. Each text is surrounded by characters of
 * Unicode's private use area, with its number; after rendering, they become elements in text, and an attribute if the
 * word is part of a tag. The real pages contain no marks. The functions are pure.
 * Administrators' texts may contain these characters too: they are removed first, and an unmatched mark is dropped, so
 * that no text can open or close an element (attack: markup by marks).
 */
const [OPEN, END, CLOSE] = ["\ue000", "\ue001", "\ue002"] as const;
const MARK = /\ue000(\d+)\ue001|[\ue000-\ue002]/g;

/** Returns the marks around the text with this number. */
export const marksOf = (number: number): readonly [string, string] => [`${OPEN}${number}${END}`, CLOSE];

/** Returns a text from users without possible marks. */
export const withoutMarks = (text: string): string => text.replace(MARK, "");

export interface Marked {
  html: string;
  /** The numbers of the texts on the page, in the order of their first appearance. */
  shown: readonly number[];
}

const TEXT_ONLY = new Set(["title", "option", "textarea", "style", "script"]);

/**
 * Replaces the marks.
 * @param html HTML as React renders it: `<` and `>` in attributes and text are escaped
 * @param attributeOf returns the attribute that names the text of a number: `data-word="signIn.title"`
 */
export function markHtml(html: string, attributeOf: (number: number) => string): Marked {
  const shown = new Set<number>();
  let depth = 0;
  let textOnly: string | undefined;
  const inText = (text: string) =>
    text.replace(MARK, (mark: string, number?: string) => {
      if (number !== undefined) shown.add(Number(number));
      if (textOnly !== undefined) return "";
      if (number !== undefined) {
        depth++;
        return `<span ${attributeOf(Number(number))}>`;
      }
      if (mark !== CLOSE || depth === 0) return "";
      depth--;
      return "</span>";
    });
  const inTag = (tag: string) => {
    const name = /^<\/?([a-z0-9]+)/i.exec(tag)?.[1]?.toLowerCase() ?? "";
    if (TEXT_ONLY.has(name)) textOnly = tag.startsWith("</") ? undefined : name;
    const numbers = [...tag.matchAll(MARK)].flatMap(([, number]) => (number === undefined ? [] : [Number(number)]));
    for (const number of numbers) shown.add(number);
    const [first] = numbers;
    const bare = withoutMarks(tag);
    return first === undefined ? bare : bare.replace(/^<[a-z0-9]+/i, (start) => `${start} ${attributeOf(first)}`);
  };
  const marked = html.replace(/<[^>]*>|[^<]+/g, (token) => (token.startsWith("<") ? inTag(token) : inText(token)));
  return { html: marked, shown: [...shown] };
}
