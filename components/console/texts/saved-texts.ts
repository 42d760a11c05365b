// The saved texts in the cache of queries, by their keys. Each is read again when it is opened.
import { type QueryClient, queryOptions } from "@tanstack/react-query";
import { bodyOf, type RefusedQuery } from "../calls/queries";
import type { TextKind } from "./text-kind";
import type { SavedText, Values } from "./text-state";

/** The key of the list of changes that await approval. */
export const DRAFTS_KEY = ["text-drafts"];
const TEXTS_KEY = ["text"];

export const savedTextQuery = <Address, Overview>(kind: TextKind<Address, Overview>, address: Address) =>
  queryOptions<SavedText, RefusedQuery>({
    queryKey: [...TEXTS_KEY, kind.keyOf(address)],
    gcTime: Number.POSITIVE_INFINITY,
    queryFn: async ({ signal }) => bodyOf(await kind.read(address, signal)),
  });

/** Reads a text again; undefined if it cannot be read. A request that is running may be older than a save. */
export async function readTextAgain<Address, Overview>(
  client: QueryClient,
  kind: TextKind<Address, Overview>,
  address: Address,
): Promise<SavedText | undefined> {
  const query = savedTextQuery(kind, address);
  await client.cancelQueries({ queryKey: query.queryKey });
  return client.fetchQuery(query).catch(() => undefined);
}

/** Reads all texts again when they are shown, after texts were changed elsewhere on the page. */
export async function forgetTexts(client: QueryClient): Promise<void> {
  client.removeQueries({ queryKey: TEXTS_KEY, type: "inactive" });
  await client.invalidateQueries({ queryKey: TEXTS_KEY });
}

/** Returns the text after its own fields were set. */
export function withOwn(
  text: SavedText,
  own: Values,
  { sequence, changeDate }: Pick<SavedText, "sequence" | "changeDate">,
): SavedText {
  // Changed fields replaced the current built-in text; unchanged ones may still have replaced an older one.
  const outdated = Object.entries(text.outdated).filter(([field]) => text.own[field] === own[field]);
  return { ...text, own, outdated: Object.fromEntries(outdated), sequence, changeDate };
}
