// Texts that are being written, kept in this tab of the browser until they are saved: a reload or a wrong click loses
// nothing. Kept per person, so that whoever signs in next in the same tab finds none of them.
import type { MessageField } from "./messages";
import { changedFields, type Values } from "./text-state";

export interface Draft {
  values: Values;
  /** What was saved when writing began. */
  base: Values;
  sequence: string;
}

/** Of session storage; a browser may refuse it. */
export type Shelf = Pick<Storage, "getItem" | "setItem" | "removeItem">;

/** @param owner whose texts, and who writes: `${userId}/${organizationId}` */
export function readDrafts(shelf: Shelf, owner: string): Map<string, Draft> {
  try {
    const kept = JSON.parse(shelf.getItem(nameOf(owner)) ?? "[]") as unknown;
    return new Map(Array.isArray(kept) ? kept.filter(isEntry) : []);
  } catch {
    return new Map(); // not ours, or storage is refused
  }
}

export function writeDrafts(shelf: Shelf, owner: string, drafts: ReadonlyMap<string, Draft>): void {
  try {
    if (drafts.size === 0) shelf.removeItem(nameOf(owner));
    else shelf.setItem(nameOf(owner), JSON.stringify([...drafts]));
  } catch {
    // Full or refused: the page still holds them.
  }
}

/** The drafts with this one, or without it where nothing differs from what is saved. */
export function withDraft(drafts: ReadonlyMap<string, Draft>, key: string, draft: Draft): Map<string, Draft> {
  const next = new Map(drafts);
  if (changedFields(draft.base, draft.values).length === 0) next.delete(key);
  else next.set(key, draft);
  return next;
}

const nameOf = (owner: string): string => `texts/${owner}`;

function isEntry(entry: unknown): entry is [string, Draft] {
  if (!Array.isArray(entry) || typeof entry[0] !== "string") return false;
  const { values, base, sequence } = (entry[1] ?? {}) as Partial<Draft>;
  return isValues(values) && isValues(base) && typeof sequence === "string";
}

const isValues = (values: unknown): values is Partial<Record<MessageField, string>> =>
  typeof values === "object" && values !== null && Object.values(values).every((value) => typeof value === "string");
