/**
 * The initial content of databases by bootstrap file. Applying a bootstrap file takes ten times as long as inserting
 * its rows, so the first service with a file keeps the result, and later ones start with a copy.
 */
import type { Content } from "./database";

interface Preparation {
  /** Undefined until the first one has kept it; two that start at once both apply the file. */
  content?: Promise<Content>;
}

const preparations = new Map<string, Preparation>();

/** Returns the preparation of a content. @param parts everything that determines the rows */
export function preparation(...parts: unknown[]): Preparation {
  const key = JSON.stringify(parts);
  const known = preparations.get(key) ?? {};
  preparations.set(key, known);
  return known;
}
