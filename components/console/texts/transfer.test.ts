import { describe, expect, it } from "vitest";
import { type Draft, readDrafts, type Shelf, withDraft, writeDrafts } from "./drafts";
import type { MessageType } from "./messages";
import { parseFile as parseAny, planImport } from "./transfer";

const TYPES: readonly MessageType[] = ["init", "password_change"];
const parseFile = (content: string) => parseAny(content, TYPES, ["de", "en"]);

describe("A file of texts", () => {
  const texts = [
    { type: "init", language: "de", subject: "S" },
    { type: "password_change", language: "en", text: "T" },
  ] as const;

  it("is read in the format of the bootstrap file or as a plain list, with languages in any case", () => {
    expect(parseFile(JSON.stringify({ messageTexts: texts }))).toEqual(texts);
    expect(parseFile(JSON.stringify([{ ...texts[0], language: "DE" }]))).toEqual([texts[0]]);
  });

  it.each([
    ["{", "no_json", 0],
    ["null", "no_texts", 0],
    ["{}", "no_texts", 0],
    ['{"messageTexts": []}', "no_texts", 0],
    ["[null]", "unknown_text", 1],
    ['[{"type":"init","language":"xx"}]', "unknown_text", 1],
    ['[{"type":"init","language":"de"},{"type":"nope","language":"de"}]', "unknown_text", 2],
    ['[{"type":"init","language":"de","title":1}]', "wrong_field", 1],
    ['[{"type":"init","language":"de","colour":"x"}]', "wrong_field", 1],
    ['[{"type":"init","language":"de"},{"type":"init","language":"DE"}]', "twice", 2],
  ])("is refused: %s", (content, problem, entry) => {
    expect(parseFile(content)).toEqual({ problem, entry });
  });

  it("is compared with the current texts before the import", () => {
    const plan = planImport(
      [texts[0]],
      [
        { ...texts[0], title: "" },
        { ...texts[1], language: "fr" },
        { type: "init", language: "de", subject: "Other" },
      ],
    );
    expect(plan.map(({ kind, fields }) => [kind, fields])).toEqual([
      ["same", []],
      ["new", ["text"]],
      ["changed", ["subject"]],
    ]);
  });
});

describe("Drafts", () => {
  function shelf(): Shelf & { kept: Map<string, string> } {
    const kept = new Map<string, string>();
    return {
      kept,
      getItem: (name) => kept.get(name) ?? null,
      setItem: (name, value) => void kept.set(name, value),
      removeItem: (name) => void kept.delete(name),
    };
  }
  const draft: Draft = { values: { subject: "new" }, base: { subject: "old" }, sequence: "2" };

  it("are stored per user, and removed with the last one", () => {
    const place = shelf();
    writeDrafts(place, "ada/acme", withDraft(new Map(), "init/de", draft));
    expect(readDrafts(place, "ada/acme")).toEqual(new Map([["init/de", draft]]));
    expect(readDrafts(place, "bob/acme").size).toBe(0);
    writeDrafts(place, "ada/acme", new Map());
    expect(place.kept.size).toBe(0);
  });

  it("end if the text equals the saved one again", () => {
    const one = withDraft(new Map(), "init/de", draft);
    expect(withDraft(one, "init/de", { ...draft, values: { subject: "old", title: "" } }).size).toBe(0);
  });

  it.each(["{", "null", '[["x"]]', '[["x",{"values":{"subject":1},"base":{},"sequence":"1"}]]', '{"a":1}'])(
    "are not read from %s",
    (stored) => {
      const place = shelf();
      place.setItem("texts/ada/acme", stored);
      expect(readDrafts(place, "ada/acme").size).toBe(0);
    },
  );

  it("work without session storage", () => {
    const refused = () => {
      throw new DOMException("denied", "SecurityError");
    };
    const place: Shelf = { getItem: refused, setItem: refused, removeItem: refused };
    expect(readDrafts(place, "ada/acme").size).toBe(0);
    expect(() => writeDrafts(place, "ada/acme", new Map())).not.toThrow();
  });
});
