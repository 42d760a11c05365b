/**
 * JSON as protocol buffers have it: empty strings, zeros, false and empty lists are left out, numbers of 64 bits are
 * strings. Clients of such services count on it, they take a missing isDefault for false (reference: JSON).
 */
import type { TextAnswer } from "./perform";

export function textAnswerJson(answer: TextAnswer): object {
  return withoutDefaults(answer) as object;
}

/** Leaves out what is the default of its type, at every depth; an object stays, even where nothing is left of it. */
export function withoutDefaults(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutDefaults);
  if (typeof value !== "object" || value === null) return value;
  if ("sequence" in value && value.sequence === "0" && "resourceOwner" in value) {
    return { resourceOwner: value.resourceOwner }; // nothing was ever recorded, so there are no times either
  }
  const entries = Object.entries(value).filter(([, member]) => !isDefault(member));
  return Object.fromEntries(entries.map(([name, member]) => [name, withoutDefaults(member)]));
}

function isDefault(value: unknown): boolean {
  if (value === undefined || value === null || value === "" || value === 0 || value === false) return true;
  return Array.isArray(value) && value.length === 0;
}
