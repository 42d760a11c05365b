/**
 * How many segments a text message takes, each of which is paid (3GPP TS 23.038 §6.2.1 for the alphabet, TS 23.040 §9.2.3.24
 * for the header that joins segments). One character outside the alphabet of GSM turns the whole text into UTF-16, of which
 * less than half fits.
 */

/** Seven bits each; the escape character has no place in texts. */
const BASIC =
  "@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !\"#¤%&'()*+,-./0123456789:;<=>?" +
  "¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà";
/** An escape and a character, which stay together. */
const EXTENDED = "\f^{}\\[~]|€";

const COST: ReadonlyMap<string, number> = new Map([
  ...[...BASIC].map((character) => [character, 1] as const),
  ...[...EXTENDED].map((character) => [character, 2] as const),
]);

/** Septets, or UTF-16 code units: in a message of one segment, and in each of several. */
const CAPACITY = { "GSM-7": { alone: 160, joined: 153 }, "UCS-2": { alone: 70, joined: 67 } } as const;

export interface TextSegments {
  encoding: keyof typeof CAPACITY;
  /** How many; an empty text takes one. */
  count: number;
  /** What the text is long: septets for GSM-7, UTF-16 code units for UCS-2. */
  units: number;
  /** How many units fit before there is another segment. */
  left: number;
  /** The characters that make it UCS-2, each once, ten at most. */
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
    // What takes two units is not divided: it begins the next segment.
    if (used + cost > joined) [count, used] = [count + 1, 0];
    used += cost;
  }
  return { encoding, count, units, left: joined - used, unusual: shown };
}
