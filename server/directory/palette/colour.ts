/**
 * Colours as #rrggbb and their contrast (WCAG 2.2 §1.4.3: contrast ratio of relative luminances). Pure functions. An
 * unreadable colour is replaced by a readable shade of it.
 */

/** A colour in lower case, which CSS and every mail program accept. */
export type Colour = `#${string}`;

export const BLACK: Colour = "#000000";
export const WHITE: Colour = "#ffffff";

/** The minimum contrast of text (WCAG 2.2 §1.4.3). */
export const TEXT_CONTRAST = 4.5;
/** The minimum contrast of the outline of a control (WCAG 2.2 §1.4.11). */
export const CONTROL_CONTRAST = 3;

type Channels = readonly [number, number, number];

function channelsOf(colour: Colour): Channels {
  const value = Number.parseInt(colour.slice(1), 16);
  return [value >> 16, (value >> 8) & 255, value & 255];
}

/** Returns the relative luminance of WCAG 2.2; the constants are those of its definition. */
function luminance(colour: Colour): number {
  const [red, green, blue] = channelsOf(colour).map((channel) => {
    const share = channel / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  }) as unknown as Channels;
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** Returns the contrast ratio, from 1 (equal) to 21 (black on white). */
export function contrast(one: Colour, other: Colour): number {
  const [light = 0, dark = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a);
  return (light + 0.05) / (dark + 0.05);
}

/** Returns the lowest contrast with any of the backgrounds. */
export function leastContrast(colour: Colour, grounds: readonly Colour[]): number {
  return Math.min(...grounds.map((ground) => contrast(colour, ground)));
}

/**
 * Mixes two colours.
 * @param share the share of `other`, from 0 to 1
 */
export function mix(colour: Colour, other: Colour, share: number): Colour {
  const with_ = channelsOf(other);
  const mixed = channelsOf(colour).map((channel, index) =>
    Math.round(channel + ((with_[index] ?? 0) - channel) * share),
  );
  return `#${mixed.map((channel) => channel.toString(16).padStart(2, "0")).join("")}`;
}

/**
 * Returns black or white, depending on which is more readable on all backgrounds. On any single colour the contrast is
 * at least 4.58:1.
 */
export function inkOn(...grounds: readonly Colour[]): Colour {
  return leastContrast(BLACK, grounds) >= leastContrast(WHITE, grounds) ? BLACK : WHITE;
}

/**
 * Returns the colour itself if it is readable on all backgrounds, otherwise the nearest shade that is: darkened or
 * lightened as much as necessary, at most to black or white.
 */
export function readable(colour: Colour, grounds: readonly Colour[], ratio = TEXT_CONTRAST): Colour {
  const towards = inkOn(...grounds);
  for (let share = 0; share < 1; share += 0.04) {
    const shade = mix(colour, towards, share);
    if (leastContrast(shade, grounds) >= ratio) return shade;
  }
  return towards;
}
