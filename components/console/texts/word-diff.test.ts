import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type DiffPart, wordDiff } from "./word-diff";

const shown = (parts: DiffPart[]) =>
  parts.map(({ kind, text }) => (kind === "same" ? text : kind === "added" ? `+[${text}]` : `-[${text}]`)).join("");

describe("A comparison by words", () => {
  it.each([
    ["Hello Ada, welcome.", "Hello Bob, welcome.", "Hello -[Ada]+[Bob], welcome."],
    ["Hello {{.FirstName}},", "Hello {{.LastName}},", "Hello -[{{.FirstName}}]+[{{.LastName}}],"],
    ["One two three", "One 2 3", "One -[two three]+[2 3]"],
    ["", "New", "+[New]"],
    ["Old", "", "-[Old]"],
    ["Same", "Same", "Same"],
  ])("of %j and %j is %j", (before, after, difference) => {
    expect(shown(wordDiff(before, after, "en"))).toBe(difference);
  });

  it("finds the words of a language without spaces", () => {
    expect(shown(wordDiff("パスワードを変更しました", "パスワードを削除しました", "ja"))).toBe(
      "パスワードを-[変更]+[削除]しました",
    );
  });

  it("preserves both texts completely", () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 60 }), fc.string({ maxLength: 60 }), (before, after) => {
        const parts = wordDiff(before, after, "en");
        const without = (kind: DiffPart["kind"]) =>
          parts
            .filter((part) => part.kind !== kind)
            .map(({ text }) => text)
            .join("");
        expect([without("added"), without("removed")]).toEqual([before, after]);
      }),
    );
  });

  it("accepts the largest possible texts, and still finds a small change in one", () => {
    const long = "word ".repeat(2_000);
    expect(shown(wordDiff(long, `${long}more`, "en"))).toBe(`${long}+[more]`);
    expect(wordDiff("x ".repeat(5_000), "y ".repeat(5_000), "en").map(({ kind }) => kind)).toEqual([
      "removed",
      "added",
      "same",
    ]);
    expect(wordDiff("x".repeat(10_000), "y".repeat(10_000), "en")).toHaveLength(2);
  });
});
