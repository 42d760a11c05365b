// Extracts the dominant non-grey colours of a picture, and derives all colours of a brand from one. The server checks
// the contrasts (`contrasts` of `_render`).
import type { ColourName } from "./brand";

type Channels = readonly [number, number, number];

/** The maximum number of suggestions. */
const MAX_COLOURS = 4;
/** Colours closer to each other than this, of 441, are merged. */
const ALIKE = 72;

interface Share {
  sum: [number, number, number];
  count: number;
}

/**
 * Returns the dominant colours.
 * @param pixels red, green, blue and alpha of each pixel, 0 to 255
 * @returns the most striking colour first
 */
export function strikingColours(pixels: ArrayLike<number>): string[] {
  const shares = new Map<number, Share>();
  for (let at = 0; at + 3 < pixels.length; at += 4) {
    if ((pixels[at + 3] ?? 0) < 128) continue;
    const colour: Channels = [pixels[at] ?? 0, pixels[at + 1] ?? 0, pixels[at + 2] ?? 0];
    const key = ((colour[0] >> 4) << 8) | ((colour[1] >> 4) << 4) | (colour[2] >> 4);
    const share = shares.get(key) ?? { sum: [0, 0, 0], count: 0 };
    for (const index of [0, 1, 2] as const) share.sum[index] += colour[index];
    share.count++;
    shares.set(key, share);
  }
  const colours = [...shares.values()].map(({ sum, count }) => {
    const colour = sum.map((each) => each / count) as unknown as Channels;
    return { colour, weight: count * (vividness(colour) + 0.02) };
  });
  const vivid = colours.filter(({ colour }) => vividness(colour) > 0.2);
  // A black or grey logo yields its darkest colours.
  const wanted = vivid.length > 0 ? vivid : colours.filter(({ colour }) => brightness(colour) < 0.6);
  const chosen: Channels[] = [];
  for (const { colour } of wanted.toSorted((one, other) => other.weight - one.weight)) {
    if (chosen.length < MAX_COLOURS && chosen.every((other) => distance(colour, other) > ALIKE)) chosen.push(colour);
  }
  return chosen.map(hexOf);
}

/** Returns all colours of a brand, derived from one. Backgrounds are tinted with it; in dark mode it is lighter. */
export function coloursFrom(primary: string): Readonly<Record<Exclude<ColourName, "warnColor"> | DarkColour, string>> {
  const colour = channelsOf(primary);
  return {
    primaryColor: primary,
    backgroundColor: hexOf(mixed(colour, WHITE, 0.95)),
    fontColor: hexOf(mixed(colour, BLACK, 0.85)),
    primaryColorDark: hexOf(lighter(colour)),
    backgroundColorDark: hexOf(mixed(colour, BLACK, 0.9)),
    fontColorDark: hexOf(mixed(colour, WHITE, 0.9)),
  };
}
type DarkColour = `${Exclude<ColourName, "warnColor">}Dark`;

const WHITE: Channels = [255, 255, 255];
const BLACK: Channels = [14, 16, 18];
/** The minimum brightness of a colour that is visible on a dark page. */
const BRIGHT = 0.6;

function lighter(colour: Channels): Channels {
  for (let share = 0; share < 1; share += 0.05) {
    const lit = mixed(colour, WHITE, share);
    if (brightness(lit) >= BRIGHT) return lit;
  }
  return WHITE;
}

function mixed(colour: Channels, other: Channels, share: number): Channels {
  return colour.map((channel, index) => channel + ((other[index] ?? 0) - channel) * share) as unknown as Channels;
}

const vividness = (colour: Channels): number => (Math.max(...colour) - Math.min(...colour)) / 255;
/** Returns the perceived brightness (ITU-R BT.601). */
const brightness = ([red, green, blue]: Channels): number => (0.299 * red + 0.587 * green + 0.114 * blue) / 255;
const distance = (one: Channels, other: Channels): number =>
  Math.hypot(...one.map((channel, index) => channel - (other[index] ?? 0)));
const hexOf = (colour: Channels): string =>
  `#${colour.map((channel) => Math.round(channel).toString(16).padStart(2, "0")).join("")}`;
function channelsOf(hex: string): Channels {
  const value = Number.parseInt(hex.slice(1), 16);
  return [value >> 16, (value >> 8) & 255, value & 255];
}
