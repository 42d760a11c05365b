import { describe, expect, it } from "vitest";
import { addressesIn } from "./invite-people";

describe("addresses as people paste them", () => {
  it("come one a line, or with commas, semicolons or spaces between, also with names", () => {
    const typed = " a@x.test\r\nb@x.test, c@x.test;d@x.test e@x.test\n\nAda King <f@x.test>, , <g@x.test>";
    expect(addressesIn(typed)).toEqual(["a", "b", "c", "d", "e", "f", "g"].map((name) => `${name}@x.test`));
  });

  it("are sent as they are where they are none, so that they are named", () => {
    expect(addressesIn("nobody\n@, x")).toEqual(["nobody", "@", "x"]);
    expect(addressesIn(" \n ")).toEqual([]);
  });
});
