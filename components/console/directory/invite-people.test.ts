import { describe, expect, it } from "vitest";
import { addressesIn } from "./invite-people";

describe("Pasted addresses", () => {
  it("are separated by line breaks, commas, semicolons or spaces, and may have names", () => {
    const typed = " a@x.test\r\nb@x.test, c@x.test;d@x.test e@x.test\n\nAda King <f@x.test>, , <g@x.test>";
    expect(addressesIn(typed)).toEqual(["a", "b", "c", "d", "e", "f", "g"].map((name) => `${name}@x.test`));
  });

  it("are sent unchanged if they are invalid, so that the error names them", () => {
    expect(addressesIn("nobody\n@, x")).toEqual(["nobody", "@", "x"]);
    expect(addressesIn(" \n ")).toEqual([]);
  });
});
