// The addresses of the editor of page texts.
import { organizationInPath } from "../../../shared/pages";
import { LANGUAGE, type TextScope, textsAddress } from "./address";

export interface WordsAddress {
  /** The page shown, by its name in the API. */
  page: string;
  language: string;
}

/** The format of page names; the server checks whether a page exists. */
const PAGE = /^[a-z]+(?:[.-][a-z]+)*$/;

export function wordsAddress(scope: TextScope, { page, language }: WordsAddress): string {
  return `${textsAddress(scope)}/pages/${page}/${language}`;
}

/** Parses an address; undefined if a part is not a valid page name or language. */
export function parseWordsAddress(page: string | undefined, language: string | undefined): WordsAddress | undefined {
  if (page === undefined || !PAGE.test(page) || language === undefined || !LANGUAGE.test(language)) return undefined;
  return { page, language };
}

/** Returns the page and language that a path names; undefined for other pages of the console. */
export function wordsAddressIn({ organizationId }: TextScope, path: string): WordsAddress | undefined {
  const found = /^\/console\/(?:organizations\/[^/]+\/)?texts\/pages\/([^/]+)\/([^/]+)$/.exec(path);
  return found && organizationInPath(path) === organizationId ? parseWordsAddress(found[1], found[2]) : undefined;
}
