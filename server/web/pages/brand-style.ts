/**
 * The style sheet of a page in the colours of a brand: custom properties followed by the sheet that all pages share.
 * The page's CSP allows it by its hash. From the brand, it only contains colours in the form #rrggbb.
 */

import accountSource from "../../../components/login/account/account.css?raw";
import type { Look, ShownPicture } from "../../../components/login/document";
import loginSource from "../../../components/login/login.css?raw";
import baseSource from "../../../components/ui/base.css?raw";
import tokensSource from "../../../components/ui/tokens.css?raw";
import type { Brand, Picture, Pictures } from "../../directory/branding/branding";
import type { Palette } from "../../directory/palette/palette";
import { contentHash } from "./headers";

export interface BrandStyle {
  /** The content of the style element. */
  text: string;
  /** The hash as a CSP source. */
  hash: string;
}

const tokens = withoutWhitespace(tokensSource);
/** The sign-in pages omit the extra rules of the account pages, to stay small. */
const sheets = {
  login: withoutWhitespace(baseSource + loginSource),
  account: withoutWhitespace(baseSource + loginSource + accountSource),
};
export type Sheet = keyof typeof sheets;
const neutral = { login: styleFrom(tokens, "login"), account: styleFrom(tokens, "account") };

/** Cached for the lifetime of the brand object, so that a branded page costs no more than a neutral one. */
const styles = new WeakMap<Brand, { head: string; hash: Record<Sheet, string> }>();

export function styleOf(brand: Brand, sheet: Sheet = "login"): BrandStyle {
  const { isNeutral, logo, hideLoginNameSuffix } = brand;
  if (isNeutral && !logo && !hideLoginNameSuffix) return neutral[sheet];
  let style = styles.get(brand);
  if (!style) {
    const suffix = hideLoginNameSuffix ? ".who .suffix,.lead .suffix{display:none}" : "";
    const head = `${isNeutral ? tokens : tokensOf(brand)}${logo ? logoStyle(brand) : ""}${suffix}`;
    style = { head, hash: { login: styleFrom(head, "login").hash, account: styleFrom(head, "account").hash } };
    styles.set(brand, style);
  }
  return { text: style.head + sheets[sheet], hash: style.hash[sheet] };
}

function styleFrom(head: string, sheet: Sheet): BrandStyle {
  const text = head + sheets[sheet];
  return { text, hash: contentHash(text) };
}

/**
 * Returns the tokens for light and dark mode, or for one of the two; `only` keeps browsers from darkening a light page.
 */
function tokensOf({ mode, light, dark }: Brand): string {
  const day = `${properties(light)};--shadow:0 1px 2px rgb(0 0 0/6%),0 12px 40px -12px rgb(0 0 0/16%)`;
  const night = `${properties(dark)};--shadow:none`;
  const radius = "--radius:.625rem";
  if (mode === "LIGHT") return `:root{color-scheme:only light;${day};${radius}}`;
  if (mode === "DARK") return `:root{color-scheme:only dark;${night};${radius}}`;
  return `:root{color-scheme:light dark;${day};${radius}}@media (prefers-color-scheme:dark){:root{${night}}}`;
}

function properties(palette: Palette): string {
  return Object.entries(palette)
    .map(([name, colour]) => `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}:${colour}`)
    .join(";");
}

/**
 * Returns the style of the logo. Width and height reserve its space. A logo without a dark version gets a light
 * background in dark mode.
 */
function logoStyle({ mode, light, logo }: Brand): string {
  const plate =
    mode === "AUTO" && !logo?.dark
      ? `@media (prefers-color-scheme:dark){.logo{padding:.375rem;border-radius:.375rem;background:${light.surface}}}`
      : "";
  return `.logo{display:block;max-inline-size:100%;block-size:auto}${plate}`;
}

/** The maximum size of a picture, in CSS pixels. */
const LOGO_BOX = { width: 240, height: 56 };
const ICON_BOX = { width: 32, height: 32 };

/** Returns the parts of the brand that are in the document itself. */
export function lookOf(brand: Brand): Look {
  const { mode, light, dark, logo, icon, disableWatermark } = brand;
  const both = [
    { color: light.ground, media: "(prefers-color-scheme: light)" },
    { color: dark.ground, media: "(prefers-color-scheme: dark)" },
  ];
  return {
    colorScheme: mode === "AUTO" ? "light dark" : `only ${mode.toLowerCase()}`,
    themeColors: mode === "AUTO" ? both : [{ color: (mode === "LIGHT" ? light : dark).ground }],
    logo: logo && shown(logo, mode, LOGO_BOX),
    icon: icon && shown(icon, mode, ICON_BOX),
    isUnmarked: disableWatermark,
  };
}

type Box = Pick<Picture, "width" | "height">;

function shown({ light, dark }: Pictures, mode: Brand["mode"], box: Box): ShownPicture {
  if (mode === "LIGHT" || !dark) return fitted(light, box);
  return mode === "DARK" ? fitted(dark, box) : { ...fitted(light, box), dark: fitted(dark, box) };
}

/** Returns the picture scaled down to fit into the box; it is never scaled up. */
function fitted({ path, width, height }: Picture, box: Box): ShownPicture {
  const scale = Math.min(1, box.width / width, box.height / height);
  const side = (pixels: number) => Math.max(1, Math.round(pixels * scale));
  return { src: path, width: side(width), height: side(height) };
}

/** Removes comments and optional white space, and shortens `0.5` and `#aabbcc`; compression does the rest. */
function withoutWhitespace(css: string): string {
  return css
    .replace(/\/\*[\s\S]*?\*\//g, "")
    .replace(/\s+/g, " ")
    .replace(/ ?([{};,]) ?/g, "$1")
    .replace(/: /g, ":")
    .replace(/;}/g, "}")
    .replace(/(?<=[ :(-])0(?=\.)/g, "")
    .replace(/#(\w)\1(\w)\2(\w)\3\b/g, "#$1$2$3")
    .trim();
}
