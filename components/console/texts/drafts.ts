// Drafts of texts, stored in this tab of the browser until they are saved, so that they survive a reload or an
// accidental navigation. They are stored per user, so that the next user who signs in in this tab does not see them.
import { changedFields, type Values } from "./text-state";

export interface Draft {
  values: Values;
  /** The saved text when editing started. */
  base: Values;
  sequence: string;
}

/** The part of Storage that is used. Browsers may deny session storage. */
export type Shelf = Pick<Storage, "getItem" | "setItem" | "removeItem">;

/**
 * Reads the drafts.
 * @param owner the user and the organization of the texts: `${userId}/${organizationId}`
 */
export function readDrafts(shelf: Shelf, owner: string): Map<string, Draft> {
  try {
    const kept = JSON.parse(shelf.getItem(nameOf(owner)) ?? "[]") as unknown;
    return new Map(Array.isArray(kept) ? kept.filter(isEntry) : []);
  } catch {
    return new Map(); // invalid content, or storage is denied
  }
}

export function writeDrafts(shelf: Shelf, owner: string, drafts: ReadonlyMap<string, Draft>): void {
  try {
    if (drafts.size === 0) shelf.removeItem(nameOf(owner));
    else shelf.setItem(nameOf(owner), JSON.stringify([...drafts]));
  } catch {
    // Full or denied: the page still has them in memory.
  }
}

/** Returns the drafts with this one, or without it if it equals the saved text. */
export function withDraft(drafts: ReadonlyMap<string, Draft>, key: string, draft: Draft): Map<string, Draft> {
  const next = new Map(drafts);
  if (changedFields(draft.base, draft.values).length === 0) next.delete(key);
  else next.set(key, draft);
  return next;
}

export function without<Value>(entries: ReadonlyMap<string, Value>, key: string): Map<string, Value> {
  const next = new Map(entries);
  next.delete(key);
  return next;
}

/**
 * Returns the drafts after one was saved or discarded: input typed meanwhile becomes a new draft, based on the saved
 * text.
 * @param isSent whether a draft is the one that was sent
 */
export function withoutSent(
  drafts: ReadonlyMap<string, Draft>,
  key: string,
  isSent: (draft: Draft) => boolean,
  { own, sequence }: { own: Values; sequence: string },
): Map<string, Draft> {
  const since = drafts.get(key);
  if (!since || isSent(since)) return without(drafts, key);
  return withDraft(drafts, key, { values: since.values, base: own, sequence });
}

const nameOf = (owner: string): string => `texts/${owner}`;

function isEntry(entry: unknown): entry is [string, Draft] {
  if (!Array.isArray(entry) || typeof entry[0] !== "string") return false;
  const { values, base, sequence } = (entry[1] ?? {}) as Partial<Draft>;
  return isValues(values) && isValues(base) && typeof sequence === "string";
}

const isValues = (values: unknown): values is Partial<Record<string, string>> =>
  typeof values === "object" && values !== null && Object.values(values).every((value) => typeof value === "string");
