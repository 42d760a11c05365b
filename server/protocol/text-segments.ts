/**
 * The number of segments of a text message, each of which is charged (3GPP TS 23.038 §6.2.1 for the alphabet, TS 23.040
 * §9.2.3.24 for the header that joins segments). One character outside the GSM alphabet changes the encoding of the
 * whole text to UTF-16, in which less than half as many characters fit.
 */

/** Characters of seven bits; the escape character does not occur in texts. */
const BASIC =
  "@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !\"#¤%&'()*+,-./0123456789:;<=>?" +
  "¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà";
/** Characters that need an escape before them, in the same segment. */
const EXTENDED = "\f^{}\\[~]|€";

const COST: ReadonlyMap<string, number> = new Map([
  ...[...BASIC].map((character) => [character, 1] as const),
  ...[...EXTENDED].map((character) => [character, 2] as const),
]);

/** Capacity in septets or UTF-16 code units, for a single segment and for each of several. */
const CAPACITY = { "GSM-7": { alone: 160, joined: 153 }, "UCS-2": { alone: 70, joined: 67 } } as const;

export interface TextSegments {
  encoding: keyof typeof CAPACITY;
  /** The number of segments; an empty text needs one. */
  count: number;
  /** The length of the text: septets for GSM-7, UTF-16 code units for UCS-2. */
  units: number;
  /** How many units fit before another segment is needed. */
  left: number;
  /** The characters that require UCS-2, without duplicates, at most ten. */
  unusual: string[];
}

export function segmentsOf(text: string): TextSegments {
  const characters = [...text];
  const unusual = [...new Set(characters.filter((character) => !COST.has(character)))];
  const encoding = unusual.length === 0 ? "GSM-7" : "UCS-2";
  const costs = characters.map((character) => (encoding === "GSM-7" ? (COST.get(character) ?? 0) : character.length));
  const { alone, joined } = CAPACITY[encoding];
  const units = costs.reduce((sum, cost) => sum + cost, 0);
  const shown = unusual.slice(0, 10);
  if (units <= alone) return { encoding, count: 1, units, left: alone - units, unusual: shown };
  let count = 1;
  let used = 0;
  for (const cost of costs) {
    // A character of two units is not split: it begins the next segment.
    if (used + cost > joined) [count, used] = [count + 1, 0];
    used += cost;
  }
  return { encoding, count, units, left: joined - used, unusual: shown };
}
