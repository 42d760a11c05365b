// The texts that go to the browser with a page. A page is rendered here, in the words of messages/; only what its scripts
// say themselves must travel with it. Pages are not compressed, since they hold secrets of the person (BREACH), so each
// sentence that nobody says would cost its length. The lists are written by script-texts.test.ts, from the sources.
import type { ConsoleMessages } from "../../messages/console";
import type { ConsolePage } from "./pages";
import lists from "./script-texts.json";

interface Texts {
  [key: string]: string | Texts;
}

/** What is around every page: the palette, and what is said where a page could not be shown. */
export const textsAround = (all: ConsoleMessages): Texts => pick(all, lists.around);

export const textsOf = (page: ConsolePage, all: ConsoleMessages): Texts => pick(all, lists.pages[page]);

/** @param keys of one text each, or of all beneath */
function pick(all: ConsoleMessages, keys: readonly string[]): Texts {
  const picked: Texts = {};
  for (const key of keys) {
    const path = key.split(".");
    const last = path.pop() ?? "";
    let from: Texts = all;
    let to = picked;
    for (const name of path) {
      from = from[name] as Texts;
      to[name] ??= {};
      to = to[name] as Texts;
    }
    const text = from[last];
    if (text !== undefined) to[last] = text;
  }
  return picked;
}
