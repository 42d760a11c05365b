import { describe, expect, it } from "vitest";
import { isolateVariables, matching, openVariable, pieces, spanAt, spanNow } from "./braces";
import { codePoints, fillOf, indexAt } from "./counter";

const variable = (name: string, aliases: string[] = []) => ({ name, aliases });

describe("the variable at the caret", () => {
  it.each([
    ["Hello {{", "", ""],
    ["Hello {{.", "", ""],
    ["Hello {{ .Fi", "", "Fi"],
    ["{{Last", "Email}} and more", "Last"],
    ["Grüße 🎉 {{.Ä", "", "Ä"],
  ])("is found after %j before %j", (before, after, typed) => {
    const open = openVariable(before + after, before.length);
    expect(open).toMatchObject({ from: before.indexOf("{{"), typed });
  });

  it.each(["Hello", "{.Name", "{{.Name}} ", "{{.A.B", "{{.Name and"])("is none after %j", (text) => {
    expect(openVariable(text, text.length)).toBeUndefined();
  });

  it("takes with it what is left of an older one, and nothing else", () => {
    const rest = (before: string, after: string) => {
      const { to } = openVariable(before + after, before.length) ?? { to: -1 };
      return (before + after).slice(to);
    };
    expect(rest("{{.Na", "me}} you")).toBe(" you");
    expect(rest("{{", "}}!")).toBe("!");
    expect(rest("{{.", "Name without end")).toBe("Name without end");
  });

  it("is offered by its beginning first, by its alias, then by what it holds", () => {
    const all = [
      variable("LastEmail"),
      variable("VerifiedEmail"),
      variable("UserName", ["Username"]),
      variable("Email"),
    ];
    expect(matching(all, "em").map(({ name }) => name)).toEqual(["Email", "LastEmail", "VerifiedEmail"]);
    expect(matching(all, "USERN").map(({ name }) => name)).toEqual(["UserName"]);
    expect(matching(all, "")).toHaveLength(4);
    expect(matching(all, "x")).toEqual([]);
  });
});

describe("the stretch of a text that the lint complains of", () => {
  it.each([
    ["Hi {{.Foo}} you", 3, "{{.Foo}}"],
    ["🎉 {{.Foo}}", 2, "{{.Foo}}"],
    ["{{printf .X}}", 0, "{{printf .X}}"],
    ["{{.Name and more", 0, "{{.Name"],
    ["{{.Name} and {{.Other}}", 0, "{{.Name}"],
    ["{{}}", 0, "{{}}"],
    ["{{", 0, "{{"],
    ["a\u0007b", 1, "\u0007"],
  ])("in %j at %i is %j", (text, position, stretch) => {
    const { from, to } = spanAt(text, position);
    expect(text.slice(from, to)).toBe(stretch);
  });

  it("is marked, as the variables that are right are; together the pieces are the text", () => {
    const text = "Hi {{.Foo}}, {{ .LastName }}.";
    const found = pieces(text, [spanAt(text, 3)]);
    expect(found).toEqual([
      { text: "Hi ", kind: "plain" },
      { text: "{{.Foo}}", kind: "problem" },
      { text: ", ", kind: "plain" },
      { text: "{{ .LastName }}", kind: "variable" },
      { text: ".", kind: "plain" },
    ]);
    expect(pieces("abc", [{ from: 1, to: 9 }])).toEqual([{ text: "abc", kind: "plain" }]); // the text went on meanwhile
  });
});

describe("the place of a correction", () => {
  it.each([
    ["a {{.Foo}} b", "a {{.Foo}} b, and more", "{{.Foo}}"],
    ["a {{.Foo}} b", "much before a {{.Foo}} b", "{{.Foo}}"],
    ["a {{.Foo}} b", "a {{.Fop}} b", undefined],
    ["a {{.Foo}} b", "x {{.Foo}} y", undefined],
    ["{{.Foo}}", "", undefined],
  ])("of %j in %j is %j", (earlier, now, stretch) => {
    const found = spanNow(spanAt(earlier, earlier.indexOf("{")), earlier, now);
    expect(found && now.slice(found.from, found.to)).toBe(stretch);
  });
});

describe("the counter", () => {
  it("counts characters as the service does, an emoji as one", () => {
    expect(codePoints("a🎉é")).toBe(3);
    expect(indexAt("a🎉b", 2)).toBe(3);
    expect(indexAt("ab", 9)).toBe(2);
  });

  it("warns from 90 % and refuses beyond the limit, not at it", () => {
    expect([449, 450, 500, 501].map((count) => fillOf(count, 500))).toEqual(["fine", "near", "near", "over"]);
  });
});

describe("a text that is only shown", () => {
  it("keeps the order of each variable inside a line from right to left", () => {
    expect(isolateVariables("مرحبًا {{.FirstName}} {{ .Code }}،")).toBe(
      "مرحبًا \u2066{{.FirstName}}\u2069 \u2066{{ .Code }}\u2069،",
    );
    expect(isolateVariables("{ no {{ variable")).toBe("{ no {{ variable");
  });
});
