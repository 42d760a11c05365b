/**
 * Files that are made to take long to parse: the API accepts four million bytes, and parsing could block all requests.
 */
import { describe, expect, it } from "vitest";
import { readXliff } from "./xliff";

const MAX_FILE = 4_000_000;
const HEAD = '<xliff xmlns="urn:oasis:names:tc:xliff:document:2.0" version="2.0" trgLang="de"><file id="a">';

describe("a translator's file of the maximum size", () => {
  // Each takes hundredths of a second; with one pass over the rest of the file for each mistake it takes a minute or
  // two.
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
    async (_, part) => {
      const content = HEAD + part.repeat((MAX_FILE - HEAD.length) / part.length);
      expect(await readXliff(content)).toEqual({ mistake: expect.any(String) });
    },
    30_000,
  );

  it("is refused before it is parsed if it has too many elements", async () => {
    const content = `${HEAD}${"<a/>".repeat(900_000)}</file></xliff>`;
    expect(await readXliff(content)).toEqual({ mistake: "There are more than 100000 elements." });
  });

  it.each([
    ["attributes", (count: number) => 'a="" '.repeat(count).replace(/a=/g, () => `a${count--}=`)],
    ["namespace declarations", (count: number) => "x".repeat(count).replace(/x/g, () => ` xmlns:n${count--}="u"`)],
  ])("is refused at the first element that has too many %s", async (_, attributes) => {
    const content = `${HEAD}<unit ${attributes(300_000)}/></file></xliff>`;
    expect(await readXliff(content)).toEqual({ mistake: "An element has more than 20 attributes." });
  });

  it("does not block other work while it is read", async () => {
    const unit = '<unit id="a"><segment><source>a</source><target>b</target></segment></unit>';
    let turns = 0;
    const timer = setInterval(() => turns++, 1);
    await readXliff(`${HEAD}${unit.repeat(20_000)}</file></xliff>`);
    clearInterval(timer);
    expect(turns).toBeGreaterThan(2);
  });

  it("is read if it consists of text", async () => {
    const text = "x".repeat(MAX_FILE - 500);
    const unit = `<unit id="a"><segment><source>a</source><target>${text}</target></segment></unit>`;
    const { targetLanguage, units } = (await readXliff(`${HEAD}${unit}</file></xliff>`)) as Exclude<
      Awaited<ReturnType<typeof readXliff>>,
      { mistake: string }
    >;
    expect([targetLanguage, units.length, units[0]?.target === text]).toEqual(["de", 1, true]);
  });
});

describe("a target", () => {
  const read = async (inner: string) => {
    const file = await readXliff(`${HEAD}<unit id="a">${inner}</unit></file></xliff>`);
    return "mistake" in file ? file : file.units.map(({ target }) => target);
  };

  it.each([
    ["41", "A"],
    ["1F600", "😀"],
    ["-1", "\ufffd"],
    ["110000", "\ufffd"],
    ["0", "\ufffd"],
    ["", "\ufffd"],
    ["41 42", "\ufffd"],
  ])("has the character of the code point %j, or the replacement character", async (hex, character) => {
    const target = `<segment><source>a</source><target>a<cp hex="${hex}"/>b</target></segment>`;
    expect(await read(target)).toEqual([`a${character}b`]);
  });

  it("resolves placeholders by id alone, and includes the text of marked parts", async () => {
    const source = '<source>Hi <ph id="1" equiv="{{.Name}}"/></source>';
    const target = '<target>Hallo <mrk id="m"><pc id="p">liebe</pc></mrk> <ph id="1">x</ph><![CDATA[<]]></target>';
    expect(await read(`<segment>${source}${target}</segment>`)).toEqual(["Hallo liebe {{.Name}}<"]);
  });

  it("joins all segments; a unit with an untranslated segment is omitted", async () => {
    const segment = (target: string) => `<segment><source>a</source>${target}</segment>`;
    expect(await read(segment("<target>b</target>") + segment("<target/>"))).toEqual(["b"]);
    expect(await read(segment("<target>b</target>") + segment(""))).toEqual([]);
  });
});
