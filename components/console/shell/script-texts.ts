// The texts that are sent to the browser with a page. Pages are rendered on the server; only the texts that their
// scripts use must be sent. Pages are not compressed because they contain secrets of the user (attack: BREACH), so
// unused texts would cost their full length. script-texts.test.ts generates the lists from the sources.
import type { ConsoleMessages } from "../../../messages/console";
import type { ConsolePage } from "../../../shared/pages";
import lists from "./script-texts.json";

interface Texts {
  [key: string]: string | Texts;
}

/** Returns the texts that all pages share: the command palette and the error page. */
export const textsAround = (all: ConsoleMessages): Texts => pick(all, lists.around);

export const textsOf = (page: ConsolePage, all: ConsoleMessages): Texts => pick(all, lists.pages[page]);

/**
 * Returns the texts with some keys.
 * @param keys the keys of single texts or of groups of texts: the path to each, and the names there
 */
function pick(all: ConsoleMessages, keys: Readonly<Record<string, readonly string[]>>): Texts {
  const picked: Texts = {};
  for (const [path, names] of Object.entries(keys)) {
    let from: Texts = all;
    let to = picked;
    for (const name of path.split(".").filter(Boolean)) {
      from = from[name] as Texts;
      to[name] ??= {};
      to = to[name] as Texts;
    }
    for (const name of names) {
      const text = from[name];
      if (text !== undefined) to[name] = text;
    }
  }
  return picked;
}
