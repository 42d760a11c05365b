import { describe, expect, it } from "vitest";
import { columnOf, parseCsv, parsePeople } from "./read-people-file";

describe("A file of users", () => {
  it("is read from CSV with quotes, commas and line breaks in it (RFC 4180 §2)", () => {
    expect(parseCsv('a,b\r\n"x, ""y""\nz",2\n\n')).toEqual([
      ["a", "b"],
      ['x, "y"\nz', "2"],
    ]);
    expect(parseCsv("a,\n,b")).toEqual([
      ["a", ""],
      ["", "b"],
    ]);
  });

  it("is read in linear time for any content", () => {
    const long = "x, ".repeat(3_000_000);
    expect(parseCsv(`a,"${long}"\n1,2`)).toEqual([
      ["a", long],
      ["1", "2"],
    ]);
    expect(parseCsv(`a\n"${long}`)).toEqual([["a"], [long]]);
    expect(parseCsv('""'.repeat(1_000_000))).toEqual([['"'.repeat(999_999)]]);
    expect(parseCsv("a,b\r\n".repeat(200_000))).toHaveLength(200_000);
    expect(parseCsv('\r"\r'.repeat(200_000))).toHaveLength(1);
  });

  it("becomes the body of the import; empty cells are omitted", () => {
    const csv = "userName,firstName,lastName,email,isEmailVerified,phone\neva,Eva,Müller,eva@acme.test,TRUE,\n";
    expect(parsePeople(`\uFEFF${csv}`)).toEqual([
      {
        userName: "eva",
        profile: { firstName: "Eva", lastName: "Müller" },
        email: { email: "eva@acme.test", isEmailVerified: true },
      },
    ]);
  });

  it("has errors that name the column", () => {
    expect(parsePeople("userName,firstName\nzed,\n")).toEqual([{ userName: "zed", profile: {} }]);
    expect(columnOf("profile.firstName")).toBe("firstName");
    expect(columnOf("metadata[0].key")).toBe("metadata[0].key");
  });

  it("is read from JSON, with or without the name of the list", () => {
    expect(parsePeople('[{"userName":"eva"}]')).toEqual([{ userName: "eva" }]);
    expect(parsePeople('{"users":[{"userName":"eva"}]}')).toEqual([{ userName: "eva" }]);
  });

  it.each(["", "[1]", "{", "{}", "name,mail\nEva,x", "userName,shoeSize\neva,39"])("is none where it is %j", (text) => {
    expect(parsePeople(text)).toBeUndefined();
  });
});
