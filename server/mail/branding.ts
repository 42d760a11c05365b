/**
 * How a letter looks: name, logo and colours of whoever it comes from, light and dark. Pictures are linked from
 * BASE_URL: mail programs show none that are inside the letter, and nothing in the address tells who read it.
 */
import type { Context } from "../context";
import { type Brand, findBrand, NEUTRAL_BRAND, type Picture } from "../directory/brand/brand";
import { NEUTRAL, type Palette } from "../directory/brand/palette";

export interface LetterLogo {
  url: string;
  /** As it is shown. */
  width: number;
  height: number;
}

export interface Branding {
  /** Shown above the letter; the organization's. */
  name: string;
  /** The organization's own; the only thing a letter loads. */
  logo?: LetterLogo;
  /** In place of the logo in the dark. */
  darkLogo?: LetterLogo;
  /** What every mail program shows. */
  base: Palette;
  /** What those show that know dark mode; without, the letter looks alike everywhere. */
  dark?: Palette;
  /** For browsers and programs that would change the colours by themselves. */
  colorScheme: "light dark" | "light only" | "dark";
}

/** The look of the service, in place of one of the organization's own. */
export function neutralBranding(name: string): Branding {
  return brandingOf(NEUTRAL_BRAND, name, "");
}

/** The look of an organization's letters; without one the instance's. */
export async function letterBranding(
  ctx: Context,
  organizationId: string | undefined,
  name: string,
): Promise<Branding> {
  return brandingOf(await findBrand(ctx, organizationId), name, ctx.config.baseUrl);
}

/** @param baseUrl what the addresses of pictures begin with */
export function brandingOf({ mode, light, dark, logo }: Brand, name: string, baseUrl: string): Branding {
  const linked = (picture: Picture | undefined) => picture && fitted(picture, baseUrl);
  const [day, night] = [linked(logo?.light), linked(logo?.dark)];
  switch (mode) {
    case "LIGHT":
      return { name, logo: day, base: light, colorScheme: "light only" };
    case "DARK":
      return { name, logo: night ?? day, base: dark, colorScheme: "dark" };
    case "AUTO":
      return { name, logo: day, darkLogo: night, base: light, dark, colorScheme: "light dark" };
  }
}

/** What a logo stands on in the dark that was made for light ground. */
export const LOGO_GROUND = NEUTRAL.light.surface;

/** Pixels a logo takes up at most. */
const BOX = { width: 240, height: 48 };

function fitted({ path, width, height }: Picture, baseUrl: string): LetterLogo {
  const scale = Math.min(1, BOX.width / width, BOX.height / height);
  const side = (pixels: number) => Math.max(1, Math.round(pixels * scale));
  return { url: `${baseUrl}${path}`, width: side(width), height: side(height) };
}
