// How one text differs from another, word by word. Words are what the language has for words: several languages write
// them without blanks. A variable is one word.

export interface DiffPart {
  kind: "same" | "added" | "removed";
  text: string;
}

/** Longest texts that are compared word by word; beyond it the table of the comparison would grow too large. */
const MOST_WORDS = 2_500;

/** @param language BCP 47 */
export function wordDiff(before: string, after: string, language: string): DiffPart[] {
  const one = words(before, language);
  const other = words(after, language);
  if (one.length > MOST_WORDS || other.length > MOST_WORDS)
    return joined([
      ["removed", before],
      ["added", after],
    ]);
  // lengths[i][j]: of the longest common subsequence of one from i and other from j
  const lengths: Uint16Array[] = Array.from({ length: one.length + 1 }, () => new Uint16Array(other.length + 1));
  const lengthAt = (i: number, j: number) => lengths[i]?.[j] ?? 0;
  for (let i = one.length - 1; i >= 0; i--) {
    const row = lengths[i] as Uint16Array;
    for (let j = other.length - 1; j >= 0; j--) {
      row[j] = one[i] === other[j] ? lengthAt(i + 1, j + 1) + 1 : Math.max(lengthAt(i + 1, j), lengthAt(i, j + 1));
    }
  }
  const parts: [DiffPart["kind"], string][] = [];
  let i = 0;
  let j = 0;
  while (i < one.length || j < other.length) {
    const removed = one[i];
    const added = other[j];
    if (removed !== undefined && removed === added) {
      parts.push(["same", removed]);
      i++;
      j++;
    } else if (removed !== undefined && (added === undefined || lengthAt(i + 1, j) >= lengthAt(i, j + 1))) {
      parts.push(["removed", removed]);
      i++;
    } else {
      parts.push(["added", added ?? ""]);
      j++;
    }
  }
  return joined(parts);
}

function words(text: string, language: string): string[] {
  const segmenter = new Intl.Segmenter(language, { granularity: "word" });
  return text
    .split(/(\{\{[^{}]*\}\})/)
    .flatMap((part, index) => (index % 2 === 1 ? [part] : [...segmenter.segment(part)].map(({ segment }) => segment)));
}

/** Neighbours of one kind become one part; what was removed stands before what came in its place. */
function joined(parts: readonly (readonly [DiffPart["kind"], string])[]): DiffPart[] {
  const found: DiffPart[] = [];
  let removed = "";
  let added = "";
  const flush = () => {
    if (removed) found.push({ kind: "removed", text: removed });
    if (added) found.push({ kind: "added", text: added });
    removed = "";
    added = "";
  };
  for (const [index, [kind, text]] of parts.entries()) {
    if (kind === "removed") removed += text;
    else if (kind === "added") added += text;
    else if (/^\s+$/.test(text) && (removed || added) && isChange(parts[index + 1])) {
      // A blank between two changed words belongs to both of them: sentences stay readable.
      removed += text;
      added += text;
    } else {
      flush();
      const last = found.at(-1);
      if (last?.kind === "same") last.text += text;
      else if (text) found.push({ kind: "same", text });
    }
  }
  flush();
  return found;
}

const isChange = (part: readonly [DiffPart["kind"], string] | undefined): boolean =>
  part !== undefined && part[0] !== "same";
