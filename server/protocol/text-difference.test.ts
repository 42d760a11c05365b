import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { differenceOf, likeness } from "./text-difference";

const written = (registered: string, sent: string) =>
  differenceOf(registered, sent)
    .map(({ kind, text }) => ({ same: text, missing: `[-${text}-]`, extra: `[+${text}+]` })[kind])
    .join("");

describe("the difference of two URLs", () => {
  it.each([
    ["https://rp.test/cb", "https://rp.test/cb", "https://rp.test/cb"],
    ["https://rp.test/cb", "https://rp.test/cb/", "https://rp.test/cb[+/+]"],
    ["https://rp.test/cb", "http://rp.test/cb", "http[-s-]://rp.test/cb"],
    ["https://rp.test/cb", "https://rp.test/callback", "https://rp.test/c[+all+]b[+ack+]"],
    ["https://rp.test/Cb", "https://rp.test/cb", "https://rp.test/[-C-][+c+]b"],
    ["", "x", "[+x+]"],
    ["\u{1F600}", "\u{1F601}", "[-\u{1F600}-][+\u{1F601}+]"],
  ])("from %s to %s is %s", (registered, sent, expected) => {
    expect(written(registered, sent)).toBe(expected);
  });

  it("contains both URLs, whatever they are", () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 60 }), fc.string({ maxLength: 60 }), (registered, sent) => {
        const parts = differenceOf(registered, sent);
        const side = (other: string) =>
          parts
            .filter(({ kind }) => kind !== other)
            .map(({ text }) => text)
            .join("");
        return side("extra") === registered && side("missing") === sent;
      }),
    );
  });

  it("is not computed for texts that are too long to read", () => {
    const [a, b] = ["a".repeat(2_000), "b".repeat(2_000)];
    expect(differenceOf(a, b)).toEqual([
      { kind: "missing", text: a },
      { kind: "extra", text: b },
    ]);
  });

  it("finds the URL that was meant", () => {
    expect(likeness("https://rp.test/cb", "https://rp.test/cb2")).toBeGreaterThan(
      likeness("https://other.test/cb", "https://rp.test/cb2"),
    );
  });
});
