// Returns the length of a text as the server counts it: in characters (code points), so that an emoji is one.

export function codePoints(text: string): number {
  let count = 0;
  for (const _ of text) count++;
  return count;
}

/** The state of a counter: below 90 % of the limit, near it, or above it. */
export type Fill = "fine" | "near" | "over";

export function fillOf(count: number, limit: number): Fill {
  if (count > limit) return "over";
  return count >= limit * 0.9 ? "near" : "fine";
}

/** Returns the index in a string (UTF-16) of a position in characters. */
export function indexAt(text: string, position: number): number {
  let index = 0;
  let left = position;
  for (const character of text) {
    if (left-- <= 0) break;
    index += character.length;
  }
  return index;
}
