// Catalogues of texts in the bundle: each language has its own file (scripts/bundle-plugins.mjs).
import { readFileSync } from "node:fs";

/**
 * Returns the texts by language; each file is read on first access and then kept.
 * @param files the path of each file, relative to `base`, a URL
 */
export function readWhenAsked<Texts>(files: Readonly<Record<string, string>>, base: string): Record<string, Texts> {
  const catalogue = {};
  for (const [tag, file] of Object.entries(files)) {
    Object.defineProperty(catalogue, tag, {
      enumerable: true,
      configurable: true,
      get() {
        const value = JSON.parse(readFileSync(new URL(file, base), "utf8")) as Texts;
        Object.defineProperty(catalogue, tag, { enumerable: true, value });
        return value;
      },
    });
  }
  return catalogue;
}
