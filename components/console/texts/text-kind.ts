// The interface between the editor and a kind of texts: messages or page texts.
import type { Answer } from "../../../shared/refusal";
import type { SavedText, Values } from "./text-state";

export interface TextChangeAnswer {
  details: { sequence?: string; changeDate?: string };
  warnings?: readonly unknown[];
  /** Set if the change awaits another user's approval. */
  draft?: { id: string };
}

/** A kind of texts; the object must be stable between renders. */
export interface TextKind<Address, Overview> {
  /** Returns the key of the text; addresses with the same key show parts of one text. */
  keyOf(address: Address): string;
  /** Returns the address of the page. */
  pathOf(address: Address): string;
  /** Returns the address that a path names; undefined for other pages. */
  addressIn(path: string): Address | undefined;
  read(address: Address, signal: AbortSignal): Promise<Answer<SavedText>>;
  set(address: Address, values: Values, ifMatch: string): Promise<Answer<TextChangeAnswer>>;
  reset(address: Address, ifMatch: string): Promise<Answer<TextChangeAnswer>>;
  /** Keeps the custom text although the built-in one has changed. */
  keep(address: Address): Promise<Answer<TextChangeAnswer>>;
  /** Returns the overview after the level's own text was set to this one. */
  noted(overview: Overview, address: Address, own: Values): Overview;
}

/** The data that the page has read. */
export interface InitialText<Address, Overview> {
  address: Address;
  saved: SavedText;
  overview: Overview;
}
