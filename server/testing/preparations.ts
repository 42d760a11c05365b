/**
 * What the databases of this process began with. Applying a bootstrap file takes ten times as long as putting its rows into
 * a database, so the first service with a file keeps what became of it, and those after it begin with a copy.
 */
import type { Content } from "./database";

interface Preparation {
  /** Undefined until the first has kept it; two that begin at once both apply the file. */
  content?: Promise<Content>;
}

const preparations = new Map<string, Preparation>();

/** @param parts everything that decides what the rows are */
export function preparation(...parts: unknown[]): Preparation {
  const key = JSON.stringify(parts);
  const known = preparations.get(key) ?? {};
  preparations.set(key, known);
  return known;
}
