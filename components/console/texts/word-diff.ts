// Compares two texts word by word. Words are found by the rules of the language, because several languages have no
// spaces. A variable is one word.
import { diffArrays } from "diff";

export interface DiffPart {
  kind: "same" | "added" | "removed";
  text: string;
}

type Step = readonly [DiffPart["kind"], string];

/** Texts with more changed words are not compared word by word, because that would take too long. */
const MAX_CHANGED_WORDS = 1_000;

/**
 * Returns the differences.
 * @param language a BCP 47 tag
 */
export function wordDiff(before: string, after: string, language: string): DiffPart[] {
  const [one, other] = [words(before, language), words(after, language)];
  // Without the equal end, a text that is replaced as a whole keeps what follows it.
  let tail = 0;
  const most = Math.min(one.length, other.length);
  while (tail < most && one.at(-1 - tail) === other.at(-1 - tail)) tail++;
  const [removed, added] = [one.slice(0, one.length - tail), other.slice(0, other.length - tail)];
  const changes = diffArrays(removed, added, { maxEditLength: MAX_CHANGED_WORDS })?.flatMap(
    ({ value, added, removed }) => value.map((text): Step => [added ? "added" : removed ? "removed" : "same", text]),
  );
  const whole: Step[] = [
    ["removed", removed.join("")],
    ["added", added.join("")],
  ];
  return joined([...(changes ?? whole), ...one.slice(one.length - tail).map((text): Step => ["same", text])]);
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
