/**
 * Contrast ratios of the chosen colours, for the user who chooses them: text, button labels, links and warnings, in
 * light and dark mode (WCAG 2.2 §1.4.3). A colour that is too weak is replaced by a readable shade of it (palette.ts).
 */
import { type Colour, contrast, leastContrast, TEXT_CONTRAST } from "../palette/colour";
import type { Palette, PaletteSource } from "../palette/palette";
import type { LabelSettings } from "../policy/settings";
import { brandOf, coloursOf } from "./branding";

export const READ_THINGS = ["text", "button", "link", "warning"] as const;
export const SCHEMES = ["light", "dark"] as const;

export interface ContrastVerdict {
  scheme: (typeof SCHEMES)[number];
  of: (typeof READ_THINGS)[number];
  /** The contrast of the chosen colour with its background, from 1 to 21. */
  ratio: number;
  isEnough: boolean;
  /** The colour that pages show; it differs from the chosen one if that is too weak. */
  shown: Colour;
}

/** Returns the verdicts for each scheme; a scheme that the mode excludes has none. */
export function contrastsOf(settings: LabelSettings): ContrastVerdict[] {
  const chosen = coloursOf(settings);
  const brand = brandOf(settings);
  const excluded = { AUTO: undefined, LIGHT: "dark", DARK: "light" }[settings.themeMode];
  return SCHEMES.filter((scheme) => scheme !== excluded).flatMap((scheme) =>
    verdicts(chosen[scheme], brand[scheme]).map((verdict) => ({ scheme, ...verdict })),
  );
}

function verdicts(chosen: PaletteSource, shown: Palette): Omit<ContrastVerdict, "scheme">[] {
  const grounds = [shown.ground, shown.surface, shown.tint];
  const verdict = (of: ContrastVerdict["of"], ratio: number, colour: Colour) => ({
    of,
    // Rounded down, so that a ratio below the limit never appears to reach it.
    ratio: Math.floor(ratio * 10) / 10,
    isEnough: ratio >= TEXT_CONTRAST,
    shown: colour,
  });
  return [
    verdict("text", leastContrast(chosen.font, grounds), shown.ink),
    verdict("button", contrast(shown.onPrimary, shown.primary), shown.onPrimary),
    verdict("link", leastContrast(chosen.primary, grounds), shown.accent),
    verdict("warning", leastContrast(chosen.warn, grounds), shown.danger),
  ];
}
