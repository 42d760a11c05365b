import { describe, expect, it } from "vitest";
import { isolateVariables, matching, openVariable, pieces, spanAt, spanNow } from "./braces";
import { codePoints, fillOf, indexAt } from "./counter";

const variable = (name: string, aliases: string[] = []) => ({ name, aliases });

describe("The variable at the caret", () => {
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

  it("replaces the rest of an existing variable, and nothing else", () => {
    const rest = (before: string, after: string) => {
      const { to } = openVariable(before + after, before.length) ?? { to: -1 };
      return (before + after).slice(to);
    };
    expect(rest("{{.Na", "me}} you")).toBe(" you");
    expect(rest("{{", "}}!")).toBe("!");
    expect(rest("{{.", "Name without end")).toBe("Name without end");
  });

  it("is offered first by prefix and alias, then by substring", () => {
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

describe("The range of a text that an issue is about", () => {
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

  it("is marked, as are correct variables; the pieces add up to the text", () => {
    const text = "Hi {{.Foo}}, {{ .LastName }}.";
    const found = pieces(text, [spanAt(text, 3)]);
    expect(found).toEqual([
      { text: "Hi ", kind: "plain" },
      { text: "{{.Foo}}", kind: "problem" },
      { text: ", ", kind: "plain" },
      { text: "{{ .LastName }}", kind: "variable" },
      { text: ".", kind: "plain" },
    ]);
    expect(pieces("abc", [{ from: 1, to: 9 }])).toEqual([{ text: "abc", kind: "plain" }]); // the text has changed
  });
});

describe("The range of a correction", () => {
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

describe("The counter", () => {
  it("counts characters like the service, an emoji as one", () => {
    expect(codePoints("a🎉é")).toBe(3);
    expect(indexAt("a🎉b", 2)).toBe(3);
    expect(indexAt("ab", 9)).toBe(2);
  });

  it("warns from 90 % and rejects above the limit, not at it", () => {
    expect([449, 450, 500, 501].map((count) => fillOf(count, 500))).toEqual(["fine", "near", "near", "over"]);
  });
});

describe("A displayed text", () => {
  it("keeps the order of each variable in a right-to-left line", () => {
    expect(isolateVariables("مرحبًا {{.FirstName}} {{ .Code }}،")).toBe(
      "مرحبًا \u2066{{.FirstName}}\u2069 \u2066{{ .Code }}\u2069،",
    );
    expect(isolateVariables("{ no {{ variable")).toBe("{ no {{ variable");
  });
});
