import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { canonicalLocale, negotiateLocale, parseAcceptLanguage, parseUiLocales } from "./ui-locales";

const anyTag = fc.oneof(
  fc.string(),
  fc.constantFrom(
    "de",
    "de-CH",
    "DE-ch",
    "zh-TW",
    "zh-Hant-TW",
    "sr-Latn",
    "x-private",
    "i-klingon",
    "en-u-ca-gregory",
    "de_CH",
  ),
);

const numbered = (length: number) => Array.from({ length }, (_, i) => `de-x-n${i}`);

describe("ui_locales (OIDC Core §3.1.2.1)", () => {
  it.each([
    [undefined, []],
    ["de", ["de"]],
    ["DE-ch fr EN", ["de-CH", "fr", "en"]],
    ["de_CH en", ["en"]],
    ["de  de en", ["de", "en"]],
    ["../en <script> en%00 🙂", []],
    ["se", ["se"]],
    [`de ${"x".repeat(998)}`, []],
    [`de ${"x".repeat(997)}`, ["de"]],
    [numbered(100).join(" "), numbered(20)],
  ])("reads %j", (raw, tags) => {
    expect(parseUiLocales(raw)).toEqual(tags);
  });

  it("treats Norwegian as Bokmål, and keeps Nynorsk", () => {
    expect(["no", "NO-no", "nor", "nn", "nog"].map(canonicalLocale)).toEqual(["nb", "nb-NO", "nb", "nn", "nog"]);
    expect(negotiateLocale(["no", "en"], ["en", "nb"])).toBe("nb");
  });

  it("rejects a tag that is too long", () => {
    expect(canonicalLocale(`de-x-${"abcdefgh-".repeat(3)}abc`)).toHaveLength(35);
    expect(canonicalLocale(`de-x-${"abcdefgh-".repeat(3)}abcd`)).toBeUndefined();
  });
});

describe("Accept-Language (RFC 9110 §12.5.4)", () => {
  it.each([
    [undefined, []],
    ["de", ["de"]],
    ["en;q=0.5, de-CH, fr;q=0.8", ["de-CH", "fr", "en"]],
    ["en;q=0, de;q=0.1", ["de"]],
    ["*, de;q=0.5", ["de"]],
    ["de ; q=0.5 , en;Q=0.7", ["en", "de"]],
    ["de;q=2, en;q=abc, fr;q=-1, it", ["it"]],
    ["de,,;q=1,en", ["de", "en"]],
    ["de;q=0.5, en;q=0.5", ["de", "en"]],
    ["", []],
    ["\u0000", []],
    [`de,${"x".repeat(998)}`, []],
    [`de,${"x".repeat(997)}`, ["de"]],
  ])("reads %j", (header, tags) => {
    expect(parseAcceptLanguage(header)).toEqual(tags);
  });

  it("yields at most 20 canonical tags for any header (property)", () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.array(anyTag).map((tags) => tags.join(",")),
        ),
        (header) => {
          const tags = parseAcceptLanguage(header);
          expect(tags.length).toBeLessThanOrEqual(20);
          for (const tag of tags) expect(canonicalLocale(tag)).toBe(tag);
        },
      ),
    );
  });
});

describe("negotiating the language (RFC 4647 §3.4)", () => {
  it.each([
    [["de-CH"], ["en", "de"], "de"],
    [["de"], ["en", "de"], "de"],
    [["fr", "de"], ["en", "de"], "de"],
    [["se"], ["en", "de"], undefined],
    [[], ["en"], undefined],
    [["de"], [], undefined],
    [["de-CH"], ["de", "de-CH"], "de-CH"],
    [["de-CH"], ["de-AT", "de"], "de"],
    [["de"], ["en", "de-CH"], "de-CH"],
    [["zh-TW"], ["en", "zh"], "zh"],
    [["zh-TW"], ["zh", "zh-Hant"], "zh-Hant"],
    [["zh-CN"], ["zh-Hant", "zh-Hans"], "zh-Hans"],
    [["en-US-u-ca-gregory"], ["en"], "en"],
    [["pt-PT"], ["pt-BR", "pt"], "pt"],
    [["und-DE"], ["en", "de"], "de"],
    [["d"], ["de"], undefined],
    [["den"], ["de"], undefined],
    [["not a tag", "de"], ["de"], "de"],
    [["DE"], ["De"], "De"],
    [["de-CH"], ["de-AT", "de-LI"], "de-AT"],
    [["de"], ["not a tag", "de"], "de"],
  ])("%j of %j: %s", (wanted, supported, expected) => {
    expect(negotiateLocale(wanted, supported)).toBe(expected);
  });

  it("returns a supported language or nothing (property)", () => {
    fc.assert(
      fc.property(
        fc.array(anyTag),
        fc.array(fc.constantFrom<string[]>("en", "de", "de-CH", "zh", "zh-Hant", "sr")),
        (wanted, supported) => {
          const found = negotiateLocale(wanted, supported);
          expect(found === undefined || supported.includes(found)).toBe(true);
        },
      ),
    );
  });
});
