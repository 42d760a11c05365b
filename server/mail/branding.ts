/**
 * The appearance of a mail: the sender's name, logo and colours, light and dark. Pictures are linked from BASE_URL, as
 * many mail programs do not show embedded ones; their URLs do not reveal who opened the mail.
 */
import type { Context } from "../context";
import { type Brand, findBrand, NEUTRAL_BRAND, type Picture } from "../directory/branding/branding";
import { NEUTRAL, type Palette } from "../directory/palette/palette";

export interface EmailLogo {
  url: string;
  /** Displayed size in pixels. */
  width: number;
  height: number;
}

export interface Branding {
  /** The name of the organization, shown above the mail. */
  name: string;
  /** The organization's own logo, the only resource that a mail loads. */
  logo?: EmailLogo;
  /** Replaces the logo in dark mode. */
  darkLogo?: EmailLogo;
  /** The colours for mail programs without dark mode. */
  base: Palette;
  /** The colours for mail programs with dark mode; without them the mail always has the base colours. */
  dark?: Palette;
  /** Keeps browsers and mail programs from changing the colours on their own. */
  colorScheme: "light dark" | "light only" | "dark";
}

/** Returns the built-in branding, for services without their own. */
export function neutralBranding(name: string): Branding {
  return brandingOf(NEUTRAL_BRAND, name, "");
}

/** Returns the branding of an organization's mails; without an organization, the instance's. */
export async function emailBranding(ctx: Context, organizationId: string | undefined, name: string): Promise<Branding> {
  return brandingOf(await findBrand(ctx, organizationId), name, ctx.config.baseUrl);
}

/** Converts a stored brand. @param baseUrl the prefix of picture URLs */
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

/** The background of a light-mode logo in dark mode. */
export const LOGO_GROUND = NEUTRAL.light.surface;

/** The maximum size of a logo, in pixels. */
const BOX = { width: 240, height: 48 };

function fitted({ path, width, height }: Picture, baseUrl: string): EmailLogo {
  const scale = Math.min(1, BOX.width / width, BOX.height / height);
  const side = (pixels: number) => Math.max(1, Math.round(pixels * scale));
  return { url: `${baseUrl}${path}`, width: side(width), height: side(height) };
}
