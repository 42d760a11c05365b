/** The search of the documents: sections ranked by how well they match, headings before text. */
import MiniSearch from "minisearch";
import type { DocumentGroup, ServedDocument } from "./library";

/** The maximum length of a query, in characters. */
export const MAX_QUERY_LENGTH = 200;
const MAX_RESULTS = 20;
/** The length of an excerpt, in characters. */
const EXCERPT = 180;

export interface Found {
  address: string;
  /** The title of the document, and the heading of the section if there is one. */
  title: string;
  heading: string;
  excerpt: string;
}

interface Entry {
  id: number;
  title: string;
  heading: string;
  text: string;
  address: string;
  group: DocumentGroup;
}

/** The weights of the groups: readers search more often for instructions than for reasons. */
const WEIGHTS: Readonly<Record<DocumentGroup, number>> = {
  "Get started": 1,
  Deploy: 1,
  Concepts: 0.5,
  Decisions: 0.25,
};

export type DocumentSearch = (query: string) => Found[];

export function documentSearch(documents: readonly ServedDocument[]): DocumentSearch {
  const index = new MiniSearch<Entry>({
    fields: ["title", "heading", "text"],
    storeFields: ["title", "heading", "text", "address", "group"],
    searchOptions: {
      boost: { title: 3, heading: 2 },
      prefix: (term) => term.length > 2,
      fuzzy: fuzziness,
      boostDocument: (_id, _term, stored) => WEIGHTS[stored?.group as DocumentGroup],
    },
  });
  let id = 0;
  for (const { title, address, group, sections } of documents) {
    for (const { anchor, heading, text } of sections) {
      const place = anchor === "" ? address : `${address}#${anchor}`;
      index.add({ id: id++, title, heading, text, group, address: place });
    }
  }
  /** Finds sections with every word, then those with most of them. */
  const search = (words: string) => {
    const exact = index.search(words, { combineWith: "AND" });
    const known = new Set(exact.map(({ id }) => id));
    return [...exact, ...index.search(words, { combineWith: "OR" }).filter(({ id }) => !known.has(id))];
  };
  return (query) =>
    search(query.slice(0, MAX_QUERY_LENGTH))
      .slice(0, MAX_RESULTS)
      .map(({ title, heading, text, address, terms }) => ({
        address,
        title,
        heading: heading === title ? "" : heading,
        excerpt: excerptOf(text, terms),
      }));
}

/** Allows one typing error in a word of five letters or more. */
const fuzziness = (term: string): number | false => (term.length > 4 ? 1 : false);

/** Returns the text around the first match. */
function excerptOf(text: string, terms: readonly string[]): string {
  const plain = text.replace(/\s+/g, " ").trim();
  const folded = plain.toLowerCase();
  const places = terms.map((term) => folded.indexOf(term)).filter((at) => at >= 0);
  const at = places.length === 0 ? 0 : Math.min(...places);
  const from = at < EXCERPT / 3 ? 0 : plain.lastIndexOf(" ", at - EXCERPT / 3) + 1;
  const cut = plain.slice(from, from + EXCERPT);
  return `${from > 0 ? "… " : ""}${cut}${from + EXCERPT < plain.length ? " …" : ""}`;
}
