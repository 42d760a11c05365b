import { readFileSync } from "node:fs";
import path from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { root } from "../../root";
import { type Colour, contrast, inkOn, leastContrast, mix, readable } from "./colour";
import { NEUTRAL, type Palette, paletteOf } from "./palette";

const colour = fc
  .integer({ min: 0, max: 0xffffff })
  .map((value) => `#${value.toString(16).padStart(6, "0")}` as Colour);

/** Returns the contrast of each text with its backgrounds and of each outline, relative to the required contrast. */
function weakest(palette: Palette): Record<string, number> {
  const { ground, surface, tint, dangerTint } = palette;
  const grounds = [ground, surface, tint, dangerTint];
  const on = (text: Colour) => leastContrast(text, grounds) / 4.5;
  return {
    ink: on(palette.ink),
    quiet: on(palette.quiet),
    accent: on(palette.accent),
    accentStrong: on(palette.accentStrong),
    danger: on(palette.danger),
    button: contrast(palette.onPrimary, palette.primary) / 4.5,
    "button, pointed at": contrast(palette.onPrimary, palette.primaryStrong) / 4.5,
    control: contrast(palette.control, surface) / 3,
    "outline of the button": contrast(palette.primaryLine, surface) / 3,
  };
}
const tooWeak = (palette: Palette) => Object.entries(weakest(palette)).filter(([, share]) => share < 1);

describe("contrast (WCAG 2.2 §1.4.3)", () => {
  it.each<[Colour, Colour, number]>([
    ["#ffffff", "#000000", 21],
    ["#777777", "#ffffff", 4.48],
    ["#ffff00", "#ffffff", 1.07],
    ["#0000ff", "#ffffff", 8.59],
  ])("%s on %s is %s", (one, other, ratio) => {
    expect(contrast(one, other)).toBeCloseTo(ratio, 2);
    expect(contrast(other, one)).toBeCloseTo(ratio, 2);
  });

  it("is sufficient for black or white on any colour", () => {
    fc.assert(fc.property(colour, (ground) => contrast(inkOn(ground), ground) >= 4.5));
  });

  it("is raised if necessary, keeping the hue, and is otherwise unchanged", () => {
    expect(readable("#0e5a4d", ["#ffffff"])).toBe("#0e5a4d");
    const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
      return Number.parseInt(readable("#ffff00", ["#ffffff"]).slice(at, at + 2), 16);
    });
    expect(red).toBe(green);
    expect(red).toBeGreaterThan(blue + 80);
  });

  it("mixes two colours by their share", () => {
    expect([mix("#000000", "#ffffff", 0.5), mix("#102030", "#ffffff", 0)]).toEqual(["#808080", "#102030"]);
  });
});

describe("palette of a brand", () => {
  it("is readable with any chosen colours", () => {
    fc.assert(
      fc.property(colour, colour, colour, colour, (primary, background, warn, font) => {
        expect(tooWeak(paletteOf({ primary, background, warn, font }))).toEqual([]);
      }),
      { numRuns: 1_000 },
    );
  });

  it.each<[string, Colour, Colour]>([
    ["yellow on white", "#ffff00", "#ffffff"],
    ["white on white", "#ffffff", "#ffffff"],
    ["black on black", "#000000", "#000000"],
    ["grey on grey", "#777777", "#777777"],
  ])("is readable with %s throughout", (_, chosen, background) => {
    expect(tooWeak(paletteOf({ primary: chosen, background, warn: chosen, font: chosen }))).toEqual([]);
  });

  it("shows the button in the chosen colour", () => {
    const { primary, onPrimary } = paletteOf({
      primary: "#ffd500",
      background: "#ffffff",
      warn: "#a3241a",
      font: "#111111",
    });
    expect([primary, onPrimary]).toEqual(["#ffd500", "#000000"]);
  });

  it("is the style sheet's own and readable if no colours were chosen", () => {
    const css = readFileSync(path.join(root, "components/ui/tokens.css"), "utf8");
    const [light = "", dark = ""] = css.split("@media (prefers-color-scheme: dark)");
    const inCss = (block: string, name: string) => new RegExp(`--${name}: ([^;]+);`).exec(block)?.[1];
    const kebab = (name: string) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
    for (const [name, value] of Object.entries(NEUTRAL.light))
      expect([name, inCss(light, kebab(name))]).toEqual([name, value]);
    for (const [name, value] of Object.entries(NEUTRAL.dark))
      expect([name, inCss(dark, kebab(name))]).toEqual([name, value]);
    expect([...tooWeak(NEUTRAL.light), ...tooWeak(NEUTRAL.dark)]).toEqual([]);
  });
});
