/**
 * Colours as #rrggbb and how well one can be read on another (WCAG 2.2 §1.4.3: contrast ratio of relative luminances).
 * Pure. An unreadable colour is replaced by a readable shade of it.
 */

/** In lower case, as CSS and every mail program understand it. */
export type Colour = `#${string}`;

export const BLACK: Colour = "#000000";
export const WHITE: Colour = "#ffffff";

/** WCAG 2.2 §1.4.3, text; §1.4.11, the outline of a control. */
export const TEXT_CONTRAST = 4.5;
export const CONTROL_CONTRAST = 3;

type Channels = readonly [number, number, number];

function channelsOf(colour: Colour): Channels {
  const value = Number.parseInt(colour.slice(1), 16);
  return [value >> 16, (value >> 8) & 255, value & 255];
}

/** WCAG 2.2, relative luminance; the constants are those of its definition. */
function luminance(colour: Colour): number {
  const [red, green, blue] = channelsOf(colour).map((channel) => {
    const share = channel / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  }) as unknown as Channels;
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** 1 (the same) to 21 (black on white). */
export function contrast(one: Colour, other: Colour): number {
  const [light = 0, dark = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a);
  return (light + 0.05) / (dark + 0.05);
}

/** The lowest contrast with any of the backgrounds. */
export function leastContrast(colour: Colour, grounds: readonly Colour[]): number {
  return Math.min(...grounds.map((ground) => contrast(colour, ground)));
}

/** @param share how much of `other` is in it, 0 to 1 */
export function mix(colour: Colour, other: Colour, share: number): Colour {
  const with_ = channelsOf(other);
  const mixed = channelsOf(colour).map((channel, index) =>
    Math.round(channel + ((with_[index] ?? 0) - channel) * share),
  );
  return `#${mixed.map((channel) => channel.toString(16).padStart(2, "0")).join("")}`;
}

/** Black or white, whichever is more readable on all of them. On any single colour that is at least 4.58:1. */
export function inkOn(...grounds: readonly Colour[]): Colour {
  return leastContrast(BLACK, grounds) >= leastContrast(WHITE, grounds) ? BLACK : WHITE;
}

/**
 * The colour itself if it is readable on all backgrounds, else the nearest shade that is: darkened or lightened as much
 * as necessary, in the end to black or white.
 */
export function readable(colour: Colour, grounds: readonly Colour[], ratio = TEXT_CONTRAST): Colour {
  const towards = inkOn(...grounds);
  for (let share = 0; share < 1; share += 0.04) {
    const shade = mix(colour, towards, share);
    if (leastContrast(shade, grounds) >= ratio) return shade;
  }
  return towards;
}
