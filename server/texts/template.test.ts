import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { processorTime } from "../testing/processor-time";
import { codePoints, parseTemplate, renderTemplate } from "./template";

const fill = (source: string, values: Record<string, string> = {}, place: "html" | "plain" | "header" = "plain") =>
  renderTemplate(source, (name) => (Object.hasOwn(values, name) ? values[name] : undefined), place);

/** Texts in which braces, dots and names often occur next to each other. */
const templates = fc
  .array(
    fc.oneof(
      fc.constantFrom("{{", "}}", "{", "}", ".", "Code", "{{.Code}}", " ", "\n", "\ud83d\ude00", "\ud800"),
      fc.string({ unit: "binary" }),
    ),
  )
  .map((parts) => parts.join(""));
const values = fc.oneof(fc.string({ unit: "binary" }), fc.constantFrom("{{.Code}}", "<b>", "a\r\nBcc: b", "\u202eabc"));

describe("parsing a text", () => {
  it.each([
    ["{{.Name}}", "Name"],
    ["{{ .Name }}", "Name"],
    ["{{\t.Name\u00a0}}", "Name"],
    ["{{.Имя_2}}", "Имя_2"],
  ])("finds the variable in %j", (source, name) => {
    expect(parseTemplate(source)).toEqual([{ kind: "variable", name, text: source, position: 0 }]);
  });

  it.each([
    ["{{}}", "empty"],
    ["{{ }}", "empty"],
    ["{{ . }}", "empty"],
    ["{{Name}}", "syntax"],
    ["{{. Name}}", "syntax"],
    ["{{.1}}", "syntax"],
    ["{{.A.B}}", "syntax"],
    ["{{.A | html}}", "syntax"],
    ['{{printf "%s" .A}}', "syntax"],
    ["{{range .A}}", "syntax"],
    ["{{- .A -}}", "syntax"],
    ["{{.A\u200b}}", "syntax"],
    ["{{{.A}}", "syntax"],
    ["{{", "unclosed"],
    ["{{.Name", "unclosed"],
    ["{{.Name}", "unclosed"],
    ["{{ Name }", "unclosed"],
  ])("finds the fault in %j: %s", (source, fault) => {
    expect(parseTemplate(source)).toEqual([{ kind: "fault", fault, text: source, position: 0 }]);
  });

  it.each(["", "{", "}", "}}", "{ {.A}}", "{.A}", "\u0024{7*7}", "<%= 1 %>", "a { b } c"])(
    "leaves %j literal",
    (source) => {
      expect(parseTemplate(source).filter(({ kind }) => kind !== "literal")).toEqual([]);
    },
  );

  it("continues after unclosed braces and the word that follows them", () => {
    expect(parseTemplate("a {{.Name} b {{.C}} d }}").map(({ text }) => text)).toEqual([
      "a ",
      "{{.Name}",
      " b ",
      "{{.C}}",
      " d }}",
    ]);
    expect(parseTemplate("{{ {{.C}}").map(({ kind }) => kind)).toEqual(["fault", "variable"]);
  });

  it("counts positions in characters, not in UTF-16 units", () => {
    expect(parseTemplate("😀é {{.A}}😀{{.B}}").map(({ position }) => position)).toEqual([0, 3, 9, 10]);
  });

  it("keeps every character, in order, at its position", () => {
    fc.assert(
      fc.property(templates, (source) => {
        const segments = parseTemplate(source);
        expect(segments.map(({ text }) => text).join("")).toBe(source);
        let position = 0;
        for (const segment of segments) {
          expect(segment.position).toBe(position);
          position += codePoints(segment.text);
        }
      }),
    );
  });

  it("takes linear time for any combination of braces", async () => {
    for (const part of ["{{", "{{.A", "{{.A}} ", "{", "}}{{", "{{ "]) {
      expect(await processorTime(() => parseTemplate(`${part.repeat(40_000)}}}`)), part).toBeLessThan(3_000_000); // µs
    }
  });
});

describe("filling in a text", () => {
  it("fills in each variable, however it is spaced", () => {
    expect(fill("{{.A}} and {{ .B }}{{.A}}", { A: "1", B: "2" })).toBe("1 and 21");
  });

  it("omits variables without a value and invalid expressions, and keeps unclosed braces", () => {
    expect(fill("[{{.Nobody}}][{{printf}}][{{}}][{{.Code", { Code: "1" })).toBe("[][][][{{.Code");
  });

  it("never reads a value as a template: one pass", () => {
    expect(fill("{{.A}}", { A: "{{.B}}", B: "secret" })).toBe("{{.B}}");
    expect(fill("{{.A}}{{.B}}", { A: "{{.C", B: "}}", C: "secret" })).toBe("{{.C}}");
    expect(fill("{{{{.A}}}}", { A: ".C", C: "secret" })).toBe("{{.C}}");
    fc.assert(
      fc.property(values, values, (a, b) => {
        expect(fill("{{.A}}|{{.B}}", { A: a, B: b, Code: "SECRET" })).not.toContain("SECRET");
        expect(fill("{{.A}}", { A: a })).toBe(fill("{{.B}}", { B: a }));
      }),
    );
  });

  it("escapes markup in values and in the text for HTML, quotes included", () => {
    expect(fill('<a href="x">{{.A}}</a>', { A: "<script>'&\"" }, "html")).toBe(
      "&lt;a href=&quot;x&quot;&gt;&lt;script&gt;&#39;&amp;&quot;&lt;/a&gt;",
    );
    expect(fill("&amp;", {}, "html")).toBe("&amp;amp;");
  });

  it("keeps a value on its line and the text's own line breaks", () => {
    expect(fill("a\r\nb\rc\n{{.A}}", { A: "x\n\ny\u2028z\u0007" })).toBe("a\nb\nc\nx y z ");
  });

  it("joins the lines of a header", () => {
    expect(fill("Hello\r\nBcc: {{.A}}\n", { A: "x\r\nTo: y" }, "header")).toBe("Hello Bcc: x To: y");
  });

  it("removes bidirectional marks from values, and keeps them in the text", () => {
    expect(fill("\u2068{{.A}}\u2069", { A: "\u202egpj.exe\u2066" })).toBe("\u2068gpj.exe\u2069");
  });

  it("replaces lone surrogates", () => {
    expect(fill("\ud83d{{.A}}", { A: "\ude00" })).toBe("\ufffd\ufffd");
  });

  it("never throws and never returns unescaped markup", () => {
    fc.assert(
      fc.property(templates, values, (source, value) => {
        const all = { Code: value, A: value };
        const [html, plain, header] = (["html", "plain", "header"] as const).map((place) => fill(source, all, place));
        expect(html).not.toMatch(/[<>"']|&(?!(?:amp|lt|gt|quot|#39);)/);
        expect(plain).not.toMatch(/[^\P{Cc}\n\t]|\p{Cs}/u);
        expect(header).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}\p{Cs}]/u);
      }),
      { numRuns: 500 },
    );
  });
});
