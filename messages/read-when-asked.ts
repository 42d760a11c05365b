// Catalogues of texts as the bundle has them: each language's in a file of its own (scripts/bundle-plugins.mjs).
import { readFileSync } from "node:fs";

/**
 * The texts by language, each read from its file when it is first asked for, and then kept.
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
