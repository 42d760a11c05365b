// The changes that a form displays, from two snapshots of it.
import { describe, expect, it } from "vitest";
import { changesBetween, type Fact, type FieldDeclaration, factsOf, isChanged } from "./form-facts";

const WORDS = { nothing: "None" };
const fact = (name: string, said: string, more: Partial<Fact> = {}): Fact => ({
  name,
  label: `The ${name}`,
  isList: false,
  said,
  values: said === "" ? [] : [said],
  ...more,
});
const list = (name: string, ...values: string[]) => fact(name, values.join("\n"), { isList: true, values });

describe("The list of changes", () => {
  it("shows each setting with its old and new value and its effect", () => {
    const effects = { changed: { method: "Change the app, too." } };
    const kept = [fact("method", "basic"), fact("name", "Shop"), fact("note", "")];
    const now = [fact("method", "post"), fact("name", "Shop"), fact("note", "new")];
    expect(changesBetween(kept, now, effects, WORDS)).toEqual([
      { key: "method", label: "The method", before: ["basic"], after: ["post"], notes: ["Change the app, too."] },
      { key: "note", label: "The note", before: ["None"], after: ["new"], notes: [] },
    ]);
  });

  it("shows the removed and added entries of a list, and the effect of removal only if an entry is removed", () => {
    const effects = { taken: { uris: "Refused at once." } };
    const kept = [list("uris", "https://a.test", "https://b.test")];
    expect(changesBetween(kept, [list("uris", "https://b.test", "https://c.test")], effects, WORDS)).toMatchObject([
      { before: ["https://a.test"], after: ["https://c.test"], isList: true, notes: ["Refused at once."] },
    ]);
    const more = list("uris", "https://a.test", "https://b.test", "https://c.test");
    expect(changesBetween(kept, [more], effects, WORDS)).toMatchObject([{ before: [], notes: [] }]);
    expect(changesBetween(kept, [], effects, WORDS)).toMatchObject([{ before: ["https://a.test", "https://b.test"] }]);
  });

  it("shows that a secret has changed but not its value", () => {
    const secret = (said: string) => fact("secret", said, { values: ["••••••••"] });
    expect(changesBetween([secret("old")], [secret("new")], {}, WORDS)).toMatchObject([
      { before: ["••••••••"], after: ["••••••••"] },
    ]);
  });
});

describe("The facts of fields", () => {
  const name: FieldDeclaration = {
    name: "profile.name",
    label: "Name",
    initial: "Ada",
    toJson: (value) => (value === "" ? undefined : value),
    inWords: (value) => (value === "" ? [] : [String(value)]),
  };

  it("are their values as they are sent and in words, at first the initial ones", () => {
    const ada = { name: "profile.name", label: "Name", isList: false, said: '"Ada"', values: ["Ada"] };
    expect(factsOf([name], {})).toEqual([ada]);
    expect(factsOf([name], { profile: { name: "" } })).toEqual([{ ...ada, said: "", values: [] }]);
  });

  it("are changed if something else is sent", () => {
    const ada = factsOf([name], {});
    expect(isChanged(ada, factsOf([name], { profile: { name: "Ada" } }))).toBe(false);
    expect(isChanged(ada, factsOf([name], { profile: { name: "Zoë" } }))).toBe(true);
  });
});
