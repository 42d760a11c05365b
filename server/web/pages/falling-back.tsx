/**
 * Marks the words of a page that are in another language than the page (rule TEXT-13; WCAG 3.1.2): those of the base
 * language on a page in an added one, and English ones that a built-in language lacks. Without the mark, a screen
 * reader uses the wrong voice, and the full stop is at the wrong end of the line (UAX #9). The translator isolates
 * these words by characters (messages/login.ts). In text, the characters become elements; they stay in attributes and
 * where elements are not allowed.
 */
import { cloneElement, createElement, Fragment, isValidElement, type ReactElement, type ReactNode } from "react";
import { directionOf, type LocaleTag } from "../../../messages/locales";

const ISOLATE = /([\u2066-\u2069])/;
/** Starts an English text in place of one that the base language lacks. */
const ENGLISH = "\u2068";
const END = "\u2069";

const TEXT_ONLY = new Set(["title", "option", "textarea", "style", "script"]);

type Content = string | ReactElement;

/**
 * Replaces the isolates by elements.
 * @param page its components are called, so they must not use hooks
 * @param base the language of the words between isolates
 */
export const markFallingBack = (page: ReactElement, base: LocaleTag): ReactNode =>
  createElement(Fragment, undefined, ...contentsOf(page, base));

/** Returns what a node renders: texts and elements, without components. */
function contentsOf(node: ReactNode, base: LocaleTag): Content[] {
  if (typeof node === "string" || typeof node === "number") return [String(node)];
  if (Array.isArray(node)) return node.flatMap((child: ReactNode) => contentsOf(child, base));
  if (!isValidElement(node)) return [];
  const { type, props } = node as { type: unknown; props: { children?: ReactNode } };
  if (typeof type === "function") return contentsOf((type as (props: object) => ReactNode)(props), base);
  if (type === Fragment) return contentsOf(props.children, base);
  if (typeof type === "string" && TEXT_ONLY.has(type)) return [node];
  return [cloneElement(node, undefined, ...inElements(contentsOf(props.children, base), base))];
}

/** Puts the contents between two isolates into an element. An unclosed one ends with its surrounding element. */
function inElements(contents: readonly Content[], base: LocaleTag): Content[] {
  const whole: Content[] = [];
  const begun: { language: LocaleTag; within: Content[] }[] = [];
  const add = (content: Content) => (begun.at(-1)?.within ?? whole).push(content);
  const end = () => {
    // Displayed names may contain isolates of their own: closing ones without an opening one are dropped.
    const last = begun.pop();
    if (last) add(createElement("span", { lang: last.language, dir: directionOf(last.language) }, ...last.within));
  };
  for (const content of contents.flatMap((each): Content[] =>
    typeof each === "string" ? each.split(ISOLATE) : [each],
  )) {
    if (content === END) end();
    else if (typeof content !== "string" || !ISOLATE.test(content)) add(content);
    else begun.push({ language: content === ENGLISH ? "en" : base, within: [] });
  }
  while (begun.length > 0) end();
  return whole;
}
