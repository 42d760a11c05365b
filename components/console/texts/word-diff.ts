// Compares two texts word by word. Words are found by the rules of the language, because several languages have no
// spaces. A variable is one word.

export interface DiffPart {
  kind: "same" | "added" | "removed";
  text: string;
}

type Step = readonly [DiffPart["kind"], string];

/** Longer texts are not compared word by word, because the table would become too large. */
const MAX_WORDS = 1_500;

/**
 * Returns the differences.
 * @param language a BCP 47 tag
 */
export function wordDiff(before: string, after: string, language: string): DiffPart[] {
  const one = words(before, language);
  const other = words(after, language);
  // Equal prefixes and suffixes need no table; most changes are small.
  let head = 0;
  while (head < one.length && one[head] === other[head]) head++;
  let tail = 0;
  const most = Math.min(one.length, other.length) - head;
  while (tail < most && one.at(-1 - tail) === other.at(-1 - tail)) tail++;
  const middle = compare(one.slice(head, one.length - tail), other.slice(head, other.length - tail));
  const same = (part: string[]) => part.map((text): Step => ["same", text]);
  return joined([...same(one.slice(0, head)), ...middle, ...same(one.slice(one.length - tail))]);
}

/** Compares by the longest common subsequence. */
function compare(one: readonly string[], other: readonly string[]): Step[] {
  if (one.length > MAX_WORDS || other.length > MAX_WORDS) {
    return [
      ["removed", one.join("")],
      ["added", other.join("")],
    ];
  }
  // lengths[i][j]: length of the longest common subsequence of one from i and other from j
  const lengths: Uint16Array[] = Array.from({ length: one.length + 1 }, () => new Uint16Array(other.length + 1));
  const lengthAt = (i: number, j: number) => lengths[i]?.[j] ?? 0;
  for (let i = one.length - 1; i >= 0; i--) {
    const row = lengths[i] as Uint16Array;
    for (let j = other.length - 1; j >= 0; j--) {
      row[j] = one[i] === other[j] ? lengthAt(i + 1, j + 1) + 1 : Math.max(lengthAt(i + 1, j), lengthAt(i, j + 1));
    }
  }
  const steps: Step[] = [];
  let i = 0;
  let j = 0;
  while (i < one.length || j < other.length) {
    const removed = one[i];
    const added = other[j];
    if (removed !== undefined && removed === added) {
      steps.push(["same", removed]);
      i++;
      j++;
    } else if (removed !== undefined && (added === undefined || lengthAt(i + 1, j) >= lengthAt(i, j + 1))) {
      steps.push(["removed", removed]);
      i++;
    } else {
      steps.push(["added", added ?? ""]);
      j++;
    }
  }
  return steps;
}

function words(text: string, language: string): string[] {
  const segmenter = new Intl.Segmenter(language, { granularity: "word" });
  return text
    .split(/(\{\{[^{}]*\}\})/)
    .flatMap((part, index) => (index % 2 === 1 ? [part] : [...segmenter.segment(part)].map(({ segment }) => segment)));
}

/** Joins adjacent parts of the same kind; removed text precedes its replacement. */
function joined(parts: readonly Step[]): DiffPart[] {
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
      // A space between two changed words counts as changed, so that sentences stay readable.
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

const isChange = (part: Step | undefined): boolean => part !== undefined && part[0] !== "same";
