/**
 * The difference of two URLs, character by character, for a developer who registered one and sent the other. It is the
 * longest common subsequence of what remains between the common beginning and end.
 */

export interface DifferencePart {
  /** `same`: in both. `missing`: registered but not sent. `extra`: sent but not registered. */
  kind: "same" | "missing" | "extra";
  text: string;
}

/** The maximum length of either text in characters; in longer ones the whole middle counts as replaced. */
const MAX_COMPARED = 1000;

export function differenceOf(registered: string, sent: string): DifferencePart[] {
  const [a, b] = [[...registered], [...sent]];
  const start = commonStart(a, b);
  const end = commonStart(a.slice(start).reverse(), b.slice(start).reverse());
  const middle = compare(a.slice(start, a.length - end), b.slice(start, b.length - end));
  const parts: DifferencePart[] = [
    { kind: "same", text: a.slice(0, start).join("") },
    ...middle,
    { kind: "same", text: a.slice(a.length - end).join("") },
  ];
  return joined(parts);
}

/**
 * Returns how many characters the two share at beginning and end. The registered URI with the most is probably the one
 * that was meant.
 */
export function likeness(registered: string, sent: string): number {
  const [a, b] = [[...registered], [...sent]];
  const start = commonStart(a, b);
  return start + commonStart(a.slice(start).reverse(), b.slice(start).reverse());
}

function commonStart(a: readonly string[], b: readonly string[]): number {
  let length = 0;
  while (length < a.length && length < b.length && a[length] === b[length]) length++;
  return length;
}

function compare(a: readonly string[], b: readonly string[]): DifferencePart[] {
  if (a.length > MAX_COMPARED || b.length > MAX_COMPARED) {
    return [
      { kind: "missing", text: a.join("") },
      { kind: "extra", text: b.join("") },
    ];
  }
  const width = b.length + 1;
  const longest = new Uint16Array((a.length + 1) * width); // for the remainders from i and j
  const at = (i: number, j: number) => longest[i * width + j] ?? 0;
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      longest[i * width + j] = a[i] === b[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
    }
  }
  const parts: DifferencePart[] = [];
  let [i, j] = [0, 0];
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && a[i] === b[j]) {
      parts.push({ kind: "same", text: a[i] ?? "" });
      i++;
      j++;
    } else if (i < a.length && (j >= b.length || at(i + 1, j) >= at(i, j + 1))) {
      parts.push({ kind: "missing", text: a[i++] ?? "" });
    } else {
      parts.push({ kind: "extra", text: b[j++] ?? "" });
    }
  }
  return parts;
}

/** Joins neighbours of the same kind and removes empty parts. */
function joined(parts: readonly DifferencePart[]): DifferencePart[] {
  const result: DifferencePart[] = [];
  for (const part of parts) {
    const last = result.at(-1);
    if (part.text === "") continue;
    if (last?.kind === part.kind) last.text += part.text;
    else result.push({ ...part });
  }
  return result;
}
