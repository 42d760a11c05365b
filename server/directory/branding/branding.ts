/**
 * The look of pages and mails: palettes and pictures made from the label policy. Text stays readable with any chosen
 * colours (see palette), and the user who chooses them is informed about adjustments.
 */
import type { Context } from "../../context";
import { type Colour, leastContrast } from "../palette/colour";
import { NEUTRAL, type Palette, type PaletteSource, paletteOf } from "../palette/palette";
import { builtIn } from "../policy/built-in";
import { findPolicy } from "../policy/policies";
import type { LabelSettings, THEME_MODES } from "../policy/settings";

/** A stored picture. */
export interface Picture {
  /** The path on this service; derived from the content, so it always refers to the same picture. */
  path: string;
  /** Pixels. */
  width: number;
  height: number;
}

/** The picture for light mode, and the one for dark mode if there is one. */
export interface Pictures {
  light: Picture;
  dark?: Picture;
}

export interface Brand {
  mode: (typeof THEME_MODES)[number];
  light: Palette;
  dark: Palette;
  /** Whether colours and mode are the service's own. */
  isNeutral: boolean;
  logo?: Pictures;
  icon?: Pictures;
  /** Whether login names are shown without the part after the @. */
  hideLoginNameSuffix: boolean;
  /** Whether the service's own mark is omitted. */
  disableWatermark: boolean;
}

const brands = new WeakMap<LabelSettings, Brand>();

/**
 * Returns the brand of an organization, at most five seconds old; the same object while the settings stay cached.
 * @param organizationId undefined for the instance's brand
 */
export async function findBrand(ctx: Context, organizationId: string | undefined): Promise<Brand> {
  const settings = await findPolicy(ctx, "label", organizationId);
  const known = brands.get(settings) ?? brandOf(settings);
  brands.set(settings, known);
  return known;
}

/** Returns the brand made from label settings. */
export function brandOf(settings: LabelSettings): Brand {
  const { light, dark } = coloursOf(settings);
  const neutral = coloursOf(builtIn.label);
  const isLightNeutral = isSame(light, neutral.light);
  const isDarkNeutral = isSame(dark, neutral.dark);
  return {
    mode: settings.themeMode,
    light: isLightNeutral ? NEUTRAL.light : paletteOf(light),
    dark: isDarkNeutral ? NEUTRAL.dark : paletteOf(dark),
    isNeutral: isLightNeutral && isDarkNeutral && settings.themeMode === "AUTO",
    logo: picturesOf(settings.logo, settings.logoDark),
    icon: picturesOf(settings.icon, settings.iconDark),
    hideLoginNameSuffix: settings.hideLoginNameSuffix,
    disableWatermark: settings.disableWatermark,
  };
}

/** Returns the chosen colours by scheme. */
export function coloursOf(settings: LabelSettings): { light: PaletteSource; dark: PaletteSource } {
  return {
    light: {
      primary: settings.primaryColor,
      background: settings.backgroundColor,
      warn: settings.warnColor,
      font: settings.fontColor,
    },
    dark: {
      primary: settings.primaryColorDark,
      background: settings.backgroundColorDark,
      warn: settings.warnColorDark,
      font: settings.fontColorDark,
    },
  };
}

function isSame(one: PaletteSource, other: PaletteSource): boolean {
  return (Object.keys(one) as (keyof PaletteSource)[]).every((name) => one[name] === other[name]);
}

/** Returns the path of a stored picture. */
export function picturePath(digest: string): string {
  return `/assets/v1/${digest}`;
}

function picturesOf(light: LabelSettings["logo"], dark: LabelSettings["logo"]): Pictures | undefined {
  const shown = light ?? dark;
  if (!shown) return undefined;
  const picture = ({ digest, width, height }: typeof shown) => ({ path: picturePath(digest), width, height });
  return { light: picture(shown), dark: light && dark ? picture(dark) : undefined };
}

/** The look of pages without a brand and without a database. */
export const NEUTRAL_BRAND: Brand = brandOf(builtIn.label);

export interface BrandWarning {
  /** The name of the setting. */
  field: string;
  message: string;
}

/** Returns a warning for each chosen colour that would be unreadable, with the colour that is shown instead. */
export function warningsOf(settings: LabelSettings): BrandWarning[] {
  const { light, dark } = coloursOf(settings);
  const brand = brandOf(settings);
  return [
    ...(settings.themeMode === "DARK" ? [] : weaknesses(light, brand.light, "")),
    ...(settings.themeMode === "LIGHT" ? [] : weaknesses(dark, brand.dark, "Dark")),
  ];
}

function weaknesses(chosen: PaletteSource, shown: Palette, suffix: string): BrandWarning[] {
  const weakness = (name: string, colour: Colour, instead: Colour): BrandWarning[] => {
    if (colour === instead) return [];
    const ratio = leastContrast(colour, [shown.ground, shown.surface, shown.tint]).toFixed(1);
    const message = `Its contrast is ${ratio}:1 where 4.5:1 is needed to read it; text is shown in ${instead} instead.`;
    return [{ field: `${name}${suffix}`, message }];
  };
  if (shown === NEUTRAL.light || shown === NEUTRAL.dark) return [];
  return [
    ...weakness("primaryColor", chosen.primary, shown.accent),
    ...weakness("warnColor", chosen.warn, shown.danger),
    ...weakness("fontColor", chosen.font, shown.ink),
  ];
}
