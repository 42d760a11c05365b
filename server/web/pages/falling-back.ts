/**
 * Marks the words of a page that are in another language than the page (rule TEXT-13; WCAG 3.1.2): those of the base
 * language on a page in an added one, and English ones that a built-in language lacks. Without the mark, a screen
 * reader uses the wrong voice, and the full stop is at the wrong end of the line (UAX #9). The translator isolates
 * these words by characters (messages/login.ts). In text, the characters become elements; they stay in attributes and
 * where elements are not allowed. The function is pure.
 */
import { directionOf, type LocaleTag } from "../../../messages/locales";

const ISOLATES = /[\u2066-\u2069]/g;
/** Starts an English text in place of one that the base language lacks. */
const ENGLISH = "\u2068";
const END = "\u2069";

const TEXT_ONLY = new Set(["title", "option", "textarea", "style", "script"]);
const VOID = new Set("area base br col embed hr img input link meta param source track wbr".split(" "));

/**
 * Replaces the isolates.
 * @param html HTML as React renders it: `<` and `>` in attributes and text are escaped, and every opened element is
 * closed
 * @param base the language of the words between isolates
 */
export function markFallingBack(html: string, base: LocaleTag): string {
  const startOf = (language: LocaleTag) => `<span lang="${language}" dir="${directionOf(language)}">`;
  const [start, startEnglish] = [startOf(base), startOf("en")];
  let depth = 0;
  let textOnly: string | undefined;
  /** The depths at which elements were opened here. */
  const begun: number[] = [];
  const inText = (text: string) =>
    text.replace(ISOLATES, (isolate) => {
      if (isolate !== END) {
        begun.push(depth);
        return isolate === ENGLISH ? startEnglish : start;
      }
      // Displayed names may contain isolates of their own: closing ones without an opening one are dropped.
      if (begun.at(-1) !== depth) return "";
      begun.pop();
      return "</span>";
    });
  const inTag = (tag: string) => {
    const name = /^<\/?([a-z0-9]+)/i.exec(tag)?.[1]?.toLowerCase() ?? "";
    const isEnd = tag.startsWith("</");
    if (TEXT_ONLY.has(name)) textOnly = isEnd ? undefined : name;
    let before = "";
    if (isEnd) {
      // An unclosed one ends with its surrounding element.
      for (; begun.at(-1) === depth; begun.pop()) before += "</span>";
      depth--;
    } else if (name !== "" && !VOID.has(name)) depth++;
    return before + tag;
  };
  return html.replace(/<[^>]*>|[^<]+/g, (token) =>
    token.startsWith("<") ? inTag(token) : textOnly === undefined ? inText(token) : token,
  );
}
