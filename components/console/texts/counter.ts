// Counts a text as the service does: in characters (code points), so that an emoji is one.

export function codePoints(text: string): number {
  let count = 0;
  for (const _ of text) count++;
  return count;
}

/** Fine, near the limit (from 90 %), or past it. */
export type Fill = "fine" | "near" | "over";

export function fillOf(count: number, limit: number): Fill {
  if (count > limit) return "over";
  return count >= limit * 0.9 ? "near" : "fine";
}

/** The index in a string (UTF-16) of a position in characters. */
export function indexAt(text: string, position: number): number {
  let index = 0;
  let left = position;
  for (const character of text) {
    if (left-- <= 0) break;
    index += character.length;
  }
  return index;
}
