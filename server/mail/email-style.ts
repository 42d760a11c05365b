/**
 * The colours of a mail by colour scheme: the style for mail programs with dark mode, and mails shown in one scheme.
 */
import { type Branding, LOGO_GROUND } from "./branding";

export type ColourScheme = "light" | "dark";

/**
 * Shows a mail or page in one fixed colour scheme, for previews. User-provided text is escaped and has no angle
 * brackets or quotation marks, so the replacements below only match our own styles and attributes.
 */
export function inScheme(html: string, scheme: ColourScheme): string {
  const media = scheme === "dark" ? "all" : "not all";
  const fixed = (style: string) =>
    style.replace("color-scheme:light dark", `color-scheme:${scheme}`).replaceAll("(prefers-color-scheme:dark)", media);
  return html.replace(/<style>[^<]*/, fixed).replaceAll('media="(prefers-color-scheme: dark)"', `media="${media}"`);
}

/** Smaller headings for phones, where the longest words of some languages would not fit. */
const PHONE =
  "@media (max-width:480px){.surface{padding:28px 20px 12px!important}.surface h1{font-size:20px!important;line-height:28px!important}}";

/** Returns the style for mail programs with dark mode; others show the base colours or convert them on their own. */
export function programStyle({ dark, logo, darkLogo, colorScheme }: Branding): string {
  const scheme = `:root{color-scheme:${colorScheme}}${PHONE}`;
  if (!dark) return scheme;
  const rules = (root: string) =>
    [
      `${root}.ground{background-color:${dark.ground}!important}`,
      `${root}.surface{background-color:${dark.surface}!important;border-color:${dark.line}!important}`,
      `${root}.ink{color:${dark.ink}!important}`,
      `${root}.quiet{color:${dark.quiet}!important}`,
      `${root}.accent{color:${dark.accent}!important}`,
      `${root}.button{background-color:${dark.primary}!important;color:${dark.onPrimary}!important;` +
        `border-color:${dark.primaryLine}!important}`,
      ...(darkLogo ? [`${root}.logo{display:none!important}`, `${root}.night{display:block!important}`] : []),
      ...(logo && !darkLogo ? [`${root}.logo{background-color:${LOGO_GROUND};padding:6px;border-radius:6px}`] : []),
    ].join("");
  // [data-ogsc] matches the Outlook apps and outlook.com.
  return `${scheme}@media (prefers-color-scheme:dark){${rules("")}}${rules("[data-ogsc] ")}`;
}
