/**
 * The colours of a page or mail, derived from the four that an organization chooses. Every text has a contrast of at
 * least 4.5:1 and every control of at least 3:1, so that no choice of colours makes a page unreadable.
 */
import { BLACK, CONTROL_CONTRAST, type Colour, contrast, inkOn, mix, readable, TEXT_CONTRAST, WHITE } from "./colour";

/** The chosen colours. */
export interface PaletteSource {
  primary: Colour;
  background: Colour;
  warn: Colour;
  font: Colour;
}

/** The derived colours, with the names of components/ui/tokens.css. */
export interface Palette {
  /** The page background. */
  ground: Colour;
  arches: Colour;
  /** The card. */
  surface: Colour;
  ink: Colour;
  /** Secondary text. */
  quiet: Colour;
  line: Colour;
  /** Outline of a field. */
  control: Colour;
  /** Links and icons. */
  accent: Colour;
  accentStrong: Colour;
  onAccent: Colour;
  /** The button, exactly as chosen, and its text. */
  primary: Colour;
  primaryStrong: Colour;
  onPrimary: Colour;
  /** The button's outline, which sets it off from the card. */
  primaryLine: Colour;
  tint: Colour;
  danger: Colour;
  dangerTint: Colour;
  dangerLine: Colour;
}

/** The default look, equal to components/ui/tokens.css. */
export const NEUTRAL: { readonly light: Palette; readonly dark: Palette } = {
  light: {
    ground: "#f2f5f3",
    arches: "#e3e9e5",
    surface: "#ffffff",
    ink: "#15211d",
    quiet: "#52615a",
    line: "#dde4e0",
    control: "#7a8982",
    accent: "#0e5a4d",
    accentStrong: "#0a4439",
    onAccent: "#ffffff",
    primary: "#0e5a4d",
    primaryStrong: "#0a4439",
    onPrimary: "#ffffff",
    primaryLine: "#0e5a4d",
    tint: "#e8f1ed",
    danger: "#a3241a",
    dangerTint: "#fdf0ee",
    dangerLine: "#eebfb9",
  },
  dark: {
    ground: "#0d1311",
    arches: "#161e1b",
    surface: "#161e1b",
    ink: "#e8efeb",
    quiet: "#a4b3ac",
    line: "#2a3631",
    control: "#76867e",
    accent: "#86d6bf",
    accentStrong: "#a5e4d1",
    onAccent: "#05231c",
    primary: "#86d6bf",
    primaryStrong: "#a5e4d1",
    onPrimary: "#05231c",
    primaryLine: "#86d6bf",
    tint: "#1f2d28",
    danger: "#ffb4ab",
    dangerTint: "#2d1a18",
    dangerLine: "#6b322c",
  },
};

/** Returns the palette of the chosen colours. The shares of `mix` were chosen by eye. */
export function paletteOf({ primary, background: ground, warn, font }: PaletteSource): Palette {
  const ink = readable(font, [ground]);
  const surface = surfaceOn(ground, ink);
  const tint = tinted(surface, primary, ink);
  const dangerTint = tinted(surface, warn, ink);
  const grounds = [ground, surface, tint, dangerTint];
  const accent = readable(primary, grounds);
  const onPrimary = inkOn(primary);
  return {
    ground,
    arches: mix(ground, ink, 0.06),
    surface,
    ink,
    quiet: readable(mix(ink, surface, 0.3), grounds),
    line: mix(surface, ink, 0.14),
    control: readable(mix(surface, ink, 0.5), [surface], CONTROL_CONTRAST),
    accent,
    accentStrong: readable(mix(accent, ink, 0.25), grounds),
    onAccent: inkOn(accent),
    primary,
    primaryStrong: mix(primary, onPrimary === WHITE ? BLACK : WHITE, 0.18),
    onPrimary,
    primaryLine: readable(primary, [surface], CONTROL_CONTRAST),
    tint,
    danger: readable(warn, grounds),
    dangerTint,
    dangerLine: mix(surface, warn, 0.35),
  };
}

/**
 * Returns the card's colour, set off from the ground without losing contrast: nearly white in light mode, slightly
 * lighter in dark mode.
 */
function surfaceOn(ground: Colour, ink: Colour): Colour {
  if (contrast(ground, BLACK) > contrast(ink, BLACK)) return mix(ground, WHITE, 0.75);
  const lighter = mix(ground, WHITE, 0.05);
  return contrast(lighter, ink) >= 1.5 * TEXT_CONTRAST ? lighter : mix(ground, BLACK, 0.2);
}

/** Returns the card's colour with a hint of the given colour, unless that makes the text unreadable. */
function tinted(surface: Colour, colour: Colour, ink: Colour): Colour {
  const tint = mix(surface, colour, 0.08);
  return contrast(tint, ink) >= TEXT_CONTRAST ? tint : surface;
}
