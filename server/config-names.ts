/**
 * Finds misspelt variables. They would be ignored silently and the default used instead, which for BASE_URL or
 * TRUSTED_PROXIES is a fault that is hard to notice. Spec: contract, section 2 ("an unknown or bad value stops the
 * start").
 */

/** Names that are allowed in `.env` though they are not ours: Node, Next and the time zone use them. */
const FOREIGN = /^(NODE_|NEXT_|TZ$)/;

/** Variables of other programs that differ from ours by one slip: OpenSSL, Go and Python read this one. */
const NEIGHBOURS: readonly string[] = ["SSL_CERT_FILE"];

/**
 * The known name that was meant, or undefined. The environment contains many names of other programs, so only near
 * misses count: other letter case, and one slip (two in names longer than ten letters); in names as short as PORT only
 * two swapped letters.
 */
export function meantName(name: string, known: readonly string[]): string | undefined {
  if (known.includes(name) || NEIGHBOURS.includes(name)) return undefined;
  const upper = name.toUpperCase();
  // Singular and plural: TRUSTED_PROXY.
  return known.find((candidate) => isNear(upper, candidate) || isNear(upper.replace(/Y$/, "IES"), candidate));
}

function isNear(name: string, candidate: string): boolean {
  if (name === candidate) return true;
  const slips = editDistance(name, candidate);
  if (candidate.length <= 5) return slips === 1 && name.length === candidate.length && sameLetters(name, candidate);
  return slips <= (candidate.length > 10 ? 2 : 1);
}

/** Whether a name in `.env` is unknown. That file is only ours, so an unknown name is a mistake. */
export function isUnknownInDotEnv(name: string, known: readonly string[]): boolean {
  return !known.includes(name) && !FOREIGN.test(name);
}

function sameLetters(a: string, b: string): boolean {
  return [...a].sort().join("") === [...b].sort().join("");
}

/**
 * Optimal string alignment distance: insertions, deletions, substitutions and swaps of neighbours count as one step
 * each.
 */
function editDistance(a: string, b: string): number {
  if (Math.abs(a.length - b.length) > 2) return 3;
  const rows: number[][] = [Array.from({ length: b.length + 1 }, (_, j) => j)];
  const at = (i: number, j: number) => rows[i]?.[j] ?? 0;
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    rows.push(row);
    for (let j = 1; j <= b.length; j++) {
      const cost = a[i - 1] === b[j - 1] ? 0 : 1;
      let best = Math.min(at(i - 1, j) + 1, at(i, j - 1) + 1, at(i - 1, j - 1) + cost);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) best = Math.min(best, at(i - 2, j - 2) + 1);
      row.push(best);
    }
  }
  return at(a.length, b.length);
}
