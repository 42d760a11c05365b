import { describe, expect, it } from "vitest";
import { isCompactJws } from "./compact-jws";

describe("a signed token in compact form (RFC 7515 §7.1)", () => {
  it("is three parts of base64url", () => {
    expect(isCompactJws("eyJhbGciOiJSUzI1NiJ9.e30.aA-_")).toBe(true);
  });

  it.each([
    ...["a.b.c ", " a.b.c", "a.b.c\n", "a.b.c\r\n", "a.b. c", "a.b.c=", "a.b==.c", "a.b.c+", "a.b/.c", "a..c", "a.b."],
    ...["a.b", "a.b.c.d", "", "a.b.c\u0000", "a\t.b.c", "a.b.\u00e9"],
  ])("is not %j", (text) => {
    expect(isCompactJws(text)).toBe(false);
  });
});
