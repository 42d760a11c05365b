// The addresses of the editor of the page texts.
import { organizationInPath } from "../../pages";
import { LANGUAGE, type TextScope, textsAddress } from "../address";

export interface WordsAddress {
  /** The page that is shown, as the service names it. */
  page: string;
  language: string;
}

/** What names of pages look like; whether there is one, the service says. */
const PAGE = /^[a-z]+(?:[.-][a-z]+)*$/;

export function wordsAddress(scope: TextScope, { page, language }: WordsAddress): string {
  return `${textsAddress(scope)}/pages/${page}/${language}`;
}

/** Undefined for what names no page or no language. */
export function parseWordsAddress(page: string | undefined, language: string | undefined): WordsAddress | undefined {
  if (page === undefined || !PAGE.test(page) || language === undefined || !LANGUAGE.test(language)) return undefined;
  return { page, language };
}

/** The page and language that a path names; undefined for other pages of the console. */
export function wordsAddressIn({ organizationId }: TextScope, path: string): WordsAddress | undefined {
  const found = /^\/console\/(?:organizations\/[^/]+\/)?texts\/pages\/([^/]+)\/([^/]+)$/.exec(path);
  return found && organizationInPath(path) === organizationId ? parseWordsAddress(found[1], found[2]) : undefined;
}
