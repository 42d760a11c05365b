import { describe, expect, it } from "vitest";
import { segmentsOf } from "./text-segments";

const found = (text: string) => {
  const { encoding, count, units, left } = segmentsOf(text);
  return [encoding, count, units, left];
};

describe("the segments of a text message (3GPP TS 23.038, TS 23.040)", () => {
  it("have 160 characters of GSM or 70 others, and fewer if there are several", () => {
    const wrong: string[] = [];
    for (const [name, text, expected] of [
      ["an empty text", "", ["GSM-7", 1, 0, 160]],
      ["the longest of one segment", "a".repeat(160), ["GSM-7", 1, 160, 0]],
      ["one character more", "a".repeat(161), ["GSM-7", 2, 161, 145]],
      ["the longest of two segments", "a".repeat(306), ["GSM-7", 2, 306, 0]],
      ["one character more than two segments hold", "a".repeat(307), ["GSM-7", 3, 307, 152]],
      ["German", "Grüße: ÄÖÜäöüß", ["GSM-7", 1, 14, 146]],
      ["characters with an escape", "€[]{}\\~^|", ["GSM-7", 1, 18, 142]],
      ["an escape at the end of a segment", `${"a".repeat(152)}€${"a".repeat(10)}`, ["GSM-7", 2, 164, 141]],
      ["a typographic apostrophe", "it’s", ["UCS-2", 1, 4, 66]],
      ["the longest of one, in UTF-16", "я".repeat(70), ["UCS-2", 1, 70, 0]],
      ["one more, in UTF-16", "я".repeat(71), ["UCS-2", 2, 71, 63]],
      ["the longest of two, in UTF-16", "я".repeat(134), ["UCS-2", 2, 134, 0]],
      ["characters beyond the first plane", "😀".repeat(35), ["UCS-2", 1, 70, 0]],
      ["a surrogate pair at the end of a segment", `${"я".repeat(66)}😀${"я".repeat(10)}`, ["UCS-2", 2, 78, 55]],
      ["a lone surrogate", "\ud83d", ["UCS-2", 1, 1, 69]],
    ] as const) {
      if (JSON.stringify(found(text)) !== JSON.stringify(expected)) wrong.push(`${name}: ${found(text)}`);
    }
    expect(wrong).toEqual([]);
  });

  it("include the characters that shorten them", () => {
    expect(segmentsOf("“a” ‘b’ “c”").unusual).toEqual(["“", "”", "‘", "’"]);
    expect(segmentsOf("абвгдежзийклмн").unusual).toHaveLength(10);
    expect(segmentsOf("naïve").unusual).toEqual(["ï"]);
  });
});
