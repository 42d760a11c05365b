/** How a letter looks: name, logo and colours of whoever it comes from. One value per letter, light and dark. */

/** CSS colours as #rrggbb: what every mail program understands. */
export interface Palette {
  /** Behind the letter. */
  ground: string;
  surface: string;
  ink: string;
  /** Text of less weight; still 4.5:1 on surface and ground. */
  quiet: string;
  line: string;
  accent: string;
  onAccent: string;
}

export interface Branding {
  /** Shown above the letter; the organization's. */
  name: string;
  /** The organization's own; the only thing a letter loads. */
  logoUrl?: string;
  light: Palette;
  dark: Palette;
}

/** The look of the pages before sign-in (components/login/login.css), in place of colours of an organization's own. */
export function neutralBranding(name: string): Branding {
  return {
    name,
    light: {
      ground: "#f2f5f3",
      surface: "#ffffff",
      ink: "#15211d",
      quiet: "#52615a",
      line: "#dde4e0",
      accent: "#0e5a4d",
      onAccent: "#ffffff",
    },
    dark: {
      ground: "#0d1311",
      surface: "#161e1b",
      ink: "#e8efeb",
      quiet: "#a4b3ac",
      line: "#2a3631",
      accent: "#86d6bf",
      onAccent: "#05231c",
    },
  };
}
