/** Files that are made to be read for long: the API takes four million bytes of them, and everybody would wait. */
import { describe, expect, it } from "vitest";
import { readXliff } from "./xliff";

const MAX_FILE = 4_000_000;
const HEAD = '<xliff xmlns="urn:oasis:names:tc:xliff:document:2.0" version="2.0" trgLang="de"><file id="a">';

describe("a translator's file as large as may be sent", () => {
  // Each takes hundredths of a second; with one pass over the rest of the file at each mistake it is a minute or two.
  it.each([
    ["is made of mistakes", "<"],
    ["opens names and never ends them", "<a"],
    ["closes what was not open", "</a>"],
    ["begins comments in comments", "<!--"],
    ["begins sections in sections", "<![CDATA["],
    ["names entities that are none", "&x;"],
    ["has half attributes", '<a b="'],
  ])(
    "is refused at its first mistake if it %s",
    (_, part) => {
      const content = HEAD + part.repeat((MAX_FILE - HEAD.length) / part.length);
      expect(readXliff(content)).toEqual({ mistake: expect.any(String) });
    },
    30_000,
  );

  it("is refused before it is parsed if it has more elements than any", () => {
    const content = `${HEAD}${"<a/>".repeat(900_000)}</file></xliff>`;
    expect(readXliff(content)).toEqual({ mistake: "There are more than 100000 elements." });
  });

  it("is read if it is made of text", () => {
    const text = "x".repeat(MAX_FILE - 500);
    const unit = `<unit id="a"><segment><source>a</source><target>${text}</target></segment></unit>`;
    const { targetLanguage, units } = readXliff(`${HEAD}${unit}</file></xliff>`) as Exclude<
      ReturnType<typeof readXliff>,
      { mistake: string }
    >;
    expect([targetLanguage, units.length, units[0]?.target === text]).toEqual(["de", 1, true]);
  });
});
