// Finds entries of a list by the words that were typed, in any order, and sorts them by closeness.

/** Returns the text in lower case and without accents, so that "uber" finds "Über". */
export const plain = (text: string): string => text.normalize("NFKD").replace(/\p{M}/gu, "").toLocaleLowerCase();

/**
 * Returns the entries that contain every typed word: those that the text names as a whole first, then those that begin
 * with it, then those with a word that begins like the first one. Entries that are equally close keep their order.
 * @param textsOf the texts of an entry, its name first
 */
export function closestFirst<Entry>(
  entries: readonly Entry[],
  typed: string,
  textsOf: (entry: Entry) => readonly [string, ...string[]],
): Entry[] {
  const wanted = plain(typed).trim();
  if (wanted === "") return [...entries];
  const words = wanted.split(/\s+/);
  const ranked = entries.flatMap((entry) => {
    const texts = textsOf(entry).map(plain);
    const all = texts.join(" ");
    if (!words.every((word) => all.includes(word))) return [];
    return [{ entry, rank: rankOf(texts, wanted, words[0] ?? "") }];
  });
  return ranked.sort((a, b) => a.rank - b.rank).map(({ entry }) => entry);
}

function rankOf(texts: readonly string[], wanted: string, first: string): number {
  if (texts.includes(wanted)) return 0;
  if (texts.some((text) => text.startsWith(wanted))) return 1;
  return ` ${texts[0]}`.includes(` ${first}`) ? 2 : 3;
}
