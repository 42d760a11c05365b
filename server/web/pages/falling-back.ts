/**
 * Words that a page in an added language says in another one (rule TEXT-13), marked with that language and its direction:
 * read aloud with the wrong voice they are not understood, and ordered by the page's direction their full stop stands at
 * the wrong end (WCAG 3.1.2; UAX #9). The translator has them between isolates (messages/login.ts); in text these become
 * elements, and stay what they are in attributes and where there may be no elements. Pure.
 */
import { directionOf, type LocaleTag } from "../../../messages/locales";

const ISOLATES = /[\u2066\u2067\u2069]/g;
const END = "\u2069";

const TEXT_ONLY = new Set(["title", "option", "textarea", "style", "script"]);
const VOID = new Set("area base br col embed hr img input link meta param source track wbr".split(" "));

/**
 * @param html as React renders it: `<` and `>` in attributes and text are escaped, and what is opened is closed
 * @param base the language of the words between isolates
 */
export function markFallingBack(html: string, base: LocaleTag): string {
  const start = `<span lang="${base}" dir="${directionOf(base)}">`;
  let depth = 0;
  let textOnly: string | undefined;
  /** The depths at which elements were begun here. */
  const begun: number[] = [];
  const inText = (text: string) =>
    text.replace(ISOLATES, (isolate) => {
      if (isolate !== END) {
        begun.push(depth);
        return start;
      }
      // Names may have isolates of their own where they are shown as they are: those that have no beginning end nothing.
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
      // One without an end does not reach beyond the element that it is in.
      for (; begun.at(-1) === depth; begun.pop()) before += "</span>";
      depth--;
    } else if (name !== "" && !VOID.has(name)) depth++;
    return before + tag;
  };
  return html.replace(/<[^>]*>|[^<]+/g, (token) =>
    token.startsWith("<") ? inTag(token) : textOnly === undefined ? inText(token) : token,
  );
}
