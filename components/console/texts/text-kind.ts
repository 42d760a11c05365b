// What the editor needs of a kind of texts: the messages, or the page texts.
import type { Answer } from "../refusal";
import type { SavedText, Values } from "./text-state";

export interface TextChangeAnswer {
  details: { sequence?: string; changeDate?: string };
  warnings?: readonly unknown[];
  /** It waits for somebody else's approval. */
  draft?: { id: string };
}

type Asked<T> = Promise<Answer<T> | undefined>;

/** It stays the same object. */
export interface TextKind<Address, Overview> {
  /** Of the text; addresses with the same key show parts of one text. */
  keyOf(address: Address): string;
  /** The page's address. */
  pathOf(address: Address): string;
  /** The address of a path; undefined for other pages. */
  addressIn(path: string): Address | undefined;
  read(address: Address, signal: AbortSignal): Asked<SavedText>;
  set(address: Address, values: Values, ifMatch: string): Asked<TextChangeAnswer>;
  reset(address: Address, ifMatch: string): Asked<TextChangeAnswer>;
  /** Keeps the text although the built-in one has changed. */
  keep(address: Address): Asked<TextChangeAnswer>;
  /** The overview once the level's own text is this one. */
  noted(overview: Overview, address: Address, own: Values): Overview;
}

/** What the page has read. */
export interface InitialText<Address, Overview> {
  address: Address;
  saved: SavedText;
  overview: Overview;
}
