import { describe, expect, it } from "vitest";
import { brandOf } from "../directory/branding/branding";
import { builtIn } from "../directory/policy/built-in";
import type { LabelSettings } from "../directory/policy/settings";
import { emailStrings } from "../texts/built-in";
import { sampleValues } from "../texts/variables";
import { brandingOf } from "./branding";
import { renderMessage } from "./render";

const BASE = "https://id.example.com";
const logo = { digest: "d".repeat(43), width: 480, height: 96 };
const logoDark = { digest: "e".repeat(43), width: 100, height: 20 };

function mail(settings: Partial<LabelSettings>): string {
  const text = { title: "T", preHeader: "P", subject: "S", greeting: "G", text: "X", buttonText: "B", footerText: "F" };
  const { html } = renderMessage({
    type: "password_change",
    language: "en",
    fields: text,
    values: sampleValues("password_change"),
    branding: brandingOf(brandOf({ ...builtIn.label, ...settings }), "ACME", BASE),
    direction: "ltr",
    frame: emailStrings("en"),
    buttonUrl: `${BASE}/console`,
  });
  return html;
}
const imagesOf = (html: string) => [...html.matchAll(/<img [^>]*>/g)].map(([tag]) => tag);

describe("a mail in the look of its organization", () => {
  it("has the chosen colours in light and dark mode", () => {
    const html = mail({ primaryColor: "#d00000", primaryColorDark: "#ff8080" });
    expect(html).toContain("background-color:#d00000");
    expect(html).toMatch(
      /@media \(prefers-color-scheme:dark\)\{.*\.button\{background-color:#ff8080!important;color:#000000/,
    );
  });

  it("stays legible with unsuitable colours", () => {
    const html = mail({ primaryColor: "#ffff00", fontColor: "#fafafa", backgroundColor: "#ffffff" });
    expect(html).toMatch(/background-color:#ffff00;color:#000000/);
    expect(html).not.toMatch(/(?<!background-)color:#(ffff00|fafafa)/);
  });

  it("links a logo from BASE_URL at the size it is shown, with the name where it is not loaded", () => {
    expect(imagesOf(mail({ logo }))).toEqual([
      expect.stringMatching(
        new RegExp(`^<img class="logo" src="${BASE}/assets/v1/d{43}" alt="ACME" width="240" height="48" `),
      ),
    ]);
    expect(mail({ logo })).toMatch(/\.logo\{background-color:#ffffff;padding/);
  });

  it("shows the dark logo in dark mode if there is one", () => {
    const html = mail({ logo, logoDark });
    expect(imagesOf(html)).toHaveLength(2);
    expect(imagesOf(html)[1]).toMatch(/width="100" height="20" style="display:none/);
    expect(html).toMatch(/\.logo\{display:none!important\}\.night\{display:block!important\}/);
    expect(imagesOf(mail({ logo, logoDark, themeMode: "DARK" }))).toEqual([expect.stringContaining("e".repeat(43))]);
    expect(imagesOf(mail({ logo, logoDark, themeMode: "LIGHT" }))).toEqual([expect.stringContaining("d".repeat(43))]);
  });

  it("looks the same everywhere if only one scheme is configured", () => {
    const [light, dark] = [mail({ themeMode: "LIGHT" }), mail({ themeMode: "DARK" })];
    expect(light).toContain('content="light only"');
    expect(dark).toContain(`background-color:${builtIn.label.backgroundColorDark}`);
    expect([light, dark].filter((html) => html.includes("prefers-color-scheme"))).toEqual([]);
  });

  it("stays small", () => {
    expect(mail({ logo, logoDark, primaryColor: "#d00000" }).length).toBeLessThan(30_000);
  });
});
